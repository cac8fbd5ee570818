/*
 * What the libraries alone cost: lists the jobs of a region that wants no signatures, page by
 * page, and keeps the replies. The benchmarks hold gpuq beside it.
 *
 *   bare list URL     prints how many jobs there are
 *   bare screen URL   draws their names, and stays until its input ends
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cjson/cJSON.h>
#include <curl/curl.h>
#include <curses.h>
#include <expat.h>
#include <openssl/sha.h>
#include <sqlite3.h>

#define PAGES_MAX 200

struct reply {
	char *bytes;
	size_t len;
};

struct listing {
	CURL *curl;
	const char *url;
	cJSON *pages[PAGES_MAX];
	size_t page_count, job_count;
};

static size_t take(char *bytes, size_t size, size_t count, void *to)
{
	struct reply *reply = to;
	char *more = realloc(reply->bytes, reply->len + size * count + 1);

	if (!more)
		return 0;
	reply->bytes = more;
	memcpy(more + reply->len, bytes, size * count);
	reply->len += size * count;
	more[reply->len] = '\0';
	return size * count;
}

static cJSON *call(struct listing *listing, const char *operation, const char *body)
{
	char target[64];
	struct reply reply = { 0 };
	struct curl_slist *headers = NULL;
	cJSON *page = NULL;

	snprintf(target, sizeof(target), "X-Amz-Target: SageMaker.%s", operation);
	headers = curl_slist_append(headers, target);
	headers = curl_slist_append(headers, "Content-Type: application/x-amz-json-1.1");
	curl_easy_setopt(listing->curl, CURLOPT_URL, listing->url);
	curl_easy_setopt(listing->curl, CURLOPT_HTTPHEADER, headers);
	curl_easy_setopt(listing->curl, CURLOPT_POSTFIELDS, body);
	curl_easy_setopt(listing->curl, CURLOPT_WRITEFUNCTION, take);
	curl_easy_setopt(listing->curl, CURLOPT_WRITEDATA, &reply);
	if (curl_easy_perform(listing->curl) == CURLE_OK && reply.bytes)
		page = cJSON_Parse(reply.bytes);
	curl_slist_free_all(headers);
	free(reply.bytes);
	return page;
}

/* All pages of one operation; false if one is missing. */
static bool list(struct listing *listing, const char *operation, const char *member)
{
	char token[2048] = "", body[2200];

	do {
		snprintf(body, sizeof(body), "{\"MaxResults\":100%s%s%s}",
			 *token ? ",\"NextToken\":\"" : "", token, *token ? "\"" : "");
		cJSON *page = call(listing, operation, body);
		const cJSON *jobs = cJSON_GetObjectItemCaseSensitive(page, member);
		const char *next =
			cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(page, "NextToken"));
		if (!cJSON_IsArray(jobs) || listing->page_count == PAGES_MAX)
			return false;
		listing->job_count += (size_t)cJSON_GetArraySize(jobs);
		listing->pages[listing->page_count++] = page;
		snprintf(token, sizeof(token), "%s", next ? next : "");
	} while (*token);
	return true;
}

/* The other libraries, begun as gpuq has them. */
static bool begin_others(void)
{
	unsigned char digest[SHA256_DIGEST_LENGTH];
	sqlite3 *store = NULL;
	XML_Parser parser = XML_ParserCreate(NULL);
	bool begun =
		parser && SHA256((const unsigned char *)"", 0, digest) &&
		sqlite3_open(":memory:", &store) == SQLITE_OK &&
		sqlite3_exec(store, "create table jobs (name text)", NULL, NULL, NULL) == SQLITE_OK;

	XML_ParserFree(parser);
	return begun;
}

static void show(const struct listing *listing)
{
	int y = 0;

	(void)initscr();
	for (size_t i = 0; i < listing->page_count && y < LINES - 1; i++) {
		const cJSON *job;
		cJSON_ArrayForEach(job, listing->pages[i]->child)
		{
			const char *name = cJSON_GetStringValue(job->child);
			if (y < LINES - 1)
				(void)mvaddnstr(y++, 0, name ? name : "?", COLS);
		}
	}
	(void)mvprintw(LINES - 1, 0, "%zu jobs", listing->job_count);
	(void)refresh();
	while (getch() != ERR)
		;
	(void)endwin();
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	bool on_screen = strcmp(argv[1], "screen") == 0;
	struct listing listing = { .curl = curl_easy_init(), .url = argv[2] };
	if (!listing.curl || (on_screen && !begin_others()) ||
	    !list(&listing, "ListTrainingJobs", "TrainingJobSummaries") ||
	    !list(&listing, "ListProcessingJobs", "ProcessingJobSummaries")) {
		fprintf(stderr, "bare: no answer from %s\n", argv[2]);
		return 1;
	}
	if (on_screen)
		show(&listing);
	else
		printf("%zu\n", listing.job_count);
	curl_easy_cleanup(listing.curl);
	return 0;
}
