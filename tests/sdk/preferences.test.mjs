// Preference lists: what is accepted comes back as it was sent, what is refused is refused by a
// message of its own, whatever types, counts and sizes it has.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  CreateProcessingJobCommand,
  CreateTrainingJobCommand,
  DescribeProcessingJobCommand,
  DescribeTrainingJobCommand,
} from "@aws-sdk/client-sagemaker";
import {
  clientFor,
  documentedLists,
  plan,
  processingJob,
  seeded,
  startRegion,
  trainingJob,
  withOwnPlans,
} from "./region.mjs";
import { accepted, mends, refused, vary } from "./lists.mjs";

const SEED = 20261130;
const VARIANTS = 20;
const documented = documentedLists();

let region, client;
let number = 0;
before(async () => {
  region = await startRegion("--scenario", "empty");
  client = clientFor(region);
});
after(async () => {
  client.destroy();
  assert.equal(await region.stop(), 0);
});

const create = async (list, changes) => {
  const name = `list-${++number}`;
  await client.send(new CreateTrainingJobCommand(trainingJob(name, list, changes)));
  return name;
};
const describeJob = (name) =>
  client.send(new DescribeTrainingJobCommand({ TrainingJobName: name }));

const refuse = async (list, changes) => {
  const error = await create(list, changes).then(
    () => assert.fail(`accepted: ${JSON.stringify(list)}`),
    (reason) => reason,
  );
  assert.equal(error.name, "ValidationException", JSON.stringify(list));
  await assert.rejects(describeJob(`list-${number}`), { name: "ResourceNotFound" });
  return error.message;
};
/** The message without what belongs to one request: quoted values, type names and places. */
const wording = (message) => message.replace(/'[^']*'/g, "'…'").replace(/\d+/g, "#");

/** The resources that went in, plus nothing but the choice. */
const assertEchoed = async (name, list) => {
  const { SelectedInstanceType, SelectedInstanceCount, ...resources } = (await describeJob(name))
    .ResourceConfig;
  assert.deepEqual(resources, list);
  assert.equal(SelectedInstanceType === undefined, SelectedInstanceCount === undefined);
};

describe("accepted", () => {
  for (const [name, list] of Object.entries(accepted))
    test(name, async () => assertEchoed(await create(list), list));
  test("the documented lists", { skip: !documented }, async () => {
    assert.equal(documented.accepted.length, 4);
    for (const list of documented.accepted.map(withOwnPlans))
      await assertEchoed(await create(list), list);
  });
  test("five entries", async () => {
    const { list } = vary(
      {
        InstanceCount: 1,
        InstancePreferences: ["a", "b", "c", "d", "e"].map((type) => ({ InstanceType: type })),
      },
      seeded(SEED),
    );
    await assertEchoed(await create(list), list);
  });
  test("a pending limit of 1800 s, as the guide shows", async () => {
    const name = await create(accepted.one_count_for_all, {
      StoppingCondition: { MaxRuntimeInSeconds: 3600, MaxPendingTimeInSeconds: 1800 },
    });
    assert.equal((await describeJob(name)).StoppingCondition.MaxPendingTimeInSeconds, 1800);
  });
});

describe("refused", () => {
  const sources = documented
    ? { "by hand": refused, documented: withOwnPlans(documented.rejected) }
    : { "by hand": refused };
  for (const [source, lists] of Object.entries(sources)) {
    test(`8 rules, 8 messages, ${source}`, async () => {
      const messages = [];
      for (const list of Object.values(lists)) messages.push(wording(await refuse(list)));
      assert.equal(messages.length, 8);
      assert.equal(new Set(messages).size, 8, messages.join("\n"));
    });
    for (const [rule, list] of Object.entries(lists))
      test(`${rule}, ${source}: ${VARIANTS} variants (seed ${SEED})`, async () => {
        const random = seeded(SEED);
        const expected = wording(await refuse(list));
        for (let i = 0; i < VARIANTS; i++) {
          const variant = vary(list, random);
          assert.equal(wording(await refuse(variant.list)), expected);
          mends[rule](variant.list, variant.other);
          await assertEchoed(await create(variant.list), variant.list);
        }
      });
  }

  const list = accepted.one_count_for_all;
  const others = {
    "more than five entries": [
      {
        InstanceCount: 1,
        InstancePreferences: [1, 2, 4, 8, 12, 16].map((n) => ({
          InstanceType: `ml.g6.${n === 1 ? "" : n}xlarge`,
        })),
      },
    ],
    "beside InstanceGroups": [
      {
        ...list,
        InstanceGroups: [
          { InstanceType: "ml.g5.12xlarge", InstanceCount: 1, InstanceGroupName: "g" },
        ],
      },
    ],
    "beside InstancePlacementConfig": [
      { ...list, InstancePlacementConfig: { EnableMultipleJobs: true } },
    ],
    "with managed spot": [
      list,
      {
        EnableManagedSpotTraining: true,
        StoppingCondition: { MaxRuntimeInSeconds: 60, MaxWaitTimeInSeconds: 60 },
      },
    ],
    "with a choice already made": [{ ...list, SelectedInstanceType: "ml.g6.12xlarge" }],
    "with a count already chosen": [{ ...list, SelectedInstanceCount: 3 }],
    "a plan of another type": [
      {
        InstanceCount: 1,
        InstancePreferences: [
          { InstanceType: "ml.p4d.24xlarge", TrainingPlanArns: [plan("p5-plan")] },
        ],
      },
    ],
    "a job's plan that no entry matches": [{ ...list, TrainingPlanArn: plan("p5-plan") }],
    "a type that does not exist": [
      { InstanceCount: 1, InstancePreferences: [{ InstanceType: "ml.p5.49xlarge" }] },
    ],
    "an entry's count of 0": [
      { InstancePreferences: [{ InstanceType: "ml.g6.12xlarge", InstanceCount: 0 }] },
    ],
    "neither a list nor a type": [{ InstanceCount: 1, VolumeSizeInGB: 5 }],
  };
  test("the other rules, each by its own message", async () => {
    const messages = new Map();
    for (const [name, [resources, changes]] of Object.entries(others))
      messages.set(wording(await refuse(resources, changes)), name);
    assert.equal(messages.size, Object.keys(others).length);
  });
  test("a plan that is not there", async () => {
    const lost = structuredClone(accepted.a_plan_on_an_entry);
    lost.InstancePreferences[0].TrainingPlanArns = [plan("no-such-plan")];
    await assert.rejects(create(lost), { name: "ResourceNotFound" });
  });
});

describe("processing jobs", () => {
  const shapes = {
    "one count": {
      InstanceCount: 2,
      InstancePreferences: [{ InstanceType: "ml.g6.2xlarge" }, { InstanceType: "ml.g5.2xlarge" }],
    },
    "a count each": {
      InstancePreferences: [
        { InstanceType: "ml.g6.2xlarge", InstanceCount: 1 },
        { InstanceType: "ml.g5.2xlarge", InstanceCount: 3 },
      ],
    },
  };
  for (const [name, cluster] of Object.entries(shapes))
    test(`${name} comes back, then the choice beside it`, async () => {
      const job = `work-${++number}`;
      await client.send(new CreateProcessingJobCommand(processingJob(job, cluster)));
      const ask = async () =>
        client.send(new DescribeProcessingJobCommand({ ProcessingJobName: job }));
      const waiting = await ask();
      assert.equal(waiting.ProcessingStartTime, undefined);
      assert.deepEqual(waiting.ProcessingResources.ClusterConfig, {
        VolumeSizeInGB: 50,
        ...cluster,
      });
      await region.capacity("ml.g5.2xlarge", 3);
      await region.advance(3); // the choice is told a moment after the start
      const running = await ask();
      assert.ok(running.ProcessingStartTime);
      assert.deepEqual(running.ProcessingResources.ClusterConfig, {
        VolumeSizeInGB: 50,
        ...cluster,
        SelectedInstanceType: "ml.g5.2xlarge",
        SelectedInstanceCount: cluster.InstanceCount ?? 3,
      });
      await region.capacity("ml.g5.2xlarge", 0);
    });
  test("refused in both places", async () => {
    const cluster = { ...shapes["a count each"], InstanceCount: 1 };
    await assert.rejects(
      client.send(new CreateProcessingJobCommand(processingJob("work-bad", cluster))),
      { name: "ValidationException", message: /both/ },
    );
  });
});
