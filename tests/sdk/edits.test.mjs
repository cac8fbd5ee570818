// Tags, updates, deletion, plans in pages and warm pools as an SDK sees them.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  AddTagsCommand,
  CreateTrainingJobCommand,
  DeleteProcessingJobCommand,
  DeleteTrainingJobCommand,
  DescribeTrainingJobCommand,
  ListProcessingJobsCommand,
  ListTagsCommand,
  ListTrainingJobsCommand,
  SearchCommand,
  StopTrainingJobCommand,
  UpdateTrainingJobCommand,
  paginateListTrainingPlans,
} from "@aws-sdk/client-sagemaker";
import { clientFor, startRegion, trainingJob } from "./region.mjs";

let region, client;
before(async () => {
  region = await startRegion("--rate", "0");
  client = clientFor(region);
});
after(async () => {
  client.destroy();
  assert.equal(await region.stop(), 0);
});
const send = (command, input) => client.send(new command(input));
const describeJob = (TrainingJobName) => send(DescribeTrainingJobCommand, { TrainingJobName });

/** A job that waits: no instance of that type is there. */
async function waiting(TrainingJobName, changes) {
  const resources = { InstanceType: "ml.p6-b300.48xlarge", InstanceCount: 1, VolumeSizeInGB: 9 };
  const { TrainingJobArn } = await send(
    CreateTrainingJobCommand,
    trainingJob(TrainingJobName, { ...resources, ...changes }, { Tags: [{ Key: "team", Value: "a" }] }),
  );
  return TrainingJobArn;
}

describe("a record", () => {
  test("takes tags, and gives them back", async () => {
    const ResourceArn = await waiting("tagged");
    await send(AddTagsCommand, { ResourceArn, Tags: [{ Key: "cost", Value: "Ä 7" }] });
    const { Tags } = await send(ListTagsCommand, { ResourceArn });
    assert.deepEqual(Tags, [{ Key: "team", Value: "a" }, { Key: "cost", Value: "Ä 7" }]);
    await assert.rejects(
      send(AddTagsCommand, { ResourceArn, Tags: [{ Key: "aws:x", Value: "" }] }),
      { name: "ValidationException" },
    );
    await assert.rejects(send(ListTagsCommand, { ResourceArn: `${ResourceArn}x` }), {
      name: "ResourceNotFound",
    });
  });
  test("takes another keep-alive time, but no other list", async () => {
    const TrainingJobName = "kept";
    await waiting(TrainingJobName, { KeepAlivePeriodInSeconds: 600 });
    await send(UpdateTrainingJobCommand, {
      TrainingJobName,
      ResourceConfig: { KeepAlivePeriodInSeconds: 60 },
    });
    const { ResourceConfig } = await describeJob(TrainingJobName);
    assert.equal(ResourceConfig.KeepAlivePeriodInSeconds, 60);
    assert.equal(ResourceConfig.InstanceType, "ml.p6-b300.48xlarge");
  });
  test("is deleted once its job has ended", async () => {
    const TrainingJobName = "gone";
    await waiting(TrainingJobName);
    await assert.rejects(send(DeleteTrainingJobCommand, { TrainingJobName }), {
      name: "ResourceInUse",
    });
    await send(StopTrainingJobCommand, { TrainingJobName });
    await region.advance(30);
    await send(DeleteTrainingJobCommand, { TrainingJobName });
    assert.equal((await describeJob(TrainingJobName)).TrainingJobStatus, "Deleting");
    await region.advance(30);
    await assert.rejects(describeJob(TrainingJobName), { name: "ResourceNotFound" });
    const { ProcessingJobSummaries } = await send(ListProcessingJobsCommand, {});
    const { ProcessingJobName } = ProcessingJobSummaries[0];
    await send(DeleteProcessingJobCommand, { ProcessingJobName });
    await region.advance(30);
    const left = await send(ListProcessingJobsCommand, { MaxResults: 100 });
    assert.ok(left.ProcessingJobSummaries.every((job) => job.ProcessingJobName !== ProcessingJobName));
  });
});

describe("a busy account", () => {
  test("has a warm pool that holds its quota", async () => {
    const { TrainingJobSummaries } = await send(ListTrainingJobsCommand, {
      WarmPoolStatusEquals: "Available", MaxResults: 100, SortBy: "CreationTime", SortOrder: "Descending",
    });
    const [job] = TrainingJobSummaries;
    assert.equal(job.TrainingJobStatus, "Completed");
    const { quotas } = await region.state();
    assert.ok(quotas.some((row) => row.holders.includes(job.TrainingJobName)));
    await region.advance(2 * 3600);
    const { WarmPoolStatus } = await describeJob(job.TrainingJobName);
    assert.match(WarmPoolStatus.Status, /^(Terminated|Reused)$/);
    assert.ok(WarmPoolStatus.ResourceRetainedBillableTimeInSeconds > 0);
  });
  test("has the children of a tuning job, groups and serverless jobs", async () => {
    const jobs = [];
    for (const Value of ["hpo-", "dlrm-", "serverless"]) {
      const Filters = [{ Name: "TrainingJobName", Operator: "Contains", Value }];
      const { Results } = await send(SearchCommand, {
        Resource: "TrainingJob",
        SearchExpression: { Filters },
      });
      jobs.push(...Results.map((row) => row.TrainingJob));
    }
    assert.ok(jobs.some((job) => job.TuningJobArn?.includes(":hyper-parameter-tuning-job/")));
    assert.ok(jobs.some((job) => job.ResourceConfig?.InstanceGroups?.length === 2));
    assert.ok(jobs.some((job) => !job.ResourceConfig));
  });
  test("has plans, in pages", async () => {
    const names = [];
    for await (const page of paginateListTrainingPlans({ client, pageSize: 2 }, { SortBy: "StartTime", SortOrder: "Ascending" }))
      names.push(page.TrainingPlanSummaries.map((plan) => plan.TrainingPlanName));
    assert.deepEqual(names, [["trn2-expired", "p5en-two-windows"], ["p5-plan", "p4d-full"], ["p5-next-week"]]);
  });
});
