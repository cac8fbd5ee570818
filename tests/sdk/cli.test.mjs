// Debian's awscli, a client that none of us wrote: list, describe and stop, with profiles. Each call
// takes it seconds of its own, so they are few.
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
  const run = (profile, ...words) =>
    new Promise((resolve) => {
      const env = {
        PATH: process.env.PATH,
        HOME: folder,
        AWS_CONFIG_FILE: join(folder, "config"),
        AWS_SHARED_CREDENTIALS_FILE: join(folder, "credentials"),
        AWS_PROFILE: profile,
        AWS_MAX_ATTEMPTS: "1",
        AWS_EC2_METADATA_DISABLED: "true",
      };
      const all = ["sagemaker", ...words, "--endpoint-url", region.url, "--output", "json", "--no-cli-pager"];
      execFile(aws, all, { env, timeout: 60000 }, (error, stdout, stderr) =>
        resolve({ status: error ? error.code : 0, stdout, stderr }),
      );
    });
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
