/*
 * Runs a fuzzer without libFuzzer, so that it runs wherever a compiler is: first every file of the
 * corpus, then inputs made of them by a seeded generator until the time is up. Understands those of
 * libFuzzer's options that tests/fuzz/run gives:
 *     fuzz_NAME [-max_total_time=SECONDS] [-seed=N] [-artifact_prefix=PATH] [FILE|FOLDER]...
 * The inputs run in a child and stand in shared memory, so that whatever ends it the parent still
 * has the last one and can save it. Which inputs come in which order depends on seed and corpus
 * alone.
 */
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "model/base/attr.h"
#include "tests/fuzz/fuzz.h"

#define INPUT_MAX  65536u
#define INPUTS_MAX 1024
#define HANG_S     60 /* for one input; sanitizers and valgrind are slow */
#define LONG_RUN   300

struct options {
	unsigned seconds;
	uint64_t seed;
	const char *prefix; /* of the path of what is saved */
};

struct input {
	char *path;           /* owned */
	unsigned char *bytes; /* owned */
	size_t len;
};

struct corpus {
	struct input inputs[INPUTS_MAX];
	size_t count;
};

/* What parent and child both see. */
struct shared {
	unsigned long runs;
	bool done;
	const char *path; /* of the input, in what was read before the fork; NULL: it was made */
	size_t len;
	unsigned char bytes[INPUT_MAX];
};

/* the corpus */

static void read_file(struct corpus *corpus, const char *path)
{
	FILE *file = fopen(path, "rb");
	struct input *input = &corpus->inputs[corpus->count];

	if (!file || corpus->count == INPUTS_MAX) {
		(void)fprintf(stderr, "%s: cannot be read\n", path);
		exit(2);
	}
	input->path = fuzz_copy(path, strlen(path));
	input->bytes = malloc(INPUT_MAX);
	assert(input->bytes);
	input->len = fread(input->bytes, 1, INPUT_MAX, file);
	corpus->count++;
	(void)fclose(file);
}

static int is_shown(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static int by_bytes(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static void read_path(struct corpus *corpus, const char *path)
{
	struct dirent **entries;
	struct stat about;
	char inner[1024];

	if (stat(path, &about) != 0 || !S_ISDIR(about.st_mode)) {
		read_file(corpus, path);
		return;
	}
	int count = scandir(path, &entries, is_shown, by_bytes);

	assert(count >= 0);
	for (int i = 0; i < count; i++) {
		int len = snprintf(inner, sizeof(inner), "%s/%s", path, entries[i]->d_name);

		assert(len > 0 && (size_t)len < sizeof(inner));
		read_file(corpus, inner);
		free(entries[i]);
	}
	free(entries);
}

/* random numbers and mutations */

struct maker {
	uint64_t state;
	const struct corpus *corpus;
	struct shared *out; /* the input that is being made */
};

/* xorshift64*; below a limit, 0 for none. */
static size_t below(struct maker *maker, size_t limit)
{
	maker->state ^= maker->state >> 12;
	maker->state ^= maker->state << 25;
	maker->state ^= maker->state >> 27;
	return limit ? (size_t)((maker->state * UINT64_C(2685821657736338717)) >> 33) % limit : 0;
}

static void cut_out(struct shared *out, size_t at, size_t len)
{
	if (at >= out->len)
		return;
	if (len > out->len - at)
		len = out->len - at;
	memmove(out->bytes + at, out->bytes + at + len, out->len - at - len);
	out->len -= len;
}

static void put_in(struct shared *out, size_t at, const void *bytes, size_t len)
{
	if (len > INPUT_MAX - out->len || len == 0)
		return;
	memmove(out->bytes + at + len, out->bytes + at, out->len - at);
	memcpy(out->bytes + at, bytes, len);
	out->len += len;
}

static bool is_word(unsigned char byte)
{
	return (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
	       (byte >= 'a' && byte <= 'z') || byte == '.' || byte == '-' || byte >= 0x80;
}

/* A word, a number or one other byte around a random place. */
static void find_token(struct maker *maker, const unsigned char *bytes, size_t len, size_t *from,
		       size_t *to)
{
	*from = *to = below(maker, len);
	if (*to < len)
		++*to;
	if (*from == len || !is_word(bytes[*from]))
		return;
	while (*from > 0 && is_word(bytes[*from - 1]))
		--*from;
	while (*to < len && is_word(bytes[*to]))
		++*to;
}

static const struct input *any_input(struct maker *maker)
{
	static const struct input none = { 0 };
	const struct corpus *corpus = maker->corpus;

	return corpus->count ? &corpus->inputs[below(maker, corpus->count)] : &none;
}

static void change_byte(struct maker *maker)
{
	static const unsigned char telling[] = "\0\t\n\r\x1b\x7f\x80\x9b\xc2\xe2\xff\"\\{}[],:;-0";
	struct shared *out = maker->out;
	size_t at = below(maker, out->len);

	if (out->len == 0)
		return;
	if (below(maker, 2))
		out->bytes[at] = telling[below(maker, sizeof(telling) - 1)];
	else
		out->bytes[at] ^= (unsigned char)(1u << below(maker, 8));
}

static void change_token(struct maker *maker)
{
	const struct input *other = any_input(maker);
	size_t from, to, other_from, other_to;

	find_token(maker, maker->out->bytes, maker->out->len, &from, &to);
	find_token(maker, other->bytes, other->len, &other_from, &other_to);
	cut_out(maker->out, from, to - from);
	if (other->bytes)
		put_in(maker->out, from, other->bytes + other_from, other_to - other_from);
}

static void put_telling_text(struct maker *maker)
{
	static const char *const texts[] = { "-1",
					     "0",
					     "9223372036854775807",
					     "-9223372036854775808",
					     "9007199254740993",
					     "1e308",
					     "253402300800000",
					     "null",
					     "\"\"",
					     "[]",
					     "{}",
					     "\\u0000",
					     "\\u001b",
					     "\\ud800",
					     "\x1b[31m",
					     "\x1b[200~",
					     "\xc2\x9b",
					     "\xe2\x80\xae",
					     "\xef\xbb\xbf",
					     "\xf0\x9f\x92\xa9",
					     "\r\n" };
	const char *text = texts[below(maker, ARRAY_LEN(texts))];
	size_t from, to;

	find_token(maker, maker->out->bytes, maker->out->len, &from, &to);
	if (below(maker, 2))
		cut_out(maker->out, from, to - from);
	put_in(maker->out, from, text, strlen(text));
}

static void put_run(struct maker *maker)
{
	unsigned char run[LONG_RUN];
	size_t at = below(maker, maker->out->len);

	memset(run, maker->out->len ? maker->out->bytes[at] : 'a', sizeof(run));
	put_in(maker->out, at, run, 1 + below(maker, sizeof(run)));
}

/* A piece of this or another input, again somewhere. */
static void put_piece(struct maker *maker)
{
	const struct input *other = any_input(maker);
	size_t from = below(maker, other->len);

	if (other->len)
		put_in(maker->out, below(maker, maker->out->len + 1), other->bytes + from,
		       1 + below(maker, other->len - from));
}

static void mutate(struct maker *maker)
{
	struct shared *out = maker->out;
	size_t at = below(maker, out->len);

	switch (below(maker, 8)) {
	case 0:
		cut_out(out, at, 1 + below(maker, 32));
		break;
	case 1:
		put_piece(maker);
		break;
	case 2:
		put_telling_text(maker);
		break;
	case 3:
		put_run(maker);
		break;
	case 4:
		if (below(maker, 8) == 0)
			out->len = at;
		break;
	case 5:
		change_byte(maker);
		break;
	default:
		change_token(maker);
	}
}

static void make_input(struct maker *maker)
{
	const struct input *base = any_input(maker);

	maker->out->len = base->len;
	if (base->len)
		memcpy(maker->out->bytes, base->bytes, base->len);
	for (size_t left = (size_t)1 << below(maker, 5); left > 0; left--)
		mutate(maker);
}

/* the two processes */

static time_t now_s(void)
{
	struct timespec now;

	return clock_gettime(CLOCK_MONOTONIC, &now) == 0 ? now.tv_sec : 0;
}

static void run_one(struct shared *shared)
{
	/* A copy of the exact size, so that a read past the end is seen. */
	unsigned char *copy = malloc(shared->len ? shared->len : 1);

	assert(copy);
	memcpy(copy, shared->bytes, shared->len);
	(void)LLVMFuzzerTestOneInput(copy, shared->len);
	free(copy);
	shared->runs++;
}

static void run_all(const struct options *options, struct corpus *corpus, struct shared *shared)
{
	/* Spread, so that seeds beside each other have nothing in common; never 0. */
	uint64_t state = (2 * options->seed + 1) * UINT64_C(0x9E3779B97F4A7C15);
	struct maker maker = { .state = state, .corpus = corpus, .out = shared };
	time_t start = now_s(), last = start;

	(void)alarm(HANG_S);
	for (size_t i = 0; i < corpus->count; i++) {
		shared->path = corpus->inputs[i].path;
		shared->len = corpus->inputs[i].len;
		memcpy(shared->bytes, corpus->inputs[i].bytes, shared->len);
		run_one(shared);
	}
	shared->path = NULL;
	while (last - start < (time_t)options->seconds) {
		make_input(&maker);
		run_one(shared);
		if (now_s() != last)
			(void)alarm(HANG_S);
		last = now_s();
	}
	for (size_t i = 0; i < corpus->count; i++) {
		free(corpus->inputs[i].path);
		free(corpus->inputs[i].bytes);
	}
	shared->done = true;
}

static void save(const struct options *options, const struct shared *shared, const char *program)
{
	char path[1024];
	int len = snprintf(path, sizeof(path), "%scrash-%llu-%lu", options->prefix,
			   (unsigned long long)options->seed, shared->runs);
	FILE *file = len > 0 && (size_t)len < sizeof(path) ? fopen(path, "wb") : NULL;

	if (file && fwrite(shared->bytes, 1, shared->len, file) == shared->len && fclose(file) == 0)
		(void)fprintf(stderr, "the input of %zu bytes is saved; again: %s %s\n",
			      shared->len, program, path);
	else
		(void)fprintf(stderr, "the input cannot be saved as %s\n", path);
}

static int tell(const struct options *options, const struct shared *shared, int status,
		const char *program)
{
	if (status == 0) {
		(void)printf("stat::number_of_executed_units: %lu\n", shared->runs);
		return 0;
	}
	(void)fprintf(stderr, "%s %s run %lu, seed %llu\n",
		      WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "the child ended",
		      shared->done ? "after" : "in", shared->runs,
		      (unsigned long long)options->seed);
	if (shared->path)
		(void)fprintf(stderr, "the input is %s\n", shared->path);
	else if (!shared->done)
		save(options, shared, program);
	return 1;
}

static const char *value_of(const char *argument, const char *name)
{
	size_t len = strlen(name);

	return strncmp(argument, name, len) == 0 ? argument + len : NULL;
}

int main(int argc, char **argv)
{
	static struct corpus corpus;
	struct options options = { .seed = 1, .prefix = "" };
	struct shared *shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
				     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status = 0;

	assert(shared != MAP_FAILED);
	for (int i = 1; i < argc; i++) {
		const char *seconds = value_of(argv[i], "-max_total_time=");
		const char *seed = value_of(argv[i], "-seed=");
		const char *prefix = value_of(argv[i], "-artifact_prefix=");

		if (seconds)
			options.seconds = (unsigned)strtoul(seconds, NULL, 10);
		else if (seed)
			options.seed = strtoull(seed, NULL, 10);
		else if (prefix)
			options.prefix = prefix;
		else if (argv[i][0] != '-')
			read_path(&corpus, argv[i]);
	}
	pid_t child = fork();
	assert(child >= 0);
	if (child == 0) {
		run_all(&options, &corpus, shared);
		return 0;
	}
	assert(waitpid(child, &status, 0) == child);
	return tell(&options, shared, status, argv[0]);
}
