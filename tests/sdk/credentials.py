"""boto3's chain of credential providers against the region's stand-ins.

Argument: the region's URL. HOME is a folder to write in. Prints one line a case; ends with 1 at the
first that fails. Run by boto3.test.mjs."""

import hashlib
import json
import os
import sys
import urllib.request
from pathlib import Path

import boto3
import botocore.credentials
import botocore.exceptions
import botocore.session

URL, FOLDER = sys.argv[1], Path.home()
SESSION = "arn:aws:iam::111122223333:user/sim"
CONFIG = f"""
[profile base]
aws_access_key_id = AKIDSIM
aws_secret_access_key = simsecret
[profile role]
role_arn = arn:aws:iam::111122223333:role/dev
source_profile = base
duration_seconds = 1800
[profile mfa]
role_arn = arn:aws:iam::111122223333:role/mfa-dev
source_profile = base
mfa_serial = arn:aws:iam::111122223333:mfa/me
[profile sso]
sso_session = ops
sso_account_id = 111122223333
sso_role_name = Admin
[sso-session ops]
sso_region = us-east-1
sso_start_url = https://sim.awsapps.com/start
[profile login]
login_session = {SESSION}
"""


class Unknown(Exception):
    """This botocore is too old for it."""


def control(path, **body):
    request = urllib.request.Request(f"{URL}/_sim/{path}", json.dumps(body).encode(), method="POST")
    return json.load(urllib.request.urlopen(request))


def calls(operation):
    return json.load(urllib.request.urlopen(f"{URL}/_sim/state"))["calls"][operation]["ok"]


def arrange(**env):
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        del os.environ[name]
    os.environ |= {
        "AWS_CONFIG_FILE": str(FOLDER / "config"),
        "AWS_SHARED_CREDENTIALS_FILE": str(FOLDER / "none"),
        "AWS_ENDPOINT_URL": URL,
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_MAX_ATTEMPTS": "1",
    } | env


def identity(code=None, **env):
    """Who the keys act as, once they have been good for a call about jobs too."""
    arrange(**env)
    core = botocore.session.get_session()
    if code:
        provider = core.get_component("credential_provider").get_provider("assume-role")
        provider._prompter = lambda _: code
    session = boto3.session.Session(botocore_session=core)
    try:
        session.client("sagemaker").describe_training_job(TrainingJobName="none")
    except botocore.exceptions.ClientError as error:
        if error.response["Error"]["Code"] != "ResourceNotFound":
            raise
    return session.client("sts").get_caller_identity()["Arn"]


def fails(code, ask):
    try:
        ask()
    except Exception as error:
        said = getattr(error, "response", {}).get("Error", {}).get("Code", type(error).__name__)
        assert said == code, f"{said}, not {code}: {error}"
        return
    raise AssertionError(f"no {code}")


def cache(folder, name, hash, **body):
    path = FOLDER / ".aws" / folder / f"{hash(name.encode()).hexdigest()}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(control("login", **body)))
    return path


def sso(**body):
    return cache("sso/cache", "ops", hashlib.sha1, kind="sso", **body)


def login(**body):
    return cache("login/cache", SESSION, hashlib.sha256, kind="login", **body)


def a_role():
    assert ":assumed-role/dev/botocore-session-" in identity(AWS_PROFILE="role")


def a_role_with_mfa():
    assert ":assumed-role/mfa-dev/" in identity(code="123456", AWS_PROFILE="mfa")
    fails("AccessDenied", lambda: identity(code="111111", AWS_PROFILE="mfa"))


def a_web_identity():
    token = FOLDER / "token"
    env = {"AWS_WEB_IDENTITY_TOKEN_FILE": str(token), "AWS_ROLE_ARN": "arn:aws:iam::111122223333:role/pod"}
    token.write_text("eyJ.eyJ.c2ln")
    assert ":assumed-role/pod/" in identity(**env)
    token.write_text("eyJ.expired.c2ln")
    fails("ExpiredTokenException", lambda: identity(**env))


def a_login_by_sso():
    path = sso(seconds=200)
    old = json.loads(path.read_text())
    assert ":assumed-role/AWSReservedSSO_Admin/" in identity(AWS_PROFILE="sso")
    renewed = json.loads(path.read_text())
    assert renewed["accessToken"] != old["accessToken"], "the token was not renewed"
    control("login", kind="sso", expire=True)
    fails("UnauthorizedSSOTokenError", lambda: identity(AWS_PROFILE="sso"))


def a_login_by_aws_login():
    if not hasattr(botocore.credentials, "LoginProvider"):
        raise Unknown(f"not known to botocore {botocore.__version__}")
    path = login(seconds=200)
    old = json.loads(path.read_text())
    assert identity(AWS_PROFILE="login") == SESSION
    assert json.loads(path.read_text())["refreshToken"] != old["refreshToken"], "it was not renewed"
    login(seconds=1)
    control("login", kind="login", expire=True)
    fails("LoginRefreshRequired", lambda: identity(AWS_PROFILE="login"))


def an_instance():
    env = {"AWS_EC2_METADATA_DISABLED": "false", "AWS_EC2_METADATA_SERVICE_ENDPOINT": URL}
    control("metadata", role="trainer")
    before = calls("MetadataToken")
    assert ":assumed-role/trainer/i-" in identity(**env)
    assert calls("MetadataToken") == before + 1
    control("metadata", mode="v1")
    assert ":assumed-role/trainer/i-" in identity(**env)
    assert calls("MetadataToken") == before + 1


def a_container():
    control("container", authorization="Basic c2lt")
    env = {"AWS_CONTAINER_CREDENTIALS_FULL_URI": f"{URL}/container/credentials"}
    assert ":assumed-role/sim-task-role/" in identity(AWS_CONTAINER_AUTHORIZATION_TOKEN="Basic c2lt", **env)


def keys_that_end():
    arrange(AWS_PROFILE="role")
    client = boto3.session.Session().client("sts")
    client.get_caller_identity()
    control("credentials", expire=True)
    fails("ExpiredToken", client.get_caller_identity)


FOLDER.joinpath("config").write_text(CONFIG)
for case in (a_role, a_role_with_mfa, a_web_identity, a_login_by_sso, a_login_by_aws_login, an_instance,
             a_container, keys_that_end):
    name = case.__name__.replace("_", " ")
    try:
        case()
    except (botocore.exceptions.MissingDependencyException, Unknown) as error:
        print(f"skipped: {name}: {error}")
    except Exception as error:
        sys.exit(f"{name}: {type(error).__name__}: {error}")
    else:
        print(f"ok {name}")
