/*
 * The Price List Query API, for what SageMaker's instances cost by the hour: one page of
 * GetProducts, and which of its rows are prices that a job is billed by. Source: facts and traps of
 * data/catalog-notes.md, Price List Query API.
 */
#ifndef GPUQ_PRICING_H
#define GPUQ_PRICING_H

#include "aws/client.h"
#include "model/price_book.h"

#define PRICING_PAGE_MAX 100 /* the service's limit */

extern const struct aws_op op_get_products;
/* All of them, NULL at the end: a test walks them. */
extern const struct aws_op *const pricing_ops[];

struct price_page {
	struct listed_price *rows; /* owned: those that are prices of the kind in the region */
	size_t count, capacity;
	char *next_token; /* owned; NULL: it is the last page */
};
void price_page_release(struct price_page *page);

/* page NULL with an error. What done takes out of the page is its own. */
typedef void price_page_fn(void *ctx, struct price_page *page, const struct err *err);
/* A page of the list of a kind of job in a region, which is another thing than the client's; token
 * NULL: the first. */
uint64_t pricing_get_products(struct aws_client *client, const char *region, enum job_kind kind,
			      const char *token, price_page_fn *done, void *ctx);

/*
 * Decodes a page (for tests and fuzzing too). Rows that a job of the kind is not billed by are left
 * out: fees of plans, HyperPod's, warm pools, spot, free ones, of other units, of no price, of
 * another region. A row that is no JSON makes the whole page none (ERR_PARSE), since a list with a
 * gap would say of a type that it is not sold.
 */
bool pricing_decode_page(const char *body, size_t len, const char *region, enum job_kind kind,
			 struct price_page *page, struct err *err) MUST_CHECK;

#endif
