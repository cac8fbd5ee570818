/* The region's STS: who is who, the keys of roles, their end, and how each refusal is worded. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "model/base/attr.h"
#include "tests/simaccess.h"

#define ROLE(name)    "&RoleArn=arn%3Aaws%3Aiam%3A%3A111122223333%3Arole%2F" name
#define SESSION       "&RoleSessionName=me%40night"
#define ASSUME        "Action=AssumeRole&Version=2011-06-15" SESSION
#define ASSUME_WEB    "Action=AssumeRoleWithWebIdentity&Version=2011-06-15" SESSION
#define GET_IDENTITY  "Action=GetCallerIdentity&Version=2011-06-15"
#define INVALID_CODE  "MultiFactorAuthentication failed with invalid MFA one time pass code"
#define INVALID_TOKEN "The security token included in the request is invalid."

static struct simkeys assume(struct simregion *sim, const struct simkeys *keys, const char *form)
{
	if (simaccess_sts(sim, keys, form) != 200)
		fail_msg("%s: %s", form, simregion_body(sim));
	return simaccess_xml_keys(sim);
}

static void identity__is__of_who_signed(void **state)
{
	struct simregion *sim = simaccess_new();
	struct simkeys own = simaccess_own_keys();
	(void)state;
	assert_int_equal(simaccess_sts(sim, &own, GET_IDENTITY), 200);
	simaccess_wants(sim, 200,
			"<GetCallerIdentityResponse xmlns=\"https://sts.amazonaws.com/"
			"doc/2011-06-15/\">*<Arn>arn:aws:iam::111122223333:user/sim</"
			"Arn>*<UserId>AIDA*<Account>111122223333</Account>");
	assert_string_equal(sim->answer.content_type, "text/xml");
	assert_non_null(strstr(simregion_body(sim), sim->answer.request_id));
	struct simkeys role =
		assume(sim, &own, ASSUME "&RoleArn=arn:aws:iam::999988887777:role%2Fteam%2Fdev");
	simaccess_wants(sim, 200,
			"<AssumedRoleId>AROA*:me@night</"
			"AssumedRoleId><Arn>arn:aws:sts::999988887777:assumed-role/dev/"
			"me@night</Arn>*<Expiration>2026-11-30T21:48:08Z</Expiration>");
	assert_int_equal(strncmp(role.access_key, "ASIA", 4), 0);
	simaccess_sts(sim, &role, GET_IDENTITY);
	simaccess_wants(sim, 200,
			"assumed-role/dev/me@night</Arn>*<Account>999988887777</Account>");
	simregion_free(sim);
}

static void keys_of_a_role__are_good_for_jobs__until_they_end(void **state)
{
	struct simregion *sim = simaccess_new();
	struct simkeys own = simaccess_own_keys();
	(void)state;
	struct simkeys role = assume(sim, &own, ASSUME ROLE("dev") "&DurationSeconds=900");
	simaccess_wants(sim, 200, "<Expiration>2026-11-30T21:03:08Z<");
	assert_string_equal(simaccess_code(sim, &role), "ResourceNotFound");
	simregion_pass(sim, 899999);
	assert_string_equal(simaccess_code(sim, &role), "ResourceNotFound");
	simregion_pass(sim, 1);
	assert_string_equal(simaccess_code(sim, &role), "ExpiredTokenException");
	simaccess_wants(sim, 400, "The security token included in the request is expired");
	simaccess_sts(sim, &role, GET_IDENTITY);
	simaccess_wants(sim, 403,
			"<Type>Sender</Type><Code>ExpiredToken</Code>*is expired</Message>");
	assert_string_equal(simaccess_code(sim, &own), "ResourceNotFound");
	simregion_free(sim);
}

static void keys__want__their_own_token(void **state)
{
	struct simregion *sim = simaccess_new();
	struct simkeys own = simaccess_own_keys();
	(void)state;
	struct simkeys a = assume(sim, &own, ASSUME ROLE("dev"));
	struct simkeys b = assume(sim, &own, ASSUME ROLE("dev"));
	assert_string_not_equal(a.access_key, b.access_key);
	struct simkeys wrong[] = { a, a, own, a };
	wrong[0].session_token[0] = '\0';
	memcpy(wrong[1].session_token, b.session_token, sizeof(b.session_token));
	memcpy(wrong[2].session_token, b.session_token, sizeof(b.session_token));
	memcpy(wrong[3].access_key, "ASIA000", sizeof("ASIA000"));
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
		assert_string_equal(simaccess_code(sim, &wrong[i]), "UnrecognizedClientException");
		simaccess_wants(sim, 400, INVALID_TOKEN);
		simaccess_sts(sim, &wrong[i], GET_IDENTITY);
		simaccess_wants(sim, 403, "<Code>InvalidClientTokenId</Code>*" INVALID_TOKEN);
	}
	memcpy(a.secret_key, "no", 3);
	assert_string_equal(simaccess_code(sim, &a), "InvalidSignatureException");
	simaccess_sts(sim, &a, GET_IDENTITY);
	simaccess_wants(sim, 403, "<Code>SignatureDoesNotMatch</Code>");
	simaccess_sts(sim, NULL, GET_IDENTITY);
	simaccess_wants(sim, 403, "<Code>MissingAuthenticationToken</Code>");
	simregion_free(sim);
}

static void role__wants_a_code__where_its_name_says_so(void **state)
{
	struct simregion *sim = simaccess_new();
	struct simkeys own = simaccess_own_keys();
	(void)state;
	simaccess_sts(sim, &own, ASSUME ROLE("mfa-dev"));
	simaccess_wants(sim, 403, "<Code>AccessDenied</Code>*is not authorized to perform: ");
	simaccess_sts(sim, &own, ASSUME ROLE("mfa-dev") "&SerialNumber=arn:aws:iam::1:mfa/me");
	simaccess_wants(sim, 403, "must provide both");
	simaccess_sts(sim, &own,
		      ASSUME ROLE(
			      "mfa-dev") "&SerialNumber=arn:aws:iam::1:mfa/me&TokenCode=123455");
	simaccess_wants(sim, 403, "<Code>AccessDenied</Code>*" INVALID_CODE);
	assume(sim, &own,
	       ASSUME ROLE("mfa-dev") "&SerialNumber=arn:aws:iam::1:mfa/me&TokenCode=123456");
	simaccess_control(sim, "/_sim/credentials", "{\"mfa\":\"000042\"}");
	/* A code that is given is looked at, whatever the role's name. */
	simaccess_sts(sim, &own,
		      ASSUME ROLE("dev") "&SerialNumber=arn:aws:iam::1:mfa/me&TokenCode=123456");
	simaccess_wants(sim, 403, INVALID_CODE);
	assume(sim, &own,
	       ASSUME ROLE("dev") "&SerialNumber=arn:aws:iam::1:mfa/me&TokenCode=000042");
	assert_int_equal(simregion_control(sim, "/_sim/credentials", "{\"mfa\":\"12345\"}"), 400);
	simregion_free(sim);
}

static void role__is_denied__by_its_name(void **state)
{
	struct simregion *sim = simaccess_new();
	struct simkeys own = simaccess_own_keys();
	(void)state;
	simaccess_sts(sim, &own, ASSUME ROLE("denied-dev"));
	simaccess_wants(sim, 403,
			"<Code>AccessDenied</Code>*<Message>User: "
			"arn:aws:iam::111122223333:user/sim is not authorized to "
			"perform: sts:AssumeRole on resource: "
			"arn:aws:iam::111122223333:role/denied-dev</Message>");
	simaccess_sts(sim, NULL, ASSUME_WEB ROLE("denied-dev") "&WebIdentityToken=a.b.c");
	simaccess_wants(sim, 403,
			"<Code>AccessDenied</Code>*Not authorized to perform "
			"sts:AssumeRoleWithWebIdentity");
	simregion_free(sim);
}

static void chain__lasts__an_hour_at_most(void **state)
{
	struct simregion *sim = simaccess_new();
	struct simkeys own = simaccess_own_keys();
	(void)state;
	struct simkeys first = assume(sim, &own, ASSUME ROLE("a") "&DurationSeconds=43200");
	simaccess_wants(sim, 200, "<Expiration>2026-12-01T08:48:08Z<");
	simaccess_sts(sim, &first, ASSUME ROLE("b") "&DurationSeconds=3601");
	simaccess_wants(sim, 400,
			"<Code>ValidationError</Code>*exceeds the 1 hour session limit for roles "
			"assumed by role chaining");
	struct simkeys second = assume(sim, &first, ASSUME ROLE("b") "&DurationSeconds=3600");
	assert_string_equal(simaccess_code(sim, &second), "ResourceNotFound");
	simregion_free(sim);
}

static void web_identity__opens__a_role_unsigned(void **state)
{
	struct simregion *sim = simaccess_new();
	(void)state;
	simaccess_sts(sim, NULL, ASSUME_WEB ROLE("pod") "&WebIdentityToken=eyJ.e-_0.sig");
	simaccess_wants(sim, 200,
			"<AssumeRoleWithWebIdentityResult>*assumed-role/pod/me@night</Arn>");
	struct simkeys keys = simaccess_xml_keys(sim);
	assert_string_equal(simaccess_code(sim, &keys), "ResourceNotFound");
	simaccess_sts(sim, NULL, ASSUME_WEB ROLE("pod") "&WebIdentityToken=eyJ.expired.sig");
	simaccess_wants(sim, 400, "<Code>ExpiredTokenException</Code>*Token expired: ");
	simaccess_sts(sim, NULL, ASSUME_WEB ROLE("pod") "&WebIdentityToken=no-jwt");
	simaccess_wants(sim, 400, "<Code>InvalidIdentityToken</Code>");
	simregion_free(sim);
}

static const struct {
	const char *form, *message;
} refused[] = {
	{ "Action=AssumeRole" SESSION, "Value null at 'roleArn'" },
	{ "Action=AssumeRole" ROLE("dev"), "Value null at 'roleSessionName'" },
	{ "Action=AssumeRole&RoleArn=arn%3Aaws" SESSION,
	  "Value 'arn:aws' at 'roleArn' failed to satisfy constraint: Member must have length "
	  "greater than or equal to 20" },
	{ ASSUME "&RoleArn=arn:aws:iam::11112222333:role/dev",
	  "arn:aws:iam::11112222333:role/dev is invalid" },
	{ ASSUME "&RoleArn=arn:aws:iam::111122223333:user/dev", "is invalid" },
	{ ASSUME "&RoleArn=arn:aws:iam::111122223333:role/", "is invalid" },
	{ "Action=AssumeRole&RoleSessionName=a" ROLE("dev"), "greater than or equal to 2" },
	{ "Action=AssumeRole&RoleSessionName=a+b" ROLE("dev"),
	  "Value 'a b' at 'roleSessionName' failed to satisfy constraint: Member must satisfy "
	  "regular expression pattern: [\\w+=,.@-]*" },
	{ ASSUME ROLE("dev") "&DurationSeconds=899",
	  "Value '899' at 'durationSeconds' failed to satisfy constraint: Member must have value "
	  "greater than or equal to 900" },
	{ ASSUME ROLE("dev") "&DurationSeconds=43201", "less than or equal to 43200" },
	{ ASSUME ROLE("dev") "&DurationSeconds=1h", "at 'durationSeconds'" },
	{ ASSUME ROLE("dev") "&ExternalId=x", "at 'externalId'" },
	{ ASSUME ROLE("dev") "&SerialNumber=123456789&TokenCode=12345a", "at 'tokenCode'" },
	{ ASSUME ROLE("dev") "&SerialNumber=me", "at 'serialNumber'" },
	{ ASSUME_WEB ROLE("dev"), "Value null at 'webIdentityToken'" },
	{ ASSUME ROLE("a%3Cb"), "is invalid" },
};

static void wrong_arguments__are__named(void **state)
{
	struct simregion *sim = simaccess_new();
	struct simkeys own = simaccess_own_keys();
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(refused); i++) {
		simaccess_sts(sim, &own, refused[i].form);
		simaccess_wants(sim, 400, "<Code>ValidationError</Code>");
		simaccess_wants(sim, 400, refused[i].message);
	}
	simaccess_sts(sim, &own, "Action=GetFederationToken&Version=2011-06-15");
	simaccess_wants(sim, 400, "<Code>InvalidAction</Code>*GetFederationToken");
	simaccess_sts(sim, &own, "Action=Describe%3Cb%3E");
	simaccess_wants(sim, 400, "Describe&lt;b&gt;");
	simregion_free(sim);
}

static void lifetime__is_set__for_what_comes(void **state)
{
	struct simregion *sim = simaccess_new();
	struct simkeys own = simaccess_own_keys();
	(void)state;
	simaccess_control(sim, "/_sim/credentials", "{\"seconds\":5}");
	struct simkeys brief = assume(sim, &own, ASSUME ROLE("dev") "&DurationSeconds=900");
	simaccess_wants(sim, 200, "<Expiration>2026-11-30T20:48:13Z<");
	simaccess_control(sim, "/_sim/credentials", "{\"seconds\":0}");
	struct simkeys lasting = assume(sim, &own, ASSUME ROLE("dev"));
	simaccess_control(sim, "/_sim/advance", "{\"seconds\":5}");
	assert_string_equal(simaccess_code(sim, &brief), "ExpiredTokenException");
	assert_string_equal(simaccess_code(sim, &lasting), "ResourceNotFound");
	simaccess_control(sim, "/_sim/credentials", "{\"expire\":true}");
	assert_string_equal(simaccess_code(sim, &lasting), "ExpiredTokenException");
	struct simkeys later = assume(sim, &own, ASSUME ROLE("dev"));
	assert_string_equal(simaccess_code(sim, &later), "ResourceNotFound");
	assert_int_equal(simregion_control(sim, "/_sim/credentials", "{\"seconds\":-1}"), 400);
	simregion_free(sim);
}

static void fault__befalls__sts_too(void **state)
{
	struct simregion *sim = simaccess_new();
	struct simkeys own = simaccess_own_keys();
	(void)state;
	simaccess_control(sim, "/_sim/fault",
			  "{\"operation\":\"AssumeRole\",\"code\":\"Throttling\"}");
	simaccess_control(sim, "/_sim/fault", "{\"operation\":\"AssumeRole\",\"status\":503}");
	simaccess_sts(sim, &own, ASSUME ROLE("dev"));
	simaccess_wants(sim, 400, "<Code>Throttling</Code><Message>Rate exceeded</Message>");
	simaccess_sts(sim, &own, ASSUME ROLE("dev"));
	simaccess_wants(sim, 503, "<Type>Receiver</Type><Code>ServiceUnavailable</Code>");
	assume(sim, &own, ASSUME ROLE("dev"));
	simregion_control(sim, "/_sim/state", NULL);
	simaccess_wants(sim, 200,
			"\"GetCallerIdentity\":{\"ok\":0,\"throttled\":0,\"failed\":0}*"
			"\"AssumeRole\":{\"ok\":1,\"throttled\":1,\"failed\":1}");
	simregion_free(sim);
}

/* The oldest of very many is forgotten; the others are not. */
static void keys__are_remembered__up_to_a_number(void **state)
{
	struct simregion *sim = simaccess_new();
	struct simkeys own = simaccess_own_keys();
	(void)state;
	struct simkeys first = assume(sim, &own, ASSUME ROLE("dev"));
	struct simkeys second = assume(sim, &own, ASSUME ROLE("dev"));
	for (size_t i = 1; i < SIM_KEYS_MAX; i++)
		(void)assume(sim, &own, ASSUME ROLE("dev"));
	assert_string_equal(simaccess_code(sim, &first), "UnrecognizedClientException");
	assert_string_equal(simaccess_code(sim, &second), "ResourceNotFound");
	simregion_free(sim);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(identity__is__of_who_signed),
		cmocka_unit_test(keys_of_a_role__are_good_for_jobs__until_they_end),
		cmocka_unit_test(keys__want__their_own_token),
		cmocka_unit_test(role__wants_a_code__where_its_name_says_so),
		cmocka_unit_test(role__is_denied__by_its_name),
		cmocka_unit_test(chain__lasts__an_hour_at_most),
		cmocka_unit_test(web_identity__opens__a_role_unsigned),
		cmocka_unit_test(wrong_arguments__are__named),
		cmocka_unit_test(lifetime__is_set__for_what_comes),
		cmocka_unit_test(fault__befalls__sts_too),
		cmocka_unit_test(keys__are_remembered__up_to_a_number),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
