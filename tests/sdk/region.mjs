// A region of its own for each suite, and clients for it.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { SageMakerClient } from "@aws-sdk/client-sagemaker";

const here = dirname(fileURLToPath(import.meta.url));
const binary = process.env.GPUQ_SIM ?? join(here, "../../build/gpuq-sim");

export const plan = (name, region = "us-east-1") =>
  `arn:aws:sagemaker:${region}:111122223333:training-plan/${name}`;

/** Starts a region on a free port; ends with `stop()`. */
export async function startRegion(...options) {
  const child = spawn(binary, ["--port", "0", ...options], { stdio: ["ignore", "pipe", "inherit"] });
  const line = await new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).once("line", resolve);
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`the region ended with ${code}`)));
  });
  const url = /^gpuq-sim (http:\/\/127\.0\.0\.1:\d+)$/.exec(line)?.[1];
  if (!url) throw new Error(`not a ready line: ${line}`);
  const control = async (path, body) => {
    const reply = await fetch(`${url}/_sim/${path}`, { method: "POST", body: JSON.stringify(body) });
    if (!reply.ok) throw new Error(`${path}: ${await reply.text()}`);
    return reply.json();
  };
  return {
    url,
    advance: (seconds) => control("advance", { seconds }),
    capacity: (instance_type, free) => control("capacity", { instance_type, free }),
    control,
    state: async () => (await fetch(`${url}/_sim/state`)).json(),
    stop: () =>
      new Promise((resolve) => {
        child.removeAllListeners("exit");
        child.once("exit", (code, signal) => resolve(code ?? signal));
        child.kill("SIGTERM");
      }),
  };
}

export function clientFor(region, changes = {}) {
  return new SageMakerClient({
    endpoint: region.url,
    region: "us-east-1",
    credentials: { accessKeyId: "AKIDSIM", secretAccessKey: "simsecret" },
    maxAttempts: 1,
    ...changes,
  });
}

/** A small seeded generator (mulberry32): a failure can be run again. */
export function seeded(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  return {
    between: (low, high) => low + Math.floor(next() * (high - low + 1)),
    pick: (items) => items[Math.floor(next() * items.length)],
    shuffle: (items) =>
      items.map((item) => [next(), item]).sort((a, b) => a[0] - b[0]).map(([, item]) => item),
  };
}

export const trainingJob = (name, resources, changes = {}) => ({
  TrainingJobName: name,
  AlgorithmSpecification: {
    TrainingImage: "763104351884.dkr.ecr.us-east-1.amazonaws.com/pytorch-training:2.5.1-gpu-py311",
    TrainingInputMode: "File",
  },
  RoleArn: "arn:aws:iam::111122223333:role/ml-platform-jobs",
  OutputDataConfig: { S3OutputPath: "s3://ml-models/out" },
  ResourceConfig: resources,
  StoppingCondition: { MaxRuntimeInSeconds: 3600 },
  ...changes,
});

export const processingJob = (name, cluster, changes = {}) => ({
  ProcessingJobName: name,
  AppSpecification: { ImageUri: "763104351884.dkr.ecr.us-east-1.amazonaws.com/sklearn:1.4" },
  RoleArn: "arn:aws:iam::111122223333:role/ml-platform-jobs",
  ProcessingResources: { ClusterConfig: { VolumeSizeInGB: 50, ...cluster } },
  StoppingCondition: { MaxRuntimeInSeconds: 3600 },
  ...changes,
});

/** The documented list shapes of the case collection, or null with a line that says why. */
export function documentedLists() {
  const shared = process.env.GPUQ_SHARED ?? join(here, "../../../shared");
  const file = join(shared, "cases/031-preference-list-valid-and-invalid/input.json");
  if (!existsSync(file)) {
    console.log(`skipped: documented lists: ${file} is not there`);
    return null;
  }
  return JSON.parse(readFileSync(file, "utf8"));
}

/** The same lists with plans of this region: p5-plan, and for a second one another of that type. */
export function withOwnPlans(resources) {
  const own = { "p5-plan": "p5-plan", a: "p5-plan", b: "p5-next-week" };
  return JSON.parse(JSON.stringify(resources), (key, value) => {
    const name = typeof value === "string" && /:training-plan\/(.*)$/.exec(value)?.[1];
    return name ? plan(own[name]) : value;
  });
}
