#!/usr/bin/env python3
"""Makes sheet.tsv: costs of 200 random jobs in exact fractions, rounded once, half up.

Run from the project's root: python3 tests/costs/make.py. A line is a job with a list of two:
for each entry its price of an instance hour in micro units, its count and whether a plan serves
it; the rank that was chosen (0: it waits); seconds billed, run limit, warm pool retained, likely
run. Then what is to come out in micro units, -1 for none: by the hour, so far, worst case, of the
pool, likely.
"""
import random
from fractions import Fraction
from math import floor

random.seed(20260915)


def micro(amount):
    return floor(amount + Fraction(1, 2))


def line():
    entries = [(random.randint(1, 140_000_000), random.choice((1, 2, 3, 4, 8, 16, 100)),
                int(random.random() < 0.2)) for _ in range(2)]
    rates = [Fraction(0) if plan else Fraction(price) * count for price, count, plan in entries]
    chosen = random.randint(0, 2)
    billed, limit = random.randint(1, 400_000), random.randint(1, 2_419_200)
    retained, run = random.randint(1, 3600), random.randint(1, 400_000)
    if chosen == 0:
        result = [-1, 0, micro(max(rates) * limit / 3600), -1, -1]
    else:
        rate = rates[chosen - 1]
        so_far = micro(rate * billed / 3600)
        result = [micro(rate), so_far, micro(rate * limit / 3600), micro(rate * retained / 3600),
                  max(so_far, micro(rate * run / 3600))]
    return [*(x for entry in entries for x in entry), chosen, billed, limit, retained, run, *result]


with open("tests/costs/sheet.tsv", "w", encoding="ascii") as sheet:
    for _ in range(200):
        sheet.write("\t".join(map(str, line())) + "\n")
