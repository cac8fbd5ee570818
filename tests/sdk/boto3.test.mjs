// boto3's credential providers against the region's stand-ins, where a boto3 is that knows
// AWS_ENDPOINT_URL (1.28 and newer).
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { startRegion } from "./region.mjs";

const asks = "import boto3; assert tuple(map(int, boto3.__version__.split('.')[:2])) >= (1, 28)";
const hasBoto3 = () => {
  try {
    execFileSync("python3", ["-c", asks], { stdio: "ignore" });
    return true;
  } catch {
    console.log("skipped: boto3: no python3 with boto3 1.28 or newer");
    return false;
  }
};

test("boto3 finds credentials everywhere", { skip: !hasBoto3() }, async () => {
  const region = await startRegion("--scenario", "empty");
  const home = mkdtempSync(join(tmpdir(), "gpuq-boto3-"));
  const script = join(dirname(fileURLToPath(import.meta.url)), "credentials.py");
  try {
    const env = { ...process.env, HOME: home, PYTHONDONTWRITEBYTECODE: "1" };
    const said = execFileSync("python3", [script, region.url], { env, encoding: "utf8", timeout: 60000 });
    console.log(said.trimEnd());
    assert.equal(said.match(/^(ok|skipped:) /gm).length, 8);
  } finally {
    rmSync(home, { recursive: true });
    assert.equal(await region.stop(), 0);
  }
});

test("boto3 reads quotas and asks for more", { skip: !hasBoto3() }, async () => {
  const region = await startRegion("--scenario", "empty");
  const script = join(dirname(fileURLToPath(import.meta.url)), "quotas.py");
  try {
    const env = { ...process.env, PYTHONDONTWRITEBYTECODE: "1" };
    const said = execFileSync("python3", [script, region.url], { env, encoding: "utf8", timeout: 60000 });
    console.log(said.trimEnd());
    assert.equal(said.match(/^ok /gm).length, 7);
    const { raises } = await region.state();
    assert.deepEqual(raises, [
      { instance_type: "ml.p5.48xlarge", kind: "training", code: "L-82E1C851", desired: 24, support_case: false },
    ]);
  } finally {
    assert.equal(await region.stop(), 0);
  }
});
