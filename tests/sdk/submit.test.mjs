// What gpuq submitted, as the official SDK reads it back: list, counts, plans, hyperparameters and
// all the rest that the file said.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { after, before, describe, test } from "node:test";
import {
  CreateTrainingJobCommand,
  DescribeProcessingJobCommand,
  DescribeTrainingJobCommand,
  ListTagsCommand,
} from "@aws-sdk/client-sagemaker";
import { clientFor, plan, processingJob, startRegion, trainingJob } from "./region.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const gpuq = process.env.GPUQ ?? join(here, "../../build/gpuq");
const skip = !existsSync(gpuq);
if (skip) console.log(`skipped: gpuq submit: ${gpuq} is not there`);

// Values that a program which converts instead of keeping would change.
const HyperParameters = {
  epochs: "3",
  "learning-rate": "1.0e-5",
  big: "12345678901234567890.10",
  quoted: '"a \\ b"',
  line: "one\ntwo\tthree",
  wide: "größe 日本 🎛",
  sagemaker_program: '"train.py"',
  empty: "",
};
const Environment = { NCCL_DEBUG: "INFO", FLAGS: "--x=1 --y='2 3'" };

describe("what gpuq submits", { skip }, () => {
  let region, client, folder, env;
  before(async () => {
    region = await startRegion("--scenario", "empty", "--rate", "0");
    client = clientFor(region);
    folder = mkdtempSync(join(tmpdir(), "gpuq-submit-"));
    env = {
      PATH: process.env.PATH,
      HOME: folder,
      AWS_ACCESS_KEY_ID: "AKIDSIM",
      AWS_SECRET_ACCESS_KEY: "simsecret",
      AWS_EC2_METADATA_DISABLED: "true",
    };
  });
  after(async () => {
    client.destroy();
    rmSync(folder, { recursive: true });
    assert.equal(await region.stop(), 0);
  });

  const run = (...words) =>
    new Promise((resolve) => {
      const all = ["--endpoint-url", region.url, "--region", "us-east-1", ...words];
      execFile(gpuq, all, { env, timeout: 60000 }, (error, stdout, stderr) =>
        resolve({ status: error ? error.code : 0, stdout, stderr }),
      );
    });
  /** Submits the document as a file of that text. */
  const submit = async (request, ...words) => {
    const file = join(folder, "request.json");
    writeFileSync(file, JSON.stringify(request, null, 3));
    const { status, stderr } = await run("submit", file, ...words, "--yes");
    assert.equal(status, 0, stderr);
  };
  const training = (TrainingJobName) => client.send(new DescribeTrainingJobCommand({ TrainingJobName }));
  /** Each member of the request stands in the description as it was. */
  const assertKept = (job, request, changed) => {
    for (const [name, value] of Object.entries(request))
      if (name !== "Tags") assert.deepEqual(job[name], changed[name] ?? value, name);
  };

  test("a file as it stands", async () => {
    const list = { VolumeSizeInGB: 100, InstanceCount: 2, InstancePreferences: [{ InstanceType: "ml.g6.12xlarge" }, { InstanceType: "ml.g5.12xlarge" }] };
    const request = trainingJob("as-it-stands", list, {
      HyperParameters,
      Environment,
      Tags: [{ Key: "team", Value: "Ä 7" }],
      StoppingCondition: { MaxRuntimeInSeconds: 3600, MaxPendingTimeInSeconds: 7200 },
    });
    await submit(request);
    const job = await training("as-it-stands");
    assertKept(job, request, {});
    const { Tags } = await client.send(new ListTagsCommand({ ResourceArn: job.TrainingJobArn }));
    assert.deepEqual(Tags, request.Tags);
  });

  test("a list with counts and a plan in place of one type", async () => {
    const request = trainingJob("with-a-list", { VolumeSizeInGB: 100, KeepAlivePeriodInSeconds: 60, InstanceType: "ml.g5.12xlarge", InstanceCount: 1 }, { HyperParameters, Environment });
    const prefs = `ml.p5.48xlarge:2@${plan("p5-plan")},ml.p4d.24xlarge:4,ml.g6.48xlarge:8`;
    await submit(request, "--prefs", prefs, "--max-pending", "6h", "--name", "with-a-list-2");
    assertKept(await training("with-a-list-2"), request, {
      TrainingJobName: "with-a-list-2",
      ResourceConfig: {
        VolumeSizeInGB: 100,
        KeepAlivePeriodInSeconds: 60,
        InstancePreferences: [
          { InstanceType: "ml.p5.48xlarge", InstanceCount: 2, TrainingPlanArns: [plan("p5-plan")] },
          { InstanceType: "ml.p4d.24xlarge", InstanceCount: 4 },
          { InstanceType: "ml.g6.48xlarge", InstanceCount: 8 },
        ],
      },
      StoppingCondition: { MaxRuntimeInSeconds: 3600, MaxPendingTimeInSeconds: 21600 },
    });
  });

  test("one count for all in place of one on each", async () => {
    const list = { VolumeSizeInGB: 9, InstancePreferences: [{ InstanceType: "ml.g6.12xlarge", InstanceCount: 1 }, { InstanceType: "ml.g5.12xlarge", InstanceCount: 2 }] };
    const request = trainingJob("one-count", list, { HyperParameters });
    await submit(request, "--prefs", "ml.g5.12xlarge,ml.g6.12xlarge,ml.g6e.12xlarge", "--count", "3");
    assertKept(await training("one-count"), request, {
      ResourceConfig: {
        VolumeSizeInGB: 9,
        InstanceCount: 3,
        InstancePreferences: ["ml.g5.12xlarge", "ml.g6.12xlarge", "ml.g6e.12xlarge"].map((InstanceType) => ({ InstanceType })),
      },
    });
  });

  test("a processing job", async () => {
    const request = processingJob("worked", { InstanceType: "ml.m5.xlarge", InstanceCount: 1 }, {
      Environment,
      AppSpecification: { ImageUri: "image", ContainerArguments: ["--a", "b c", '"'] },
    });
    await submit(request, "--prefs", "ml.g5.12xlarge:1,ml.g6.12xlarge:2");
    const job = await client.send(new DescribeProcessingJobCommand({ ProcessingJobName: "worked" }));
    assertKept(job, request, {
      ProcessingResources: {
        ClusterConfig: {
          VolumeSizeInGB: 50,
          InstancePreferences: [
            { InstanceType: "ml.g5.12xlarge", InstanceCount: 1 },
            { InstanceType: "ml.g6.12xlarge", InstanceCount: 2 },
          ],
        },
      },
    });
  });

  test("a copy of a pending job, with another list", async () => {
    await Promise.all(["ml.p5.48xlarge", "ml.p4d.24xlarge"].map((type) => region.capacity(type, 0)));
    const { TrainingJobName, ...request } = trainingJob("stuck-0930", { VolumeSizeInGB: 77, KeepAlivePeriodInSeconds: 60, InstanceCount: 2, InstancePreferences: [{ InstanceType: "ml.p5.48xlarge" }, { InstanceType: "ml.p4d.24xlarge" }] }, {
      HyperParameters,
      Environment,
      EnableNetworkIsolation: false,
      CheckpointConfig: { S3Uri: "s3://bucket/check", LocalPath: "/opt/ml/checkpoints" },
      StoppingCondition: { MaxRuntimeInSeconds: 7200, MaxPendingTimeInSeconds: 7200 },
    });
    await client.send(new CreateTrainingJobCommand({ TrainingJobName, ...request }));
    await region.advance(5);
    assert.equal((await training(TrainingJobName)).SecondaryStatus, "Pending");
    const prefs = `ml.p4d.24xlarge:4,ml.p5.48xlarge:2@${plan("p5-plan")},ml.g6.48xlarge:8`;
    const { status, stderr } = await run("requeue", TrainingJobName, "--prefs", prefs, "--max-pending", "6h", "--name", "stuck-0931", "--yes");
    assert.equal(status, 0, stderr);
    assertKept(await training("stuck-0931"), request, {
      ResourceConfig: {
        VolumeSizeInGB: 77,
        KeepAlivePeriodInSeconds: 60,
        InstancePreferences: [
          { InstanceType: "ml.p4d.24xlarge", InstanceCount: 4 },
          { InstanceType: "ml.p5.48xlarge", InstanceCount: 2, TrainingPlanArns: [plan("p5-plan")] },
          { InstanceType: "ml.g6.48xlarge", InstanceCount: 8 },
        ],
      },
      StoppingCondition: { MaxRuntimeInSeconds: 7200, MaxPendingTimeInSeconds: 21600 },
    });
    assert.match((await training(TrainingJobName)).TrainingJobStatus, /^Stop/);
  });

  test("the same file only once", async () => {
    const request = trainingJob("only-once", { InstanceType: "ml.g5.12xlarge", InstanceCount: 1, VolumeSizeInGB: 9 });
    await submit(request);
    const { CreationTime } = await training("only-once");
    const file = join(folder, "request.json");
    const { status, stderr } = await run("submit", file, "--yes");
    assert.ok(status === 1 || status === 3, stderr);
    assert.match(stderr, /only-once/);
    assert.deepEqual((await training("only-once")).CreationTime, CreationTime);
  });
});
