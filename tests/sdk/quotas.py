"""boto3's client of Service Quotas against the region: its answers and refusals by botocore's model.

Argument: the region's URL. Prints one line a case; ends with 1 at the first that fails. Run by
boto3.test.mjs."""

import sys

import boto3

P5, M5 = "L-82E1C851", "L-CCE2AFA6"  # for training: of ml.p5.48xlarge, of ml.m5.xlarge
client = boto3.client(
    "service-quotas",
    endpoint_url=sys.argv[1],
    region_name="us-east-1",
    aws_access_key_id="AKIDSIM",
    aws_secret_access_key="simsecret",
)


def case(what, fine):
    print(("ok " if fine else "failed ") + what)
    if not fine:
        sys.exit(1)


def refusal(error, call, **arguments):
    """The message of a refusal that is that one of the model's, else None."""
    try:
        call(ServiceCode="sagemaker", **arguments)
    except getattr(client.exceptions, error) as why:
        return why.response["Error"]["Message"]
    return None


quota = client.get_service_quota(ServiceCode="sagemaker", QuotaCode=P5)["Quota"]
case("a limit", quota["Value"] == 16.0 and quota["QuotaName"] == "ml.p5.48xlarge for training job usage")
case("its ARN", quota["QuotaArn"] == f"arn:aws:servicequotas:us-east-1:111122223333:sagemaker/{P5}")
case("none of its own", refusal("NoSuchResourceException", client.get_service_quota, QuotaCode=M5))
default = client.get_aws_default_service_quota(ServiceCode="sagemaker", QuotaCode=M5)["Quota"]
case("a default", default["Value"] == 16.0 and default["Adjustable"] and not default["GlobalQuota"])
raised = client.request_service_quota_increase(
    ServiceCode="sagemaker", QuotaCode=P5, DesiredValue=24, SupportCaseAllowed=False
)["RequestedQuota"]
case("a raise", raised["Status"] == "PENDING" and raised["DesiredValue"] == 24.0 and raised["Created"].year > 2020)
again = client.request_service_quota_increase
case("one at a time", refusal("ResourceAlreadyExistsException", again, QuotaCode=P5, DesiredValue=32))
case("more than now", refusal("IllegalArgumentException", again, QuotaCode=M5, DesiredValue=3))
