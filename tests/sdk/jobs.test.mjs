// The life of jobs as an SDK sees it: lists with pages, descriptions, stops, refusals.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  CreateTrainingJobCommand,
  CreateProcessingJobCommand,
  DescribeTrainingJobCommand,
  DescribeTrainingPlanCommand,
  ListProcessingJobsCommand,
  ListTrainingJobsCommand,
  ListTrainingPlansCommand,
  StopTrainingJobCommand,
  paginateListProcessingJobs,
  paginateListTrainingJobs,
} from "@aws-sdk/client-sagemaker";
import { clientFor, plan, processingJob, startRegion, trainingJob } from "./region.mjs";

let region, client;
before(async () => {
  region = await startRegion("--scenario", "still", "--jobs", "237", "--rate", "0");
  client = clientFor(region);
});
after(async () => {
  client.destroy();
  assert.equal(await region.stop(), 0);
});

const list = { InstanceCount: 1, InstancePreferences: [{ InstanceType: "ml.p6-b300.48xlarge" }] };
const create = (name, resources = list, changes) =>
  client.send(new CreateTrainingJobCommand(trainingJob(name, resources, changes)));
const describeJob = (name) =>
  client.send(new DescribeTrainingJobCommand({ TrainingJobName: name }));

/** Every page of a paginator: the items of all, and the length of each. */
async function walk(paginate, member, input, pageSize) {
  const items = [];
  const lengths = [];
  for await (const page of paginate({ client, pageSize }, input)) {
    items.push(...page[member]);
    lengths.push(page[member].length);
  }
  return { items, lengths };
}

describe("lists", () => {
  test("pages hold every job once, in order", async () => {
    const { jobs } = await region.state();
    for (const [kind, paginate, member, name] of [
      ["training", paginateListTrainingJobs, "TrainingJobSummaries", "TrainingJobName"],
      ["processing", paginateListProcessingJobs, "ProcessingJobSummaries", "ProcessingJobName"],
    ]) {
      const expected = jobs.filter((job) => job.kind === kind).map((job) => job.name);
      assert.ok(expected.length > 40);
      for (const [SortBy, SortOrder, wanted] of [
        ["CreationTime", "Ascending", expected],
        ["CreationTime", "Descending", [...expected].reverse()],
        ["Name", "Ascending", [...expected].sort()],
        ["Name", "Descending", [...expected].sort().reverse()],
      ]) {
        const { items } = await walk(paginate, member, { SortBy, SortOrder }, 7);
        assert.deepEqual(items.map((item) => item[name]), wanted, `${kind} ${SortBy} ${SortOrder}`);
      }
    }
  });
  test("by status, whole", async () => {
    const { items } = await walk(
      paginateListTrainingJobs, "TrainingJobSummaries", { SortBy: "Status" }, 9,
    );
    const words = items.map((item) => item.TrainingJobStatus);
    assert.deepEqual(words, [...words].sort());
    assert.equal(new Set(items.map((item) => item.TrainingJobName)).size, items.length);
  });
  test("a page has ten jobs unless told otherwise", async () => {
    const page = await client.send(new ListTrainingJobsCommand({}));
    assert.equal(page.TrainingJobSummaries.length, 10);
    assert.ok(page.NextToken);
    const whole = await client.send(new ListTrainingJobsCommand({ MaxResults: 100 }));
    assert.equal(whole.TrainingJobSummaries.length, 100);
    await assert.rejects(client.send(new ListTrainingJobsCommand({ MaxResults: 101 })), {
      name: "ValidationException",
      message: /'maxResults'.*less than or equal to 100/,
    });
  });
  test("StatusEquals filters a page that has been cut already", async () => {
    const { jobs } = await region.state();
    for (const StatusEquals of ["Failed", "InProgress", "Stopped"]) {
      const wanted = jobs.filter((job) => job.kind === "training" && job.status === StatusEquals);
      const { items, lengths } = await walk(
        paginateListTrainingJobs, "TrainingJobSummaries", { StatusEquals }, 10,
      );
      assert.deepEqual(
        items.map((item) => item.TrainingJobName).sort(),
        wanted.map((job) => job.name).sort(),
      );
      assert.ok(lengths.slice(0, -1).some((length) => length < 10), "short pages are normal");
    }
  });
  test("NameContains and LastModifiedTime filter the same way", async () => {
    const { jobs } = await region.state();
    const stem = "sdxl-lora";
    const named = await walk(
      paginateListTrainingJobs, "TrainingJobSummaries", { NameContains: stem }, 10,
    );
    assert.equal(named.items.length, jobs.filter((job) => job.name.includes(stem)).length);
    const half = named.items[Math.floor(named.items.length / 2)].LastModifiedTime;
    const later = await walk(
      paginateListTrainingJobs,
      "TrainingJobSummaries",
      { NameContains: stem, LastModifiedTimeAfter: half },
      10,
    );
    assert.ok(later.items.length < named.items.length);
    assert.ok(later.items.every((item) => item.LastModifiedTime > half));
  });
  test("CreationTimeAfter bounds the walk itself", async () => {
    const all = await walk(paginateListTrainingJobs, "TrainingJobSummaries", {}, 100);
    const at = all.items[all.items.length - 21].CreationTime;
    const { items, lengths } = await walk(
      paginateListTrainingJobs, "TrainingJobSummaries", { CreationTimeAfter: at }, 100,
    );
    assert.equal(lengths.length, 1);
    assert.equal(items.length, 20);
    const before = await walk(
      paginateListTrainingJobs, "TrainingJobSummaries", { CreationTimeBefore: at }, 100,
    );
    assert.equal(before.items.length, all.items.length - 21);
  });
  test("a token of another query is refused", async () => {
    const { NextToken } = await client.send(new ListTrainingJobsCommand({ MaxResults: 5 }));
    for (const input of [
      { NextToken: "AAAA" },
      { NextToken, SortOrder: "Descending" },
      { NextToken: NextToken.replace(/./, (c) => (c === "0" ? "1" : "0")) },
    ])
      await assert.rejects(client.send(new ListTrainingJobsCommand(input)), {
        name: "ValidationException",
        message: "Invalid NextToken",
      });
    await client.send(new ListTrainingJobsCommand({ NextToken, MaxResults: 50 }));
  });
  test("times have fractions and summaries no instance", async () => {
    const { TrainingJobSummaries: page } = await client.send(
      new ListTrainingJobsCommand({ SortBy: "CreationTime", SortOrder: "Descending" }),
    );
    for (const item of page) {
      assert.ok(item.CreationTime instanceof Date);
      assert.ok(item.LastModifiedTime >= item.CreationTime);
      assert.equal(item.ResourceConfig, undefined);
    }
    const ended = await client.send(new ListProcessingJobsCommand({ StatusEquals: "Completed" }));
    assert.ok(ended.ProcessingJobSummaries.every((item) => item.ProcessingEndTime));
  });
});

describe("plans", () => {
  test("p5-plan is active, others are scheduled, full and expired", async () => {
    const { TrainingPlanSummaries: plans } = await client.send(new ListTrainingPlansCommand({}));
    const by = Object.fromEntries(plans.map((row) => [row.TrainingPlanName, row]));
    assert.equal(by["p5-plan"].TrainingPlanArn, plan("p5-plan"));
    assert.equal(by["p5-plan"].Status, "Active");
    assert.equal(by["p5-plan"].TotalInstanceCount, 4);
    assert.equal(by["p5-plan"].ReservedCapacitySummaries[0].InstanceType, "ml.p5.48xlarge");
    const kinds = plans.map((row) => row.Status);
    assert.ok(kinds.includes("Scheduled") && kinds.includes("Expired"));
    assert.ok(plans.some((row) => row.Status === "Active" && row.AvailableInstanceCount === 0));
    const one = await client.send(
      new DescribeTrainingPlanCommand({ TrainingPlanName: "p5-plan" }),
    );
    assert.equal(one.InUseInstanceCount + one.AvailableInstanceCount, 4);
  });
});

describe("a job", () => {
  test("waits, gets its instance, runs and is stopped", async () => {
    const resources = {
      VolumeSizeInGB: 10,
      InstancePreferences: [
        { InstanceType: "ml.p5e.48xlarge", InstanceCount: 2 },
        { InstanceType: "ml.g7e.48xlarge", InstanceCount: 3 },
      ],
    };
    const TrainingJobName = "a-whole-life";
    const { TrainingJobArn } = await create(TrainingJobName, resources);
    assert.equal(
      TrainingJobArn,
      `arn:aws:sagemaker:us-east-1:111122223333:training-job/${TrainingJobName}`,
    );
    const waiting = await describeJob(TrainingJobName);
    assert.equal(waiting.SecondaryStatus, "Pending");
    assert.equal(waiting.TrainingStartTime, undefined);
    assert.match(waiting.SecondaryStatusTransitions.at(-1).StatusMessage, /Insufficient capacity/);
    assert.ok((await region.state()).queue.includes(TrainingJobName));

    await region.advance(600);
    await region.capacity("ml.g7e.48xlarge", 2);
    assert.equal((await describeJob(TrainingJobName)).SecondaryStatus, "Pending", "2 are not 3");
    await region.capacity("ml.g7e.48xlarge", 3);
    await region.advance(60);
    const running = await describeJob(TrainingJobName);
    assert.equal(running.SecondaryStatus, "Training");
    assert.equal(running.ResourceConfig.SelectedInstanceType, "ml.g7e.48xlarge");
    assert.equal(running.ResourceConfig.SelectedInstanceCount, 3);
    const [first] = running.SecondaryStatusTransitions;
    assert.equal(first.Status, "Pending");
    assert.ok(first.EndTime - first.StartTime >= 600_000);
    assert.deepEqual(first.EndTime, running.TrainingStartTime);
    const truth = (await region.state()).jobs.find((job) => job.name === TrainingJobName);
    assert.equal(truth.selected.rank, 2);
    assert.deepEqual(truth.request.ResourceConfig, resources);

    await client.send(new StopTrainingJobCommand({ TrainingJobName }));
    assert.equal((await describeJob(TrainingJobName)).TrainingJobStatus, "Stopping");
    await region.advance(200);
    const stopped = await describeJob(TrainingJobName);
    assert.equal(stopped.TrainingJobStatus, "Stopped");
    assert.ok(stopped.BillableTimeInSeconds >= 60);
    const pool = (await region.state()).pools.find((row) => row.instance_type === "ml.g7e.48xlarge");
    assert.equal(pool.free, 3);
    await assert.rejects(client.send(new StopTrainingJobCommand({ TrainingJobName })), {
      name: "ValidationException",
      message: "The request was rejected because the training job is in status Stopped.",
    });
  });
  test("that waits is stopped without cost", async () => {
    const TrainingJobName = "never-started";
    await create(TrainingJobName);
    await client.send(new StopTrainingJobCommand({ TrainingJobName }));
    await region.advance(30);
    const job = await describeJob(TrainingJobName);
    assert.equal(job.TrainingJobStatus, "Stopped");
    assert.equal(job.TrainingStartTime, undefined);
    assert.equal(job.BillableTimeInSeconds, 0);
    assert.equal(job.ResourceConfig.SelectedInstanceType, undefined);
  });
  test("with a name that is taken is refused with the other one's ARN", async () => {
    const { TrainingJobArn } = await create("taken");
    await assert.rejects(create("taken"), (error) => {
      assert.equal(error.name, "ResourceInUse");
      assert.ok(error.message.includes(TrainingJobArn));
      return true;
    });
    await client.send(
      new CreateProcessingJobCommand(
        processingJob("taken", { InstanceType: "ml.m5.xlarge", InstanceCount: 1 }),
      ),
    );
  });
  test("that nobody knows is not found", async () => {
    for (const command of [DescribeTrainingJobCommand, StopTrainingJobCommand])
      await assert.rejects(client.send(new command({ TrainingJobName: "nobody" })), {
        name: "ResourceNotFound",
        message: "Requested resource not found.",
      });
  });
  test("without quota is refused, even for an entry that would never be chosen", async () => {
    await assert.rejects(
      create("no-quota", { InstanceType: "ml.p3.2xlarge", InstanceCount: 1, VolumeSizeInGB: 5 }),
      (error) => {
        assert.equal(error.name, "ResourceLimitExceeded");
        assert.ok(
          error.message.startsWith(
            "The account-level service limit 'ml.p3.2xlarge for training job usage' is 0 " +
              "Instances, with current utilization of 0 Instances and a request delta of 1 " +
              "Instances.",
          ),
        );
        return true;
      },
    );
    await assert.rejects(
      create("one-weak-entry", {
        InstancePreferences: [
          { InstanceType: "ml.g6.48xlarge", InstanceCount: 9 },
          { InstanceType: "ml.p5en.48xlarge", InstanceCount: 3 },
        ],
      }),
      { name: "ResourceLimitExceeded", message: /'ml\.p5en\.48xlarge .* is 2 .* delta of 3 / },
    );
    await create("just-enough", {
      InstancePreferences: [
        { InstanceType: "ml.g6.48xlarge", InstanceCount: 9 },
        { InstanceType: "ml.p5en.48xlarge", InstanceCount: 2 },
      ],
    });
  });
  test("with several faults is told all of them", async () => {
    await assert.rejects(
      create("bad name", { InstanceType: "ml.p5.49xlarge", InstanceCount: -1, VolumeSizeInGB: 5 }),
      {
        name: "ValidationException",
        message:
          /^3 validation errors detected: Value 'bad name' at 'trainingJobName' .*; Value 'ml\.p5\.49xlarge' at 'resourceConfig\.instanceType' .*\[ml\..*\]; Value '-1' at 'resourceConfig\.instanceCount' /,
      },
    );
  });
});
