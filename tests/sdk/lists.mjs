// The list shapes that the guide documents, written by hand, and how each refused one is mended by
// one member.
import { plan } from "./region.mjs";

const P5 = "ml.p5.48xlarge";

export const accepted = {
  one_count_for_all: {
    InstanceCount: 3,
    VolumeSizeInGB: 200,
    InstancePreferences: [{ InstanceType: "ml.g6.12xlarge" }, { InstanceType: "ml.g5.12xlarge" }],
  },
  a_count_on_every_entry: {
    VolumeSizeInGB: 200,
    InstancePreferences: [
      { InstanceType: "ml.p4d.24xlarge", InstanceCount: 1 },
      { InstanceType: "ml.g6.48xlarge", InstanceCount: 2 },
      { InstanceType: "ml.g5.48xlarge", InstanceCount: 3 },
    ],
  },
  a_plan_on_an_entry: {
    InstanceCount: 2,
    VolumeSizeInGB: 200,
    InstancePreferences: [
      { InstanceType: P5, TrainingPlanArns: [plan("p5-plan")] },
      { InstanceType: "ml.p4de.24xlarge" },
    ],
  },
  a_plan_for_the_job: {
    InstanceCount: 2,
    VolumeSizeInGB: 200,
    TrainingPlanArn: plan("p5-plan"),
    InstancePreferences: [{ InstanceType: "ml.p4de.24xlarge" }, { InstanceType: P5 }],
  },
  a_single_entry: {
    InstanceCount: 1,
    VolumeSizeInGB: 200,
    InstancePreferences: [{ InstanceType: "ml.g6e.12xlarge" }],
  },
};

export const refused = {
  counts_in_both_places: {
    InstanceCount: 1,
    VolumeSizeInGB: 200,
    InstancePreferences: [
      { InstanceType: "ml.g6.12xlarge", InstanceCount: 1 },
      { InstanceType: "ml.g5.12xlarge", InstanceCount: 2 },
    ],
  },
  counts_nowhere: {
    VolumeSizeInGB: 200,
    InstancePreferences: [{ InstanceType: "ml.g6.12xlarge" }, { InstanceType: "ml.g5.12xlarge" }],
  },
  count_on_some_entries: {
    VolumeSizeInGB: 200,
    InstancePreferences: [
      { InstanceType: "ml.g6.12xlarge" },
      { InstanceType: "ml.g5.12xlarge", InstanceCount: 2 },
      { InstanceType: "ml.g4dn.12xlarge", InstanceCount: 4 },
    ],
  },
  type_twice: {
    InstanceCount: 1,
    VolumeSizeInGB: 200,
    InstancePreferences: [
      { InstanceType: "ml.g6.12xlarge" },
      { InstanceType: "ml.g5.12xlarge" },
      { InstanceType: "ml.g6.12xlarge" },
    ],
  },
  with_instance_type: {
    InstanceCount: 1,
    VolumeSizeInGB: 200,
    InstanceType: "ml.g6.12xlarge",
    InstancePreferences: [{ InstanceType: "ml.g5.12xlarge" }, { InstanceType: "ml.g6.24xlarge" }],
  },
  plan_in_both_places: {
    InstanceCount: 2,
    VolumeSizeInGB: 200,
    TrainingPlanArn: plan("p5-plan"),
    InstancePreferences: [
      { InstanceType: P5, TrainingPlanArns: [plan("p5-plan")] },
      { InstanceType: "ml.p4d.24xlarge" },
    ],
  },
  two_plans_on_one_entry: {
    InstanceCount: 2,
    VolumeSizeInGB: 200,
    InstancePreferences: [
      { InstanceType: P5, TrainingPlanArns: [plan("p5-plan"), plan("p5-next-week")] },
    ],
  },
  empty_list: { InstanceCount: 1, VolumeSizeInGB: 200, InstancePreferences: [] },
};

/** Changes one member, after which the region must accept it. other is a type not in the list. */
export const mends = {
  counts_in_both_places: (list) => delete list.InstanceCount,
  counts_nowhere: (list) => (list.InstanceCount = 1),
  count_on_some_entries: (list) =>
    (list.InstancePreferences.find((entry) => !entry.InstanceCount).InstanceCount = 1),
  type_twice: (list, other) => (list.InstancePreferences.at(-1).InstanceType = other),
  with_instance_type: (list) => delete list.InstanceType,
  plan_in_both_places: (list) => delete list.TrainingPlanArn,
  two_plans_on_one_entry: (list) =>
    list.InstancePreferences.find((entry) => entry.TrainingPlanArns?.length > 1).TrainingPlanArns.pop(),
  empty_list: (list, other) => (list.InstancePreferences = [{ InstanceType: other }]),
};

/** Accelerated types with a quota of 16: a job that waits for them holds nothing. */
const pool = [
  "ml.g4dn.12xlarge", "ml.g5.12xlarge", "ml.g5.24xlarge", "ml.g5.48xlarge", "ml.g6.12xlarge",
  "ml.g6.24xlarge", "ml.g6.48xlarge", "ml.g6e.12xlarge", "ml.g6e.24xlarge", "ml.g6e.48xlarge",
  "ml.p4d.24xlarge", "ml.p4de.24xlarge", "ml.p5e.48xlarge", "ml.p6-b200.48xlarge",
  "ml.trn1.32xlarge", "ml.trn2.48xlarge",
];

/** The same shape with other types, counts and sizes, and up to five entries; a type that stands
 * twice still does, and one that a plan serves stays. */
export function vary(list, random) {
  const types = random.shuffle(pool);
  const renamed = new Map([[P5, P5]]);
  const rename = (type) => {
    if (!renamed.has(type)) renamed.set(type, types.pop());
    return renamed.get(type);
  };
  const entries = list.InstancePreferences;
  const counted = entries.some((entry) => entry.InstanceCount);
  const more = entries.length === 0 ? 0 : random.between(0, 5 - entries.length);
  const wider = Array.from({ length: more }, (_, i) => ({
    InstanceType: `more-${i}`,
    ...(counted && { InstanceCount: 1 }),
  }));
  const copy = JSON.parse(
    JSON.stringify({ ...list, InstancePreferences: [...wider, ...entries] }),
    (key, value) => {
      if (key === "InstanceType") return rename(value);
      if (key === "InstanceCount") return random.between(1, 4);
      if (key === "VolumeSizeInGB") return random.between(1, 16000);
      return value;
    },
  );
  return { list: copy, other: types.pop() };
}
