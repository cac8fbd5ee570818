#include "model/need.h"

#include <stdio.h>
#include <string.h>

void need_say_why(const struct err *err, char why[NEED_WHY_SIZE])
{
	if (err->code == ERR_DENIED)
		(void)snprintf(why, NEED_WHY_SIZE, "denied sagemaker:%.*s",
			       (int)strcspn(err->subject, " "), err->subject);
	else
		(void)snprintf(why, NEED_WHY_SIZE, "%s", err_word(err->code));
}
