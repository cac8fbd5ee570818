// Search as an SDK sees it: whole records, pages, a lag, a refusal of its own.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  CreateTrainingJobCommand,
  DescribeTrainingJobCommand,
  SearchCommand,
  StopTrainingJobCommand,
  paginateSearch,
} from "@aws-sdk/client-sagemaker";
import { clientFor, startRegion, trainingJob } from "./region.mjs";

let region, client;
before(async () => {
  region = await startRegion("--scenario", "still", "--jobs", "237", "--rate", "0");
  client = clientFor(region);
  await region.advance(10);
});
after(async () => {
  client.destroy();
  assert.equal(await region.stop(), 0);
});

const filters = (...rows) => ({
  Filters: rows.map(([Name, Operator, Value]) => ({ Name, Operator, Value })),
});
async function searchAll(input, pageSize = 100) {
  const jobs = [];
  const lengths = [];
  const wanted = { Resource: "TrainingJob", ...input };
  for await (const page of paginateSearch({ client, pageSize }, wanted)) {
    jobs.push(...page.Results.map((row) => row.TrainingJob));
    lengths.push(page.Results.length);
  }
  return { jobs, lengths };
}
const truth = async () => (await region.state()).jobs.filter((job) => job.kind === "training");

describe("search", () => {
  test("finds every training job once, the last changed first", async () => {
    const wanted = await truth();
    const { jobs, lengths } = await searchAll({}, 30);
    assert.deepEqual(
      jobs.map((job) => job.TrainingJobName).sort(),
      wanted.map((job) => job.name).sort(),
    );
    assert.ok(lengths.slice(0, -1).every((length) => length === 30), "pages are full");
    const times = jobs.map((job) => job.LastModifiedTime);
    assert.deepEqual(times, [...times].sort((a, b) => b - a));
  });
  test("filters before the page is cut", async () => {
    for (const status of ["InProgress", "Failed", "Stopped"]) {
      const wanted = (await truth()).filter((job) => job.status === status);
      const { jobs } = await searchAll({
        SearchExpression: filters(["TrainingJobStatus", "Equals", status]),
      });
      assert.deepEqual(
        jobs.map((job) => job.TrainingJobName).sort(),
        wanted.map((job) => job.name).sort(),
      );
    }
    const { jobs } = await searchAll({
      SearchExpression: filters(
        ["TrainingJobStatus", "In", "InProgress,Stopping"],
        ["TrainingJobName", "Contains", "llm"],
      ),
    });
    assert.ok(jobs.length > 0 && jobs.every((job) => job.TrainingJobName.includes("llm")));
  });
  test("by a time as text", async () => {
    const { jobs: all } = await searchAll({});
    const at = new Date(Math.ceil(all[20].LastModifiedTime / 1000) * 1000);
    const { jobs } = await searchAll({
      SearchExpression: filters([
        "LastModifiedTime", "GreaterThan", at.toISOString().replace(".000", ""),
      ]),
    });
    assert.deepEqual(
      jobs.map((job) => job.TrainingJobName),
      all.filter((job) => job.LastModifiedTime > at).map((job) => job.TrainingJobName),
    );
  });
  test("a record is what Describe says, and the tags", async () => {
    const { jobs } = await searchAll({ SearchExpression: filters(["TrainingJobName", "Contains", "llm-ft"]) });
    for (const { Tags, ...record } of jobs.slice(0, 5)) {
      const { $metadata, ...whole } = await client.send(
        new DescribeTrainingJobCommand({ TrainingJobName: record.TrainingJobName }),
      );
      assert.deepEqual(record, whole);
      assert.ok(Tags.some((tag) => tag.Key === "team"));
    }
  });
  test("is behind by the lag that it was given", async () => {
    const TrainingJobName = "seen-late";
    const expression = { SearchExpression: filters(["TrainingJobName", "Equals", TrainingJobName]) };
    await region.control("lag", { seconds: 60 });
    await client.send(
      new CreateTrainingJobCommand(
        trainingJob(TrainingJobName, {
          InstanceCount: 1,
          VolumeSizeInGB: 1,
          InstancePreferences: [{ InstanceType: "ml.p6-b300.48xlarge" }],
        }),
      ),
    );
    await region.advance(40);
    assert.equal((await searchAll(expression)).jobs.length, 0);
    await client.send(new StopTrainingJobCommand({ TrainingJobName }));
    await region.advance(30);
    assert.equal((await searchAll(expression)).jobs[0].TrainingJobStatus, "InProgress");
    await region.advance(60);
    assert.equal((await searchAll(expression)).jobs[0].TrainingJobStatus, "Stopped");
    await region.control("lag", { seconds: 3 });
  });
  test("can be denied alone", async () => {
    await region.control("fault", { operation: "Search", code: "AccessDeniedException" });
    await assert.rejects(searchAll({}), { name: "AccessDeniedException" });
    await searchAll({});
  });
  test("refuses properties that are none", async () => {
    await assert.rejects(searchAll({ SearchExpression: filters(["Colour", "Equals", "red"]) }), {
      name: "ValidationException",
      message: "Unknown property name: Colour",
    });
  });
});
