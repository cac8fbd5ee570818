#include "model/regions.h"

#include <stddef.h>
#include <string.h>

#define LETTERS "abcdefghijklmnopqrstuvwxyz"
#define DIGITS  "0123456789"

const char *const region_names[] = {
	"us-east-1",      "us-east-2",      "us-west-1",      "us-west-2",      "af-south-1",
	"ap-east-1",      "ap-east-2",      "ap-northeast-1", "ap-northeast-2", "ap-northeast-3",
	"ap-south-1",     "ap-south-2",     "ap-southeast-1", "ap-southeast-2", "ap-southeast-3",
	"ap-southeast-4", "ap-southeast-5", "ap-southeast-6", "ap-southeast-7", "ca-central-1",
	"ca-west-1",      "eu-central-1",   "eu-central-2",   "eu-north-1",     "eu-south-1",
	"eu-south-2",     "eu-west-1",      "eu-west-2",      "eu-west-3",      "il-central-1",
	"me-central-1",   "me-south-1",     "mx-central-1",   "sa-east-1",      "cn-north-1",
	"cn-northwest-1", "us-gov-east-1",  "us-gov-west-1",  "eusc-de-east-1", NULL,
};

bool region_has_form(const char *text)
{
	size_t words = 0;
	for (;;) {
		size_t letters = strspn(text, LETTERS);
		if (letters == 0 || text[letters] != '-')
			break;
		text += letters + 1;
		words++;
	}
	size_t digits = strspn(text, DIGITS);
	return words >= 2 && (digits == 1 || digits == 2) && text[digits] == '\0';
}
