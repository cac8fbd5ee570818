#include "aws/amount.h"

#define MICRO_DECIMALS 6

static bool add_digit(int64_t *micro, int digit)
{
	return !__builtin_mul_overflow(*micro, 10, micro) &&
	       !__builtin_add_overflow(*micro, digit, micro);
}

struct money amount_read(const char *text)
{
	const char *at = text ? text : "";
	int64_t micro = 0;
	int decimals = -1, digits = 0, rest = 0;

	for (; *at; at++) {
		if (*at == '.' && decimals < 0) {
			decimals = 0;
			continue;
		}
		if (*at < '0' || *at > '9')
			return (struct money){ 0 };
		digits++;
		if (decimals == MICRO_DECIMALS)
			rest = *at - '0';
		decimals += decimals >= 0;
		if (decimals <= MICRO_DECIMALS && !add_digit(&micro, *at - '0'))
			return (struct money){ 0 };
	}
	for (decimals = decimals < 0 ? 0 : decimals; decimals < MICRO_DECIMALS; decimals++)
		if (!add_digit(&micro, 0))
			return (struct money){ 0 };
	if (rest >= 5 && __builtin_add_overflow(micro, 1, &micro))
		return (struct money){ 0 };
	return (struct money){ .set = digits > 0, .micro = micro };
}
