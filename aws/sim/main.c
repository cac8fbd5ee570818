/* gpuq-sim: a simulated SageMaker region on a port of this machine. */
#include <getopt.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aws/sim/http.h"
#include "model/base/attr.h"
#include "model/base/mem.h"
#include "model/base/version.h"

#define EXIT_USAGE  2
#define SPEED_MAX   100000.0
#define LATENCY_MAX SIM_DELAY_MAX_MS

static const struct option long_options[] = {
	{ "port", required_argument, NULL, 'p' },
	{ "seed", required_argument, NULL, 's' },
	{ "speed", required_argument, NULL, 'x' },
	{ "jobs", required_argument, NULL, 'j' },
	{ "scenario", required_argument, NULL, 'c' },
	{ "region", required_argument, NULL, 'r' },
	{ "account", required_argument, NULL, 'a' },
	{ "rate", required_argument, NULL, 't' },
	{ "latency-ms", required_argument, NULL, 'l' },
	{ "no-auth", no_argument, NULL, 'n' },
	{ "version", no_argument, NULL, 'V' },
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

static const char help[] =
	"gpuq-sim [OPTIONS]: a simulated SageMaker region on 127.0.0.1\n"
	"\n"
	"  --port N         port to listen on (0, the standard, takes any free one)\n"
	"  --seed N         the same seed tells the same story\n"
	"  --speed X        simulated seconds a second, from 1\n"
	"  --jobs N         jobs at the start (60; busy 513)\n"
	"  --scenario S     busy (standard), still, empty or scarce\n"
	"  --region R       region (us-east-1)\n"
	"  --account ID     account (111122223333)\n"
	"  --rate N         calls a second of each list operation (2; 0 = no limit)\n"
	"  --latency-ms N   every answer comes that much later\n"
	"  --no-auth        signatures are not checked\n"
	"\n"
	"Access key AKIDSIM, secret simsecret. One line tells the URL once it is ready; SIGTERM "
	"ends it.\n"
	"\n"
	"The same port answers as STS, IAM Identity Center, sign-in and the instance metadata "
	"service,\nand a container's credentials are at /container/credentials. Keys that these "
	"hand out are good\nhere until they expire. POST to /_sim/credentials, /_sim/login, "
	"/_sim/metadata and\n/_sim/container steers them; aws/sim/control.h in the source says "
	"how.\n";

static bool parse_number(const char *text, long low, long high, long *value)
{
	char *end;
	long read = strtol(text, &end, 10);
	if (end == text || *end != '\0' || read < low || read > high)
		return false;
	*value = read;
	return true;
}

static bool parse_speed(const char *text, double *speed)
{
	char *end;
	double read = strtod(text, &end);
	if (end == text || *end != '\0' || !isfinite(read) || read < 1.0 || read > SPEED_MAX)
		return false;
	*speed = read;
	return true;
}

static bool parse_scenario(const char *text, enum sim_scenario_kind *scenario)
{
	static const char *const names[] = { [SIM_SCENARIO_BUSY] = "busy",
					     [SIM_SCENARIO_STILL] = "still",
					     [SIM_SCENARIO_EMPTY] = "empty",
					     [SIM_SCENARIO_SCARCE] = "scarce" };
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		if (strcmp(names[i], text) == 0) {
			*scenario = (enum sim_scenario_kind)i;
			return true;
		}
	}
	return false;
}

/* Only what may stand in an ARN. */
static bool is_word(const char *text, const char *allowed, size_t low, size_t high)
{
	size_t len = strlen(text);
	return len >= low && len <= high && strspn(text, allowed) == len;
}

static bool take_option(struct sim_options *options, int option, const char *value)
{
	long number = 0;
	bool fine = true;
	switch (option) {
	case 'p':
		fine = parse_number(value, 0, UINT16_MAX, &number);
		options->port = (uint16_t)number;
		return fine;
	case 's':
		fine = parse_number(value, 0, INT32_MAX, &number);
		options->seed = (uint64_t)number;
		return fine;
	case 'x':
		return parse_speed(value, &options->speed);
	case 'j':
		fine = parse_number(value, 0, SIM_JOBS_MAX, &number);
		options->jobs = (size_t)number;
		return fine;
	case 'c':
		return parse_scenario(value, &options->scenario);
	case 'r':
		options->region = value;
		return is_word(value, "abcdefghijklmnopqrstuvwxyz0123456789-", 4, 32);
	case 'a':
		options->account = value;
		return is_word(value, "0123456789", 12, 12);
	case 't':
		fine = parse_number(value, 0, SIM_RATE_MAX, &number);
		options->rate = (int)number;
		return fine;
	case 'l':
		fine = parse_number(value, 0, LATENCY_MAX, &number);
		options->latency_ms = number;
		return fine;
	default:
		options->no_auth = true;
		return true;
	}
}

/* Returns the exit status when there is nothing to serve, or -1 to go on. */
static int parse_options(int argc, char **argv, struct sim_options *options)
{
	int option, index = 0;
	while ((option = getopt_long(argc, argv, "hV", long_options, &index)) != -1) {
		if (option == 'h' || option == 'V')
			return printf("%s", option == 'h' ? help : "gpuq-sim " GPUQ_VERSION "\n") <
			       0;
		if (option == '?')
			return EXIT_USAGE;
		if (!take_option(options, option, optarg)) {
			fprintf(stderr, "gpuq-sim: --%s cannot be %s; see gpuq-sim --help\n",
				long_options[index].name, optarg);
			return EXIT_USAGE;
		}
	}
	if (optind == argc)
		return -1;
	fprintf(stderr, "gpuq-sim: unexpected argument %s; see gpuq-sim --help\n", argv[optind]);
	return EXIT_USAGE;
}

/* Before any thread or socket: SIGTERM and SIGINT are read from a descriptor. */
static void set_signals(void)
{
	sigset_t blocked;
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGTERM);
	sigaddset(&blocked, SIGINT);
	if (sigprocmask(SIG_BLOCK, &blocked, NULL) != 0 || signal(SIGPIPE, SIG_IGN) == SIG_ERR)
		perror("gpuq-sim: signals");
}

static int serve(struct sim_region *region)
{
	struct err err = { 0 };
	struct sim_server *server = sim_server_new(region, &err);
	bool fine = server != NULL;
	if (fine && (printf("gpuq-sim http://127.0.0.1:%u\n", sim_server_port(server)) < 0 ||
		     fflush(stdout) != 0))
		fine = err_set(&err, ERR_IO, "cannot write the ready line");
	fine = fine && sim_server_run(server, &err);
	if (!fine)
		fprintf(stderr, "gpuq-sim: %s\n", err_text(&err));
	sim_server_free(server);
	err_clear(&err);
	return fine ? 0 : 1;
}

int main(int argc, char **argv)
{
	struct sim_options options = {
		.seed = 1,
		.speed = 1.0,
		.scenario = SIM_SCENARIO_BUSY,
		.region = "us-east-1",
		.account = "111122223333",
		.rate = 2,
	};
	int status = parse_options(argc, argv, &options);
	if (status >= 0)
		return status;
	set_signals();
	struct clock clock = clock_system();
	struct sim_region *region = mem_new(1, sizeof(*region));
	sim_region_init(region, &options, &clock);
	status = serve(region);
	sim_region_release(region);
	free(region);
	return status;
}
