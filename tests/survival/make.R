# Makes sets.tsv: 200 random sets of waits with censoring and what R's survival package says of
# each. Run from the project's root: Rscript tests/survival/make.R (Debian: r-cran-survival).
# A line is a set: number, waits in seconds ("+" = censored), steps "time:at risk:starts:surv:
# std.err of log(surv):lower:upper" of the times at which somebody started (log-log band, NA where
# R gives none), and the quantiles 0.1, 0.25, 0.5, 0.75 and 0.9.
suppressMessages(library(survival))
set.seed(20260915)
shares <- c(0.1, 0.25, 0.5, 0.75, 0.9)
number <- function(x) ifelse(is.finite(x), formatC(x, digits = 12, format = "g", width = 1), "NA")
make <- function(i) {
	n <- sample(c(1:12, 20, 40), 1)
	wait <- switch(1 + i %% 4,
		rexp(n, 1 / 3600),
		ifelse(runif(n) < 0.4, 0, rlnorm(n, 7, 1.5)), # some start at once
		sample(1:6, n, TRUE) * 60,                    # many ties
		rweibull(n, 0.6, 1800))
	until <- switch(1 + (i %/% 4) %% 3, rexp(n, 1 / 5000), rep(2400, n), rep(Inf, n))
	if (i %% 4 == 2) until <- ceiling(until / 60) * 60 # censored at the time of starts
	time <- pmin(round(wait), ifelse(is.finite(until), round(until), Inf))
	started <- wait <= until
	fit <- survfit(Surv(time, started) ~ 1, conf.type = "log-log")
	q <- quantile(fit, shares, conf.int = FALSE)
	at <- fit$n.event > 0
	steps <- paste(fit$time[at], fit$n.risk[at], fit$n.event[at], number(fit$surv[at]),
		number(fit$std.err[at]), number(fit$lower[at]), number(fit$upper[at]), sep = ":")
	paste(i, paste0(time, ifelse(started, "", "+"), collapse = ","),
		if (any(at)) paste(steps, collapse = ",") else "-", paste(number(q), collapse = ","), sep = "\t")
}
writeLines(vapply(1:200, make, ""), "tests/survival/sets.tsv")
