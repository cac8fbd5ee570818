#!/usr/bin/env python3
"""Makes model/shapes_table.c from the service model in GPUQ_SHARED or ../shared
(data/sagemaker-model.json). Run from the project's root. test_shapes compares the table with the
same file.
"""
import json
import os
import re

PATH = os.path.join(os.environ.get("GPUQ_SHARED", "../shared"), "data/sagemaker-model.json")
ROOTS = ["CreateTrainingJobRequest", "CreateProcessingJobRequest"]
TYPES = {"structure": "STRUCTURE", "list": "LIST", "map": "MAP", "string": "STRING",
         "integer": "INTEGER", "long": "INTEGER", "boolean": "BOOLEAN"}

# Their limits have a rule of their own (name-invalid, list-length, plan-too-many, count-*,
# max-pending-range).
OWN_RULE = {"TrainingJobName", "ProcessingJobName", "InstancePreferenceList",
            "ProcessingInstancePreferenceList", "InstancePreferenceTrainingPlanArns",
            "MaxPendingTimeInSeconds", "TrainingInstanceCount", "ProcessingInstanceCount",
            "InstancePreferenceInstanceCount", "SelectedInstanceCount"}

# What the service cannot read as a number of 32 bits it refuses.
INTEGER_MAX = 2**31 - 1

# Enumerations with rules of their own (unknown-type, type-not-for-kind).
OWN_WORDS = {"TrainingInstanceType", "ProcessingInstanceType"}

# The model's patterns are Java's; these say the same as POSIX extended expressions. S3Uri is
# narrower: a bucket's name holds no blank. Beside each, a value that fits.
NAME = "[a-zA-Z0-9](-*[a-zA-Z0-9])*"
SAGEMAKER = "arn:aws[a-z-]*:sagemaker:[a-z0-9-]*:[0-9]{12}:"
PACKAGE = "arn:aws[a-z-]*:sagemaker:[a-z0-9-]{9,16}:[0-9]{12}:"
HUB = ("arn:[a-z0-9.-]{1,63}:sagemaker:[A-Za-z0-9_]+(-[A-Za-z0-9_]+)+:"
       "([0-9]{12}|aws):hub-content/")
VERSION = "(/[0-9]{1,4}.[0-9]{1,4}.[0-9]{1,4})?"
TAG = "[^]!\"#$%&'()*,;<>?[\\^`{|}~[:cntrl:]]*"
ARN = "arn:aws:sagemaker:us-east-1:111122223333:"
PATTERNS = {
    "ArnOrName": ("(%s[a-z-]*/)?%s" % (SAGEMAKER, NAME), "my-algorithm"),
    "TrainingRepositoryCredentialsProviderArn":
        ("arn:[A-Za-z0-9-]+:lambda:[A-Za-z0-9-]+:[0-9]{12}:function:.*",
         "arn:aws:lambda:us-east-1:111122223333:function:NAME"),
    "RoleArn": ("arn:aws[a-z-]*:iam::[0-9]{12}:role/?[a-zA-Z_0-9+=,.@/-]+",
                "arn:aws:iam::111122223333:role/NAME"),
    "ChannelName": ("[A-Za-z0-9._-]+", "train"),
    "S3Uri": ("(https|s3)://[^/[:space:]]+(/.*)?", "s3://bucket/prefix/"),
    "FileSystemId": ("fs-[0-9a-f]{8,}", "fs-0123456789abcdef0"),
    "HubDataSetArn": (HUB + NAME + "/DataSet/" + NAME + VERSION,
                      ARN + "hub-content/HUB/DataSet/NAME/1.0.0"),
    "KmsKeyId": ("[a-zA-Z0-9:/_-]*", "arn:aws:kms:us-east-1:111122223333:key/ID"),
    "TrainingPlanArn": (SAGEMAKER + "training-plan/.*", ARN + "training-plan/NAME"),
    "SecurityGroupId": ("[-0-9a-zA-Z]+", "sg-0123456789abcdef0"),
    "SubnetId": ("[-0-9a-zA-Z]+", "subnet-0123456789abcdef0"),
    "TagKey": (TAG, "team"),
    "TagValue": (TAG, "research"),
    "ExperimentEntityName": (NAME, "my-experiment"),
    "TrainingEnvironmentKey": ("[a-zA-Z_][a-zA-Z0-9_]*", "MY_VARIABLE"),
    "ProcessingEnvironmentKey": ("[a-zA-Z_][a-zA-Z0-9_]*", "MY_VARIABLE"),
    "ServerlessJobBaseModelArn": (HUB + NAME + "/Model/" + NAME + VERSION,
                                  ARN + "hub-content/HUB/Model/NAME/1.0.0"),
    "SequenceLength": ("[0-9]+K", "8K"),
    "MlFlowResourceArn": (SAGEMAKER + "mlflow-[a-zA-Z-]*/.*",
                          ARN + "mlflow-tracking-server/NAME"),
    "ModelPackageGroupArn": (PACKAGE + "model-package-group/[^[:space:]]+",
                             ARN + "model-package-group/NAME"),
    "ModelPackageArn": (PACKAGE + "model-package/[^[:space:]]+", ARN + "model-package/NAME/1"),
    "AthenaWorkGroup": ("[a-zA-Z0-9._-]+", "primary"),
    "FeatureGroupName": ("[a-zA-Z0-9]([_-]*[a-zA-Z0-9])*", "my-features"),
}
ANYTHING = {".*", ".+", "[\\S\\s]*", "[\\s\\S]+",
            "[\\u0020-\\uD7FF\\uE000-\\uFFFD\\uD800\\uDC00-\\uDBFF\\uDFFF\\t]*"}


def snake(name):
    name = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name)
    return re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1_\2", name).lower()


def quote(text):
    return '"%s"' % text.replace("\\", "\\\\").replace('"', '\\"')


def in_order(shapes, name, done):
    """The shapes below name, each after those that it is made of."""
    if name in done:
        return
    shape = shapes[name]
    done[name] = None  # no shape of these requests holds itself
    for part in ("key", "member", "value"):
        if part in shape:
            in_order(shapes, shape[part]["shape"], done)
    for member in shape.get("members", {}).values():
        in_order(shapes, member["shape"], done)
    done.pop(name)
    done[name] = shape


def fields(name, shape):
    kind = shape["type"]
    yield ".name = " + quote(name)
    yield ".type = SHAPE_" + TYPES[kind]
    if name not in OWN_RULE:
        if "min" in shape and (shape["min"] > 0 or kind in ("integer", "long")):
            yield ".has_min = true, .min = %d" % shape["min"]
        if "max" in shape or kind == "integer":
            yield ".has_max = true, .max = %d" % shape.get("max", INTEGER_MAX)
        if shape.get("pattern", ".*") not in ANYTHING:
            pattern, example = PATTERNS[name]
            yield ".pattern = " + quote("^(%s)$" % pattern)
            yield ".example = " + quote(example)
    if "enum" in shape and name not in OWN_WORDS:
        yield ".words = %s_words" % snake(name)
        yield ".word_count = ARRAY_LEN(%s_words)" % snake(name)
    if kind == "list":
        yield ".item = &" + snake(shape["member"]["shape"])
    if kind == "map":
        yield ".key = &" + snake(shape["key"]["shape"])
        yield ".item = &" + snake(shape["value"]["shape"])
    if kind == "structure":
        yield ".members = %s_members" % snake(name)
        yield ".member_count = ARRAY_LEN(%s_members)" % snake(name)


def main():
    with open(PATH, encoding="utf-8") as file:
        shapes = json.load(file)["shapes"]
    ordered = {}
    for root in ROOTS:
        in_order(shapes, root, ordered)
    with open("model/shapes_table.c", "w", encoding="utf-8") as out:
        out.write("/* Generated by tests/tables/make_shapes.py from the service model; do not "
                  "edit. */\n#include \"model/base/attr.h\"\n#include \"model/shapes_table.h\"\n\n"
                  "/* clang-format off */\n")
        for name, shape in ordered.items():
            if shape["type"] == "structure":
                out.write("static const struct shape_member %s_members[] = {\n" % snake(name))
                for key, member in shape["members"].items():
                    required = ", .required = true" if key in shape.get("required", []) else ""
                    out.write("\t{ .name = %s, .shape = &%s%s },\n" %
                              (quote(key), snake(member["shape"]), required))
                out.write("};\n")
            if "enum" in shape and name not in OWN_WORDS:
                out.write("static const char *const %s_words[] = { %s };\n" %
                          (snake(name), ", ".join(map(quote, shape["enum"]))))
            storage = "" if name in ROOTS else "static "
            out.write("%sconst struct shape %s = { %s };\n" %
                      (storage, snake(name), ", ".join(fields(name, shape))))
        out.write("/* clang-format on */\n")


if __name__ == "__main__":
    main()
