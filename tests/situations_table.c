/* The forty situations. Types: p5, p4d, g6e.48xlarge and g5.12xlarge have nothing free in this
 * region, g5.2xlarge has; p5-next-week begins in a day, p5en-two-windows is between its windows,
 * p4d-full has both instances in use. */
#include "tests/situations.h"

#define HOUR   3600
#define MINUTE 60

#define ONE(type, count)   "\"InstanceType\":\"ml." type "\",\"InstanceCount\":" #count
#define ENTRY(type, count) "{\"InstanceType\":\"ml." type "\",\"InstanceCount\":" #count "}"
#define PLANNED(type, count, plan)                                    \
	"{\"InstanceType\":\"ml." type "\",\"InstanceCount\":" #count \
	",\"TrainingPlanArns\":[\"PLAN" plan "\"]}"
#define LIST(entries) "\"InstancePreferences\":[" entries "]"
#define FREE          ONE("g5.2xlarge", 1)
#define SCARCE        LIST(ENTRY("p5.48xlarge", 2) "," ENTRY("p4d.24xlarge", 4))

#define PENDING_6H  "\"MaxRuntimeInSeconds\":86400,\"MaxPendingTimeInSeconds\":21600"
#define PENDING_2H  "\"MaxRuntimeInSeconds\":86400,\"MaxPendingTimeInSeconds\":7200"
#define SPOT        "\"EnableManagedSpotTraining\":true"
#define SPOT_LIMITS "\"MaxRuntimeInSeconds\":3600,\"MaxWaitTimeInSeconds\":86400"

#define NO_CAPACITY "Insufficient capacity error from EC2 while launching instances, retrying!"
#define SAYS(text)  "\"status_message\":\"" text "\""
#define IS(word)    "\"secondary_status\":\"" word "\""
#define ENDS(word)  "\"status\":\"" word "\""
#define WHY(text)   "\"failure_reason\":\"" text "\""

const struct situation situations[SITUATIONS] = {
	/* --- pending: capacity --- */
	{ .name = "cap-list",
	  .expected = "capacity",
	  .decided_by = "SecondaryStatus",
	  .age_seconds = 2 * HOUR,
	  .cluster = SCARCE,
	  .stopping = PENDING_6H,
	  .status = "InProgress",
	  .secondary = "Pending" },
	/* The plan would not be waited for if p4d were free: the list waits for either. */
	{ .name = "cap-mixed",
	  .expected = "capacity",
	  .decided_by = "SecondaryStatus",
	  .age_seconds = 3 * HOUR,
	  .cluster = LIST(PLANNED("p5.48xlarge", 4, "p5-next-week") "," ENTRY("p4d.24xlarge", 4)),
	  .stopping = PENDING_6H,
	  .status = "InProgress",
	  .secondary = "Pending" },
	{ .name = "cap-other-message",
	  .expected = "capacity",
	  .decided_by = "SecondaryStatus",
	  .age_seconds = HOUR,
	  .cluster = SCARCE,
	  .steps = { { .age_seconds = 50 * MINUTE,
		       .tell = SAYS("Downloading the training image") } },
	  .status = "InProgress",
	  .secondary = "Pending" },
	/* Launching takes minutes, not two hours. */
	{ .name = "cap-single",
	  .expected = "capacity",
	  .decided_by = "SecondaryStatus",
	  .age_seconds = 2 * HOUR,
	  .cluster = ONE("g6e.48xlarge", 1),
	  .status = "InProgress",
	  .secondary = "Starting" },

	/* --- pending: training plans; the region's own message speaks of capacity --- */
	{ .name = "plan-later-list",
	  .expected = "plan-scheduled",
	  .decided_by = "TrainingPlan.Status",
	  .age_seconds = 7 * HOUR,
	  .cluster = LIST(PLANNED("p5.48xlarge", 4, "p5-next-week")),
	  .stopping = PENDING_2H,
	  .status = "InProgress",
	  .secondary = "Pending" },
	{ .name = "plan-later-single",
	  .expected = "plan-scheduled",
	  .decided_by = "TrainingPlan.Status",
	  .age_seconds = HOUR,
	  .cluster = ONE("p5.48xlarge", 2) ",\"TrainingPlanArn\":\"PLANp5-next-week\"",
	  .steps = { { .age_seconds = 50 * MINUTE, .tell = SAYS(NO_CAPACITY) } },
	  .status = "InProgress",
	  .secondary = "Starting" },
	{ .name = "plan-between-list",
	  .expected = "plan-between-windows",
	  .decided_by = "TrainingPlan.ReservedCapacitySummaries",
	  .age_seconds = 5 * HOUR,
	  .cluster = LIST(PLANNED("p5en.48xlarge", 2, "p5en-two-windows")),
	  .stopping = PENDING_2H,
	  .status = "InProgress",
	  .secondary = "Pending" },
	{ .name = "plan-between-single",
	  .expected = "plan-between-windows",
	  .decided_by = "TrainingPlan.ReservedCapacitySummaries",
	  .age_seconds = 20 * MINUTE,
	  .cluster = ONE("p5en.48xlarge", 1) ",\"TrainingPlanArn\":\"PLANp5en-two-windows\"",
	  .status = "InProgress",
	  .secondary = "Starting" },
	{ .name = "plan-full-list",
	  .expected = "plan-full",
	  .decided_by = "TrainingPlan.AvailableInstanceCount",
	  .age_seconds = HOUR,
	  .cluster = LIST(PLANNED("p4d.24xlarge", 2, "p4d-full")),
	  .status = "InProgress",
	  .secondary = "Pending" },
	{ .name = "plan-full-single",
	  .expected = "plan-full",
	  .decided_by = "TrainingPlan.AvailableInstanceCount",
	  .age_seconds = HOUR,
	  .cluster = ONE("p4d.24xlarge", 1) ",\"TrainingPlanArn\":\"PLANp4d-full\"",
	  .steps = { { .age_seconds = 50 * MINUTE,
		       .tell = SAYS("The training plan has not started yet") } },
	  .status = "InProgress",
	  .secondary = "Starting" },

	/* --- pending: spot --- */
	{ .name = "spot-starting",
	  .expected = "spot-capacity",
	  .decided_by = "EnableManagedSpotTraining",
	  .age_seconds = HOUR,
	  .cluster = ONE("g5.12xlarge", 1),
	  .stopping = SPOT_LIMITS,
	  .more = SPOT,
	  .status = "InProgress",
	  .secondary = "Starting" },
	{ .name = "spot-interrupted",
	  .expected = "spot-capacity",
	  .decided_by = "SecondaryStatus",
	  .age_seconds = HOUR,
	  .cluster = FREE,
	  .stopping = SPOT_LIMITS,
	  .more = SPOT,
	  .steps = { { .age_seconds = 58 * MINUTE, .tell = IS("Training") },
		     { .age_seconds = 20 * MINUTE,
		       .tell = IS("Interrupted") "," SAYS("Downloading input data") } },
	  .status = "InProgress",
	  .secondary = "Interrupted" },

	/* --- pending: what allows no more --- */
	{ .name = "unknown-word",
	  .expected = "unknown",
	  .decided_by = "SecondaryStatus",
	  .age_seconds = HOUR,
	  .cluster = SCARCE,
	  .steps = { { .age_seconds = 50 * MINUTE,
		       .tell = IS("Provisioning") "," SAYS(NO_CAPACITY) } },
	  .status = "InProgress",
	  .secondary = "Provisioning" },
	/* Half a minute: every launch takes longer, whatever the message says. */
	{ .name = "unknown-launching",
	  .expected = "unknown",
	  .decided_by = "SecondaryStatus",
	  .age_seconds = 30,
	  .cluster = ONE("g6e.48xlarge", 1),
	  .status = "InProgress",
	  .secondary = "Starting" },
	/* Of processing AWS tells no reason. */
	{ .name = "unknown-processing",
	  .expected = "unknown",
	  .decided_by = "ProcessingStartTime",
	  .kind = JOB_PROCESSING,
	  .age_seconds = HOUR,
	  .cluster = ONE("g5.12xlarge", 1) ",\"VolumeSizeInGB\":50",
	  .status = "InProgress" },
	/* Nobody will open it again; no class says so. */
	{ .name = "unknown-plan-over",
	  .expected = "unknown",
	  .decided_by = "TrainingPlan.Status",
	  .age_seconds = HOUR,
	  .cluster = LIST(PLANNED("trn2.48xlarge", 4, "trn2-expired")),
	  .status = "InProgress",
	  .secondary = "Pending" },

	/* --- starting --- */
	{ .name = "image-plain",
	  .expected = "image",
	  .decided_by = "SecondaryStatus",
	  .age_seconds = 10 * MINUTE,
	  .cluster = FREE,
	  .steps = { { .age_seconds = 9 * MINUTE,
		       .tell = IS("DownloadingTrainingImage") "," SAYS(
			       "Downloading the training image") } },
	  .status = "InProgress",
	  .secondary = "DownloadingTrainingImage" },
	{ .name = "image-other-message",
	  .expected = "image",
	  .decided_by = "SecondaryStatus",
	  .age_seconds = HOUR,
	  .cluster = FREE,
	  .steps = { { .age_seconds = 50 * MINUTE,
		       .tell = IS("DownloadingTrainingImage") "," SAYS(NO_CAPACITY) } },
	  .status = "InProgress",
	  .secondary = "DownloadingTrainingImage" },
	{ .name = "data-plain",
	  .expected = "data",
	  .decided_by = "SecondaryStatus",
	  .age_seconds = 10 * MINUTE,
	  .cluster = FREE,
	  .steps = { { .age_seconds = 9 * MINUTE,
		       .tell = IS("Downloading") "," SAYS("Downloading input data") } },
	  .status = "InProgress",
	  .secondary = "Downloading" },
	/* Case 017: AWS says so in that status. */
	{ .name = "data-other-message",
	  .expected = "data",
	  .decided_by = "SecondaryStatus",
	  .age_seconds = 10 * MINUTE,
	  .cluster = FREE,
	  .steps = { { .age_seconds = 9 * MINUTE,
		       .tell = IS("Downloading") "," SAYS("Downloading the training image") } },
	  .status = "InProgress",
	  .secondary = "Downloading" },
	/* Instances, and neither image nor data yet. */
	{ .name = "unknown-preparing",
	  .expected = "unknown",
	  .decided_by = "SecondaryStatus",
	  .age_seconds = 20 * MINUTE,
	  .cluster = FREE,
	  .steps = { { .age_seconds = 19 * MINUTE,
		       .tell = IS("PreparingTrainingStack") "," SAYS(
			       "Downloading the training image") } },
	  .status = "InProgress",
	  .secondary = "PreparingTrainingStack" },

	/* --- stopping --- */
	{ .name = "stopping-hangs",
	  .expected = "stopping",
	  .decided_by = "TrainingJobStatus",
	  .age_seconds = 5 * HOUR,
	  .cluster = FREE,
	  .stopping = "\"MaxRuntimeInSeconds\":86400",
	  .steps = { { .age_seconds = 5 * HOUR - 2 * MINUTE, .tell = IS("Training") },
		     { .age_seconds = 2 * HOUR,
		       .tell = ENDS("Stopping") "," IS("Stopping") "," SAYS(NO_CAPACITY) } },
	  .status = "Stopping",
	  .secondary = "Stopping" },
	/* The secondary status is the one it was in: the primary one comes first. */
	{ .name = "stopping-deleting",
	  .expected = "stopping",
	  .decided_by = "TrainingJobStatus",
	  .age_seconds = HOUR,
	  .cluster = SCARCE,
	  .steps = { { .age_seconds = 50 * MINUTE, .tell = ENDS("Deleting") } },
	  .status = "Deleting",
	  .secondary = "Pending" },

	/* --- refused --- */
	{ .name = "quota-used-up",
	  .expected = "quota",
	  .decided_by = "ErrorCode",
	  .cluster = ONE("g5.xlarge", 1),
	  .is_refused = true },
	{ .name = "quota-other-text",
	  .expected = "quota",
	  .decided_by = "ErrorCode",
	  .cluster = SCARCE,
	  .is_refused = true,
	  .code = "ResourceLimitExceeded",
	  .refusal = "We currently do not have sufficient capacity." },
	{ .name = "denied-create",
	  .expected = "permission",
	  .decided_by = "ErrorCode",
	  .cluster = SCARCE,
	  .is_refused = true,
	  .code = "AccessDeniedException",
	  .refusal = "User: arn:aws:iam::111122223333:user/ops is not authorized to "
		     "perform: sagemaker:CreateTrainingJob on resource: "
		     "arn:aws:sagemaker:us-east-1:111122223333:training-job/denied-create "
		     "because no identity-based policy allows the "
		     "sagemaker:CreateTrainingJob action" },
	{ .name = "denied-other-text",
	  .expected = "permission",
	  .decided_by = "ErrorCode",
	  .cluster = FREE,
	  .is_refused = true,
	  .code = "AccessDeniedException",
	  .refusal = "The account-level service limit 'ml.g5.2xlarge for training job "
		     "usage' is 0 Instances, with current utilization of 0 Instances and a "
		     "request delta of 1 Instances." },
	/* facts/sagemaker.md: an endpoint that does not know lists misses the type. */
	{ .name = "unsupported-list",
	  .expected = "unsupported",
	  .decided_by = "ErrorCode",
	  .cluster = SCARCE,
	  .is_refused = true,
	  .code = "ValidationException",
	  .refusal = "1 validation error detected: Value null at "
		     "'resourceConfig.instanceType' failed to satisfy constraint: Member "
		     "must not be null" },
	{ .name = "unsupported-operation",
	  .expected = "unsupported",
	  .decided_by = "ErrorCode",
	  .cluster = FREE,
	  .is_refused = true,
	  .code = "UnknownOperationException",
	  .refusal = "Insufficient capacity error from EC2 while launching instances" },
	{ .name = "request-value",
	  .expected = "request",
	  .decided_by = "ErrorCode",
	  .cluster = FREE,
	  .is_refused = true,
	  .code = "ValidationException",
	  .refusal = "1 validation error detected: Value '3600' at "
		     "'stoppingCondition.maxRuntimeInSeconds' failed to satisfy "
		     "constraint: Member must have value less than or equal to 1800" },
	{ .name = "request-other-text",
	  .expected = "request",
	  .decided_by = "ErrorCode",
	  .cluster = FREE,
	  .is_refused = true,
	  .code = "ValidationException",
	  .refusal = "The account-level service limit 'ml.g5.2xlarge for training job "
		     "usage' is 0 Instances, with current utilization of 0 Instances and a "
		     "request delta of 1 Instances." },

	/* --- ended: capacity --- */
	{ .name = "ended-no-capacity",
	  .expected = "capacity",
	  .decided_by = "FailureReason",
	  .age_seconds = HOUR,
	  .cluster = LIST(ENTRY("m5.24xlarge", 1) "," ENTRY("m5.12xlarge", 2)),
	  .status = "Failed",
	  .secondary = "Failed" },
	/* Told by a word that no list knows. */
	{ .name = "ended-limit-word",
	  .expected = "capacity",
	  .decided_by = "SecondaryStatus",
	  .age_seconds = 4 * HOUR,
	  .cluster = SCARCE,
	  .stopping = PENDING_6H,
	  .steps = { { .age_seconds = HOUR,
		       .tell = ENDS("Stopped") "," IS("MaxPendingTimeExceeded") "," SAYS(
			       "Training job stopped") } },
	  .status = "Stopped",
	  .secondary = "MaxPendingTimeExceeded" },
	/* Told by nothing but its times. */
	{ .name = "ended-limit-plain",
	  .expected = "capacity",
	  .decided_by = "MaxPendingTimeInSeconds",
	  .age_seconds = 4 * HOUR,
	  .cluster = SCARCE,
	  .stopping = PENDING_2H,
	  .status = "Stopped",
	  .secondary = "Stopped" },

	/* --- ended: never started --- */
	{ .name = "ended-given-up",
	  .expected = "never-started",
	  .decided_by = "TrainingStartTime",
	  .age_seconds = 4 * HOUR,
	  .cluster = SCARCE,
	  .stopping = PENDING_6H,
	  .steps = { { .age_seconds = 3 * HOUR, .operation = "StopTrainingJob" } },
	  .status = "Stopped",
	  .secondary = "Stopped" },
	{ .name = "ended-before-start",
	  .expected = "never-started",
	  .decided_by = "TrainingStartTime",
	  .age_seconds = 2 * HOUR,
	  .cluster = SCARCE,
	  .steps = { { .age_seconds = HOUR,
		       .tell = ENDS("Failed") "," WHY(
			       "InternalServerError: Insufficient capacity of the "
			       "scheduler. Please try again.") } },
	  .status = "Failed",
	  .secondary = "Failed" },

	/* --- ended: run time --- */
	{ .name = "ended-run-time",
	  .expected = "limit-runtime",
	  .decided_by = "SecondaryStatus",
	  .age_seconds = 2 * HOUR,
	  .cluster = FREE,
	  .stopping = "\"MaxRuntimeInSeconds\":600",
	  .status = "Stopped",
	  .secondary = "MaxRuntimeExceeded" },
	{ .name = "ended-run-time-told",
	  .expected = "limit-runtime",
	  .decided_by = "SecondaryStatus",
	  .age_seconds = 2 * HOUR,
	  .cluster = FREE,
	  .stopping = "\"MaxRuntimeInSeconds\":3600",
	  .steps = { { .age_seconds = 2 * HOUR - 2 * MINUTE, .tell = IS("Training") },
		     { .age_seconds = HOUR,
		       .tell = ENDS("Stopped") "," IS("MaxRuntimeExceeded") "," SAYS(
			       "CapacityError: Training job stopped") } },
	  .status = "Stopped",
	  .secondary = "MaxRuntimeExceeded" },

	/* --- ended: failed --- */
	{ .name = "ended-code",
	  .expected = "failed",
	  .decided_by = "TrainingJobStatus",
	  .age_seconds = HOUR,
	  .cluster = FREE,
	  .steps = { { .age_seconds = 58 * MINUTE, .tell = IS("Training") },
		     { .age_seconds = 20 * MINUTE,
		       .tell = ENDS("Failed") "," WHY(
			       "AlgorithmError: CapacityError: Unable to provision "
			       "requested ML compute capacity, exit code: 1") } },
	  .status = "Failed",
	  .secondary = "Failed" },
	{ .name = "ended-data",
	  .expected = "failed",
	  .decided_by = "TrainingJobStatus",
	  .age_seconds = HOUR,
	  .cluster = FREE,
	  .steps = { { .age_seconds = 58 * MINUTE, .tell = IS("Downloading") },
		     { .age_seconds = 20 * MINUTE,
		       .tell = ENDS("Failed") "," WHY(
			       "ClientError: Data download failed: NoSuchKey (404): The "
			       "specified key does not exist.") "," SAYS("Training job runtime "
									 "exceeded "
									 "MaxRuntimeInSeconds "
									 "provided") } },
	  .status = "Failed",
	  .secondary = "Failed" },
};
