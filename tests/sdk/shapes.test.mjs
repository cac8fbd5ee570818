// Every reply of a busy run against the output shapes of the service model.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { plan, startRegion } from "./region.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const shared = process.env.GPUQ_SHARED ?? join(here, "../../../shared");
const file = join(shared, "data/sagemaker-model.json");
const model = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : null;
if (!model) console.log(`skipped: output shapes: ${file} is not there`);

// What the region says on purpose although no list knows it: a client has to live with it.
const ahead = new Set(["Suspended", "SuspendedByService", "MaxPendingTimeExceeded"]);
// A job that never started was billed for 0 seconds; the model's least is 1, for what is sent.
const mayBeZero = new Set(["TrainingTimeInSeconds", "BillableTimeInSeconds"]);
const scalars = {
  string: "string", integer: "number", long: "number", float: "number", double: "number",
  timestamp: "number", boolean: "boolean",
};

/** What is wrong with a value, as lines; null stands for absent, but not where one is required. */
function faults(value, name, path, nulls) {
  const shape = model.shapes[name];
  if (shape.type === "structure") {
    if (typeof value !== "object" || Array.isArray(value)) return [`${path}: no object`];
    const missing = (shape.required ?? []).filter((key) => value[key] == null);
    return [
      ...missing.map((key) => `${path}.${key}: missing`),
      ...Object.entries(value).flatMap(([key, child]) => {
        if (!shape.members[key]) return [`${path}.${key}: no such member of ${name}`];
        if (child === null) return void nulls.add(key), [];
        return faults(child, shape.members[key].shape, `${path}.${key}`, nulls);
      }),
    ];
  }
  if (shape.type === "list")
    return Array.isArray(value)
      ? value.flatMap((child, i) => faults(child, shape.member.shape, `${path}[${i}]`, nulls))
      : [`${path}: no list`];
  if (shape.type === "map")
    return Object.entries(value).flatMap(([key, child]) =>
      faults(child, shape.value.shape, `${path}.${key}`, nulls),
    );
  if (typeof value !== scalars[shape.type]) return [`${path}: ${typeof value}, not ${shape.type}`];
  if (shape.enum && !shape.enum.includes(value) && !ahead.has(value))
    return [`${path}: ${value} is no ${name}`];
  if (shape.type === "integer" || shape.type === "long") {
    if (!Number.isInteger(value)) return [`${path}: ${value} is no whole number`];
    const least = mayBeZero.has(name) ? 0 : (shape.min ?? -Infinity);
    if (value < least || value > (shape.max ?? Infinity))
      return [`${path}: ${value} is out of bounds`];
  }
  if (shape.type === "string") {
    const length = [...value].length;
    if (length < (shape.min ?? 0) || length > (shape.max ?? Infinity))
      return [`${path}: ${length} characters`];
    if (shape.pattern && !shape.pattern.includes("\\p{") && !new RegExp(`^(?:${shape.pattern})$`).test(value))
      return [`${path}: '${value}' does not fit ${shape.pattern}`];
  }
  // A time in milliseconds would lie in the year 58886.
  if (shape.type === "timestamp" && !(value > 1e9 && value < 1e10)) return [`${path}: time ${value}`];
  return [];
}

describe("shapes", { skip: !model }, () => {
  let region;
  const nulls = new Set();
  const forms = { whole: 0, fraction: 0, exponent: 0 };
  let replies = 0;
  before(async () => {
    region = await startRegion("--no-auth", "--rate", "0", "--seed", "11");
  });
  after(async () => assert.equal(await region.stop(), 0));

  /** Asks, checks the reply and returns it; null where the region refuses. */
  async function ask(operation, input) {
    const reply = await fetch(region.url, {
      method: "POST",
      headers: {
        "content-type": "application/x-amz-json-1.1",
        "x-amz-target": `SageMaker.${operation}`,
      },
      body: JSON.stringify(input),
    });
    const text = await reply.text();
    assert.equal(reply.status, 200, `${operation} ${JSON.stringify(input)}: ${text}`);
    replies++;
    for (const [, number] of text.matchAll(/Time":([0-9.E]+)/g))
      forms[number.includes("E") ? "exponent" : number.includes(".") ? "fraction" : "whole"]++;
    const output = model.operations[operation].output;
    if (!output) {
      assert.equal(text, "", operation);
      return null;
    }
    const body = JSON.parse(text);
    const wrong = faults(body, output.shape, operation, nulls);
    assert.deepEqual(wrong.slice(0, 5), [], JSON.stringify(input));
    return body;
  }
  async function every(operation, input, member) {
    const items = [];
    for (let NextToken; ; ) {
      const page = await ask(operation, { ...input, MaxResults: 100, ...(NextToken && { NextToken }) });
      items.push(...page[member]);
      NextToken = page.NextToken;
      if (!NextToken) return items;
    }
  }
  async function describeEach(jobs, operation, name) {
    for (let i = 0; i < jobs.length; i += 10)
      await Promise.all(
        jobs.slice(i, i + 10).map((job) => ask(operation, { [name]: job[name] })),
      );
  }
  async function askAll() {
    const training = await every("ListTrainingJobs", {}, "TrainingJobSummaries");
    const processing = await every("ListProcessingJobs", {}, "ProcessingJobSummaries");
    const found = await every("Search", { Resource: "TrainingJob" }, "Results");
    assert.ok(found.length >= training.length - 20, "the index is not far behind");
    await every("ListTrainingPlans", {}, "TrainingPlanSummaries");
    await ask("DescribeTrainingPlan", { TrainingPlanName: "p5-plan" });
    await describeEach(training.slice(-30), "DescribeTrainingJob", "TrainingJobName");
    await describeEach(processing.slice(-12), "DescribeProcessingJob", "ProcessingJobName");
    return { training, processing };
  }

  test("every reply of a busy run fits", async () => {
    let { training, processing } = await askAll();
    assert.ok(training.length + processing.length >= 513);
    await describeEach(training, "DescribeTrainingJob", "TrainingJobName");
    for (const seconds of [2, 7, 40, 600, 3600, 6 * 3600]) {
      await region.advance(seconds);
      ({ training, processing } = await askAll());
    }
    assert.ok(replies > 650, `${replies} replies`);
    assert.ok(nulls.has("TrainingEndTime") && nulls.size > 10, [...nulls].join());
    for (const [form, count] of Object.entries(forms)) assert.ok(count > 10, `${count} ${form}`);
    console.log(`${replies} replies, nulls in ${nulls.size} members, times ${JSON.stringify(forms)}`);
  });
  test("every operation that changes something", async () => {
    const [{ TrainingJobName, TrainingJobArn: ResourceArn }] = await every(
      "ListTrainingJobs", { StatusEquals: "Completed" }, "TrainingJobSummaries",
    );
    const config = {
      RoleArn: "arn:aws:iam::111122223333:role/jobs",
      StoppingCondition: { MaxRuntimeInSeconds: 60 },
    };
    await ask("CreateTrainingJob", {
      ...config,
      TrainingJobName: "shape-1",
      AlgorithmSpecification: { TrainingImage: "image", TrainingInputMode: "File" },
      OutputDataConfig: { S3OutputPath: "s3://bucket/out" },
      ResourceConfig: {
        InstanceCount: 1,
        KeepAlivePeriodInSeconds: 60,
        InstancePreferences: [{ InstanceType: "ml.p5.48xlarge", TrainingPlanArns: [plan("p5-plan")] }],
      },
    });
    await ask("CreateProcessingJob", {
      ...config,
      ProcessingJobName: "shape-1",
      AppSpecification: { ImageUri: "image" },
      ProcessingResources: {
        ClusterConfig: { InstanceCount: 1, InstanceType: "ml.m5.xlarge", VolumeSizeInGB: 1 },
      },
    });
    await ask("UpdateTrainingJob", {
      TrainingJobName: "shape-1",
      ResourceConfig: { KeepAlivePeriodInSeconds: 0 },
    });
    await ask("StopTrainingJob", { TrainingJobName: "shape-1" });
    await ask("StopProcessingJob", { ProcessingJobName: "shape-1" });
    await ask("AddTags", { ResourceArn, Tags: [{ Key: "team", Value: "x" }] });
    await ask("ListTags", { ResourceArn });
    const { TrainingPlanOfferings: offers } = await ask("SearchTrainingPlanOfferings", {
      InstanceType: "ml.p5en.48xlarge",
      InstanceCount: 2,
      DurationHours: 30,
    });
    const { TrainingPlanOfferingId } = offers[0];
    await ask("CreateTrainingPlan", { TrainingPlanName: "bought", TrainingPlanOfferingId });
    await ask("DescribeTrainingPlan", { TrainingPlanName: "bought" });
    await ask("DeleteTrainingJob", { TrainingJobName });
    await region.advance(300);
    await ask("DeleteProcessingJob", { ProcessingJobName: "shape-1" });
  });
});
