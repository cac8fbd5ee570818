"""
The access key that botocore finds for a profile with the caches that the AWS CLI gives it. Ends with
77 where botocore lacks a part for that.
"""

import pathlib
import sys

import botocore.session
from botocore.credentials import JSONFileCache
from botocore.exceptions import MissingDependencyException

session = botocore.session.Session(profile=sys.argv[1])
resolver = session.get_component("credential_provider")
cache = JSONFileCache(str(pathlib.Path.home() / ".aws/cli/cache"))
for name in ("assume-role", "assume-role-with-web-identity", "sso"):
    resolver.get_provider(name).cache = cache
try:
    print(session.get_credentials().get_frozen_credentials().access_key)
except MissingDependencyException:
    sys.exit(77)
