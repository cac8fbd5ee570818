// Debian's awscli, a client that none of us wrote: list, describe and stop, with profiles, and where
// it finds its credentials. Each call takes it seconds of its own, so they are few.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { startRegion } from "./region.mjs";

const aws = "/usr/bin/aws";
const skip = !existsSync(aws);
if (skip) console.log(`skipped: awscli: ${aws} is not there`);

/** Runs it with these variables and no others that matter to it. */
const call = (region, changes, ...words) =>
  new Promise((resolve) => {
    const env = {
      PATH: process.env.PATH,
      AWS_MAX_ATTEMPTS: "1",
      AWS_EC2_METADATA_DISABLED: "true",
      ...changes,
    };
    const all = [...words, "--endpoint-url", region.url, "--output", "json", "--no-cli-pager"];
    execFile(aws, all, { env, timeout: 60000 }, (error, stdout, stderr) =>
      resolve({ status: error ? error.code : 0, stdout, stderr }),
    );
  });
const files = (folder) => ({
  HOME: folder,
  AWS_CONFIG_FILE: join(folder, "config"),
  AWS_SHARED_CREDENTIALS_FILE: join(folder, "credentials"),
});

describe("awscli", { skip }, () => {
  let region, folder;
  before(async () => {
    region = await startRegion("--scenario", "still", "--rate", "0");
    await region.advance(10);
    folder = mkdtempSync(join(tmpdir(), "gpuq-cli-"));
    writeFileSync(
      join(folder, "credentials"),
      "[lab]\naws_access_key_id = AKIDSIM\naws_secret_access_key = simsecret\n" +
        "[wrong]\naws_access_key_id = AKIDSIM\naws_secret_access_key = not-it\n",
    );
    writeFileSync(join(folder, "config"), "[profile lab]\nregion = us-east-1\n[profile wrong]\nregion = us-east-1\n");
  });
  after(async () => {
    rmSync(folder, { recursive: true });
    assert.equal(await region.stop(), 0);
  });
  const run = (profile, ...words) => call(region, { ...files(folder), AWS_PROFILE: profile }, "sagemaker", ...words);
  const json = async (...words) => {
    const { status, stdout, stderr } = await run("lab", ...words);
    assert.equal(status, 0, stderr);
    return stdout ? JSON.parse(stdout) : null;
  };

  test("lists, stops and describes", async () => {
    const { jobs } = await region.state();
    const training = jobs.filter((job) => job.kind === "training");
    const [first] = training.filter((job) => job.secondary_status === "Pending");
    const name = ["--training-job-name", first.name];
    const [listed] = await Promise.all([
      json("list-training-jobs", "--sort-by", "CreationTime", "--sort-order", "Ascending"),
      json("stop-training-job", ...name),
    ]);
    assert.deepEqual(
      listed.TrainingJobSummaries.map((job) => job.TrainingJobName),
      training.map((job) => job.name),
    );
    const job = await json("describe-training-job", ...name);
    assert.match(job.TrainingJobStatus, /^Stop(ping|ped)$/); // the machine may be slow
    assert.equal(job.SecondaryStatusTransitions[1].Status, "Stopping");
    // It shows times as text: none of our forms may confuse it.
    assert.match(job.CreationTime, /^20\d\d-\d\d-\d\dT/);
  });
  test("is told why it may not", async () => {
    const wrong = await run("wrong", "list-training-jobs");
    assert.notEqual(wrong.status, 0);
    assert.match(wrong.stderr, /\(InvalidSignatureException\)/);
  });
});

describe("awscli's credentials", { skip }, () => {
  let region, folder;
  before(async () => {
    region = await startRegion("--scenario", "empty");
    folder = mkdtempSync(join(tmpdir(), "gpuq-cli-"));
  });
  after(async () => {
    rmSync(folder, { recursive: true });
    assert.equal(await region.stop(), 0);
  });
  const identity = async (changes) => {
    const env = { ...files(folder), AWS_REGION: "us-east-1", ...changes };
    const { status, stdout, stderr } = await call(region, env, "sts", "get-caller-identity");
    assert.equal(status, 0, stderr);
    return JSON.parse(stdout).Arn;
  };

  test("are the variables', an instance's or a container's", async () => {
    await region.control("container", { authorization: "Basic c2lt" });
    const found = await Promise.all([
      identity({ AWS_ACCESS_KEY_ID: "AKIDSIM", AWS_SECRET_ACCESS_KEY: "simsecret" }),
      // Version 2.9 wants the slash at the end.
      identity({ AWS_EC2_METADATA_DISABLED: "false", AWS_EC2_METADATA_SERVICE_ENDPOINT: `${region.url}/` }),
      identity({
        AWS_CONTAINER_CREDENTIALS_FULL_URI: `${region.url}/container/credentials`,
        AWS_CONTAINER_AUTHORIZATION_TOKEN: "Basic c2lt",
      }),
    ]);
    assert.equal(found[0], "arn:aws:iam::111122223333:user/sim");
    assert.match(found[1], /:assumed-role\/sim-instance-role\/i-/);
    assert.match(found[2], /:assumed-role\/sim-task-role\//);
  });
});
