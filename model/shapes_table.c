/*
 * The members of the two Create requests, made from the service model of the AWS SDKs of 2026-08
 * with the instance preferences of 2026-11. test_check compares this table with the model.
 */
#include <string.h>

#include "model/base/attr.h"
#include "model/shapes.h"

static const struct shape training_job_name = { .name = "TrainingJobName", .type = SHAPE_STRING };

static const struct shape hyper_parameter_key = {
	.name = "HyperParameterKey", .type = SHAPE_STRING, .has_max = true, .max = 256
};

static const struct shape hyper_parameter_value = {
	.name = "HyperParameterValue", .type = SHAPE_STRING, .has_max = true, .max = 2500
};

static const struct shape hyper_parameters = { .name = "HyperParameters",
					       .type = SHAPE_MAP,
					       .has_max = true,
					       .max = 100,
					       .key = &hyper_parameter_key,
					       .item = &hyper_parameter_value };

static const struct shape algorithm_image = {
	.name = "AlgorithmImage", .type = SHAPE_STRING, .has_max = true, .max = 255
};

static const struct shape arn_or_name = { .name = "ArnOrName",
					  .type = SHAPE_STRING,
					  .has_min = true,
					  .min = 1,
					  .has_max = true,
					  .max = 170,
					  .pattern = "^((arn:aws[a-z-]*:sagemaker:[a-z0-9-]*:[0-9]{"
						     "12}:[a-z-]*/)?[a-zA-Z0-9](-*[a-zA-Z0-9])*)$",
					  .example = "my-algorithm" };

static const struct shape training_input_mode = { .name = "TrainingInputMode",
						  .type = SHAPE_STRING };

static const struct shape metric_name = { .name = "MetricName",
					  .type = SHAPE_STRING,
					  .has_min = true,
					  .min = 1,
					  .has_max = true,
					  .max = 255 };

static const struct shape metric_regex = { .name = "MetricRegex",
					   .type = SHAPE_STRING,
					   .has_min = true,
					   .min = 1,
					   .has_max = true,
					   .max = 500 };

static const struct shape_member metric_definition_members[] = {
	{ .name = "Name", .shape = &metric_name, .required = true },
	{ .name = "Regex", .shape = &metric_regex, .required = true },
};
static const struct shape metric_definition = { .name = "MetricDefinition",
						.type = SHAPE_STRUCTURE,
						.members = metric_definition_members,
						.member_count =
							ARRAY_LEN(metric_definition_members) };

static const struct shape metric_definition_list = { .name = "MetricDefinitionList",
						     .type = SHAPE_LIST,
						     .has_max = true,
						     .max = 40,
						     .item = &metric_definition };

static const struct shape boolean = { .name = "Boolean", .type = SHAPE_BOOLEAN };

static const struct shape training_container_entrypoint_string = {
	.name = "TrainingContainerEntrypointString",
	.type = SHAPE_STRING,
	.has_max = true,
	.max = 256
};

static const struct shape training_container_entrypoint = {
	.name = "TrainingContainerEntrypoint",
	.type = SHAPE_LIST,
	.has_min = true,
	.min = 1,
	.has_max = true,
	.max = 100,
	.item = &training_container_entrypoint_string
};

static const struct shape training_container_argument = {
	.name = "TrainingContainerArgument", .type = SHAPE_STRING, .has_max = true, .max = 256
};

static const struct shape training_container_arguments = { .name = "TrainingContainerArguments",
							   .type = SHAPE_LIST,
							   .has_min = true,
							   .min = 1,
							   .has_max = true,
							   .max = 100,
							   .item = &training_container_argument };

static const struct shape training_repository_access_mode = {
	.name = "TrainingRepositoryAccessMode", .type = SHAPE_STRING
};

static const struct shape training_repository_credentials_provider_arn = {
	.name = "TrainingRepositoryCredentialsProviderArn",
	.type = SHAPE_STRING,
	.has_min = true,
	.min = 1,
	.has_max = true,
	.max = 2048,
	.pattern = "^(arn:[A-Za-z0-9-]+:lambda:[A-Za-z0-9-]+:[0-9]{12}:function:.*)$",
	.example = "arn:aws:lambda:us-east-1:111122223333:function:NAME"
};

static const struct shape_member training_repository_auth_config_members[] = {
	{ .name = "TrainingRepositoryCredentialsProviderArn",
	  .shape = &training_repository_credentials_provider_arn,
	  .required = true },
};
static const struct shape training_repository_auth_config = {
	.name = "TrainingRepositoryAuthConfig",
	.type = SHAPE_STRUCTURE,
	.members = training_repository_auth_config_members,
	.member_count = ARRAY_LEN(training_repository_auth_config_members)
};

static const struct shape_member training_image_config_members[] = {
	{ .name = "TrainingRepositoryAccessMode",
	  .shape = &training_repository_access_mode,
	  .required = true },
	{ .name = "TrainingRepositoryAuthConfig", .shape = &training_repository_auth_config },
};
static const struct shape training_image_config = { .name = "TrainingImageConfig",
						    .type = SHAPE_STRUCTURE,
						    .members = training_image_config_members,
						    .member_count = ARRAY_LEN(
							    training_image_config_members) };

static const struct shape_member algorithm_specification_members[] = {
	{ .name = "TrainingImage", .shape = &algorithm_image },
	{ .name = "AlgorithmName", .shape = &arn_or_name },
	{ .name = "TrainingInputMode", .shape = &training_input_mode, .required = true },
	{ .name = "MetricDefinitions", .shape = &metric_definition_list },
	{ .name = "EnableSageMakerMetricsTimeSeries", .shape = &boolean },
	{ .name = "ContainerEntrypoint", .shape = &training_container_entrypoint },
	{ .name = "ContainerArguments", .shape = &training_container_arguments },
	{ .name = "TrainingImageConfig", .shape = &training_image_config },
};
static const struct shape algorithm_specification = { .name = "AlgorithmSpecification",
						      .type = SHAPE_STRUCTURE,
						      .members = algorithm_specification_members,
						      .member_count = ARRAY_LEN(
							      algorithm_specification_members) };

static const struct shape role_arn = {
	.name = "RoleArn",
	.type = SHAPE_STRING,
	.has_min = true,
	.min = 20,
	.has_max = true,
	.max = 2048,
	.pattern = "^(arn:aws[a-z-]*:iam::[0-9]{12}:role/?[a-zA-Z_0-9+=,.@/-]+)$",
	.example = "arn:aws:iam::111122223333:role/NAME"
};

static const struct shape channel_name = { .name = "ChannelName",
					   .type = SHAPE_STRING,
					   .has_min = true,
					   .min = 1,
					   .has_max = true,
					   .max = 64,
					   .pattern = "^([A-Za-z0-9._-]+)$",
					   .example = "train" };

static const struct shape s3_data_type = { .name = "S3DataType", .type = SHAPE_STRING };

static const struct shape s3_uri = { .name = "S3Uri",
				     .type = SHAPE_STRING,
				     .has_max = true,
				     .max = 1024,
				     .pattern = "^((https|s3)://[^/[:space:]]+(/.*)?)$",
				     .example = "s3://bucket/prefix/" };

static const struct shape s3_data_distribution = { .name = "S3DataDistribution",
						   .type = SHAPE_STRING };

static const struct shape attribute_name = { .name = "AttributeName",
					     .type = SHAPE_STRING,
					     .has_min = true,
					     .min = 1,
					     .has_max = true,
					     .max = 256 };

static const struct shape attribute_names = { .name = "AttributeNames",
					      .type = SHAPE_LIST,
					      .has_max = true,
					      .max = 16,
					      .item = &attribute_name };

static const struct shape instance_group_name = { .name = "InstanceGroupName",
						  .type = SHAPE_STRING,
						  .has_min = true,
						  .min = 1,
						  .has_max = true,
						  .max = 64 };

static const struct shape instance_group_names = { .name = "InstanceGroupNames",
						   .type = SHAPE_LIST,
						   .has_max = true,
						   .max = 5,
						   .item = &instance_group_name };

static const struct shape accept_eula = { .name = "AcceptEula", .type = SHAPE_BOOLEAN };

static const struct shape_member model_access_config_members[] = {
	{ .name = "AcceptEula", .shape = &accept_eula, .required = true },
};
static const struct shape model_access_config = { .name = "ModelAccessConfig",
						  .type = SHAPE_STRUCTURE,
						  .members = model_access_config_members,
						  .member_count =
							  ARRAY_LEN(model_access_config_members) };

static const struct shape hub_content_arn = {
	.name = "HubContentArn", .type = SHAPE_STRING, .has_max = true, .max = 255
};

static const struct shape_member hub_access_config_members[] = {
	{ .name = "HubContentArn", .shape = &hub_content_arn, .required = true },
};
static const struct shape hub_access_config = { .name = "HubAccessConfig",
						.type = SHAPE_STRUCTURE,
						.members = hub_access_config_members,
						.member_count =
							ARRAY_LEN(hub_access_config_members) };

static const struct shape_member s3_data_source_members[] = {
	{ .name = "S3DataType", .shape = &s3_data_type, .required = true },
	{ .name = "S3Uri", .shape = &s3_uri, .required = true },
	{ .name = "S3DataDistributionType", .shape = &s3_data_distribution },
	{ .name = "AttributeNames", .shape = &attribute_names },
	{ .name = "InstanceGroupNames", .shape = &instance_group_names },
	{ .name = "ModelAccessConfig", .shape = &model_access_config },
	{ .name = "HubAccessConfig", .shape = &hub_access_config },
};
static const struct shape s3_data_source = { .name = "S3DataSource",
					     .type = SHAPE_STRUCTURE,
					     .members = s3_data_source_members,
					     .member_count = ARRAY_LEN(s3_data_source_members) };

static const struct shape file_system_id = { .name = "FileSystemId",
					     .type = SHAPE_STRING,
					     .has_min = true,
					     .min = 11,
					     .has_max = true,
					     .max = 21,
					     .pattern = "^(fs-[0-9a-f]{8,})$",
					     .example = "fs-0123456789abcdef0" };

static const struct shape file_system_access_mode = { .name = "FileSystemAccessMode",
						      .type = SHAPE_STRING };

static const struct shape file_system_type = { .name = "FileSystemType", .type = SHAPE_STRING };

static const struct shape directory_path = {
	.name = "DirectoryPath", .type = SHAPE_STRING, .has_max = true, .max = 4096
};

static const struct shape_member file_system_data_source_members[] = {
	{ .name = "FileSystemId", .shape = &file_system_id, .required = true },
	{ .name = "FileSystemAccessMode", .shape = &file_system_access_mode, .required = true },
	{ .name = "FileSystemType", .shape = &file_system_type, .required = true },
	{ .name = "DirectoryPath", .shape = &directory_path, .required = true },
};
static const struct shape file_system_data_source = { .name = "FileSystemDataSource",
						      .type = SHAPE_STRUCTURE,
						      .members = file_system_data_source_members,
						      .member_count = ARRAY_LEN(
							      file_system_data_source_members) };

static const struct shape hub_data_set_arn = {
	.name = "HubDataSetArn",
	.type = SHAPE_STRING,
	.has_max = true,
	.max = 2048,
	.pattern = "^(arn:[a-z0-9.-]{1,63}:sagemaker:[A-Za-z0-9_]+(-[A-Za-z0-9_]+)+:([0-9]{12}|aws)"
		   ":hub-content/[a-zA-Z0-9](-*[a-zA-Z0-9])*/DataSet/[a-zA-Z0-9](-*[a-zA-Z0-9])*(/"
		   "[0-9]{1,4}.[0-9]{1,4}.[0-9]{1,4})?)$",
	.example = "arn:aws:sagemaker:us-east-1:111122223333:hub-content/HUB/DataSet/NAME/1.0.0"
};

static const struct shape_member dataset_source_members[] = {
	{ .name = "DatasetArn", .shape = &hub_data_set_arn, .required = true },
};
static const struct shape dataset_source = { .name = "DatasetSource",
					     .type = SHAPE_STRUCTURE,
					     .members = dataset_source_members,
					     .member_count = ARRAY_LEN(dataset_source_members) };

static const struct shape_member data_source_members[] = {
	{ .name = "S3DataSource", .shape = &s3_data_source },
	{ .name = "FileSystemDataSource", .shape = &file_system_data_source },
	{ .name = "DatasetSource", .shape = &dataset_source },
};
static const struct shape data_source = { .name = "DataSource",
					  .type = SHAPE_STRUCTURE,
					  .members = data_source_members,
					  .member_count = ARRAY_LEN(data_source_members) };

static const struct shape content_type = {
	.name = "ContentType", .type = SHAPE_STRING, .has_max = true, .max = 256
};

static const struct shape compression_type = { .name = "CompressionType", .type = SHAPE_STRING };

static const struct shape record_wrapper = { .name = "RecordWrapper", .type = SHAPE_STRING };

static const struct shape seed = { .name = "Seed", .type = SHAPE_INTEGER };

static const struct shape_member shuffle_config_members[] = {
	{ .name = "Seed", .shape = &seed, .required = true },
};
static const struct shape shuffle_config = { .name = "ShuffleConfig",
					     .type = SHAPE_STRUCTURE,
					     .members = shuffle_config_members,
					     .member_count = ARRAY_LEN(shuffle_config_members) };

static const struct shape_member channel_members[] = {
	{ .name = "ChannelName", .shape = &channel_name, .required = true },
	{ .name = "DataSource", .shape = &data_source, .required = true },
	{ .name = "ContentType", .shape = &content_type },
	{ .name = "CompressionType", .shape = &compression_type },
	{ .name = "RecordWrapperType", .shape = &record_wrapper },
	{ .name = "InputMode", .shape = &training_input_mode },
	{ .name = "ShuffleConfig", .shape = &shuffle_config },
};
static const struct shape channel = { .name = "Channel",
				      .type = SHAPE_STRUCTURE,
				      .members = channel_members,
				      .member_count = ARRAY_LEN(channel_members) };

static const struct shape input_data_config = { .name = "InputDataConfig",
						.type = SHAPE_LIST,
						.has_min = true,
						.min = 1,
						.has_max = true,
						.max = 20,
						.item = &channel };

static const struct shape kms_key_id = { .name = "KmsKeyId",
					 .type = SHAPE_STRING,
					 .has_max = true,
					 .max = 2048,
					 .pattern = "^([a-zA-Z0-9:/_-]*)$",
					 .example = "arn:aws:kms:us-east-1:111122223333:key/ID" };

static const struct shape output_compression_type = { .name = "OutputCompressionType",
						      .type = SHAPE_STRING };

static const struct shape_member output_data_config_members[] = {
	{ .name = "KmsKeyId", .shape = &kms_key_id },
	{ .name = "S3OutputPath", .shape = &s3_uri, .required = true },
	{ .name = "CompressionType", .shape = &output_compression_type },
};
static const struct shape output_data_config = { .name = "OutputDataConfig",
						 .type = SHAPE_STRUCTURE,
						 .members = output_data_config_members,
						 .member_count =
							 ARRAY_LEN(output_data_config_members) };

static const struct shape training_instance_type = { .name = "TrainingInstanceType",
						     .type = SHAPE_STRING };

static const struct shape training_instance_count = { .name = "TrainingInstanceCount",
						      .type = SHAPE_INTEGER };

static const struct shape optional_volume_size_in_gb = {
	.name = "OptionalVolumeSizeInGB", .type = SHAPE_INTEGER, .has_min = true, .min = 0
};

static const struct shape keep_alive_period_in_seconds = { .name = "KeepAlivePeriodInSeconds",
							   .type = SHAPE_INTEGER,
							   .has_min = true,
							   .min = 0,
							   .has_max = true,
							   .max = 21600 };

static const struct shape_member instance_group_members[] = {
	{ .name = "InstanceType", .shape = &training_instance_type, .required = true },
	{ .name = "InstanceCount", .shape = &training_instance_count, .required = true },
	{ .name = "InstanceGroupName", .shape = &instance_group_name, .required = true },
};
static const struct shape instance_group = { .name = "InstanceGroup",
					     .type = SHAPE_STRUCTURE,
					     .members = instance_group_members,
					     .member_count = ARRAY_LEN(instance_group_members) };

static const struct shape instance_groups = { .name = "InstanceGroups",
					      .type = SHAPE_LIST,
					      .has_max = true,
					      .max = 5,
					      .item = &instance_group };

static const struct shape training_plan_arn = {
	.name = "TrainingPlanArn",
	.type = SHAPE_STRING,
	.has_min = true,
	.min = 50,
	.has_max = true,
	.max = 2048,
	.pattern = "^(arn:aws[a-z-]*:sagemaker:[a-z0-9-]*:[0-9]{12}:training-plan/.*)$",
	.example = "arn:aws:sagemaker:us-east-1:111122223333:training-plan/NAME"
};

static const struct shape string256 = {
	.name = "String256", .type = SHAPE_STRING, .has_max = true, .max = 256
};

static const struct shape_member placement_specification_members[] = {
	{ .name = "UltraServerId", .shape = &string256 },
	{ .name = "InstanceCount", .shape = &training_instance_count, .required = true },
};
static const struct shape placement_specification = { .name = "PlacementSpecification",
						      .type = SHAPE_STRUCTURE,
						      .members = placement_specification_members,
						      .member_count = ARRAY_LEN(
							      placement_specification_members) };

static const struct shape placement_specifications = { .name = "PlacementSpecifications",
						       .type = SHAPE_LIST,
						       .has_max = true,
						       .max = 10,
						       .item = &placement_specification };

static const struct shape_member instance_placement_config_members[] = {
	{ .name = "EnableMultipleJobs", .shape = &boolean },
	{ .name = "PlacementSpecifications", .shape = &placement_specifications },
};
static const struct shape instance_placement_config = {
	.name = "InstancePlacementConfig",
	.type = SHAPE_STRUCTURE,
	.members = instance_placement_config_members,
	.member_count = ARRAY_LEN(instance_placement_config_members)
};

static const struct shape instance_preference_instance_count = {
	.name = "InstancePreferenceInstanceCount", .type = SHAPE_INTEGER
};

static const struct shape instance_preference_training_plan_arns = {
	.name = "InstancePreferenceTrainingPlanArns", .type = SHAPE_LIST, .item = &training_plan_arn
};

static const struct shape_member instance_preference_members[] = {
	{ .name = "InstanceType", .shape = &training_instance_type, .required = true },
	{ .name = "InstanceCount", .shape = &instance_preference_instance_count },
	{ .name = "TrainingPlanArns", .shape = &instance_preference_training_plan_arns },
};
static const struct shape instance_preference = { .name = "InstancePreference",
						  .type = SHAPE_STRUCTURE,
						  .members = instance_preference_members,
						  .member_count =
							  ARRAY_LEN(instance_preference_members) };

static const struct shape instance_preference_list = { .name = "InstancePreferenceList",
						       .type = SHAPE_LIST,
						       .item = &instance_preference };

static const struct shape selected_instance_count = { .name = "SelectedInstanceCount",
						      .type = SHAPE_INTEGER };

static const struct shape_member resource_config_members[] = {
	{ .name = "InstanceType", .shape = &training_instance_type },
	{ .name = "InstanceCount", .shape = &training_instance_count },
	{ .name = "VolumeSizeInGB", .shape = &optional_volume_size_in_gb },
	{ .name = "VolumeKmsKeyId", .shape = &kms_key_id },
	{ .name = "KeepAlivePeriodInSeconds", .shape = &keep_alive_period_in_seconds },
	{ .name = "InstanceGroups", .shape = &instance_groups },
	{ .name = "TrainingPlanArn", .shape = &training_plan_arn },
	{ .name = "InstancePlacementConfig", .shape = &instance_placement_config },
	{ .name = "InstancePreferences", .shape = &instance_preference_list },
	{ .name = "SelectedInstanceType", .shape = &training_instance_type },
	{ .name = "SelectedInstanceCount", .shape = &selected_instance_count },
};
static const struct shape resource_config = { .name = "ResourceConfig",
					      .type = SHAPE_STRUCTURE,
					      .members = resource_config_members,
					      .member_count = ARRAY_LEN(resource_config_members) };

static const struct shape security_group_id = { .name = "SecurityGroupId",
						.type = SHAPE_STRING,
						.has_max = true,
						.max = 32,
						.pattern = "^([-0-9a-zA-Z]+)$",
						.example = "sg-0123456789abcdef0" };

static const struct shape vpc_security_group_ids = { .name = "VpcSecurityGroupIds",
						     .type = SHAPE_LIST,
						     .has_min = true,
						     .min = 1,
						     .has_max = true,
						     .max = 5,
						     .item = &security_group_id };

static const struct shape subnet_id = { .name = "SubnetId",
					.type = SHAPE_STRING,
					.has_max = true,
					.max = 32,
					.pattern = "^([-0-9a-zA-Z]+)$",
					.example = "subnet-0123456789abcdef0" };

static const struct shape subnets = { .name = "Subnets",
				      .type = SHAPE_LIST,
				      .has_min = true,
				      .min = 1,
				      .has_max = true,
				      .max = 16,
				      .item = &subnet_id };

static const struct shape_member vpc_config_members[] = {
	{ .name = "SecurityGroupIds", .shape = &vpc_security_group_ids, .required = true },
	{ .name = "Subnets", .shape = &subnets, .required = true },
};
static const struct shape vpc_config = { .name = "VpcConfig",
					 .type = SHAPE_STRUCTURE,
					 .members = vpc_config_members,
					 .member_count = ARRAY_LEN(vpc_config_members) };

static const struct shape max_runtime_in_seconds = {
	.name = "MaxRuntimeInSeconds", .type = SHAPE_INTEGER, .has_min = true, .min = 1
};

static const struct shape max_wait_time_in_seconds = {
	.name = "MaxWaitTimeInSeconds", .type = SHAPE_INTEGER, .has_min = true, .min = 1
};

static const struct shape max_pending_time_in_seconds = { .name = "MaxPendingTimeInSeconds",
							  .type = SHAPE_INTEGER };

static const struct shape_member stopping_condition_members[] = {
	{ .name = "MaxRuntimeInSeconds", .shape = &max_runtime_in_seconds },
	{ .name = "MaxWaitTimeInSeconds", .shape = &max_wait_time_in_seconds },
	{ .name = "MaxPendingTimeInSeconds", .shape = &max_pending_time_in_seconds },
};
static const struct shape stopping_condition = { .name = "StoppingCondition",
						 .type = SHAPE_STRUCTURE,
						 .members = stopping_condition_members,
						 .member_count =
							 ARRAY_LEN(stopping_condition_members) };

static const struct shape tag_key = { .name = "TagKey",
				      .type = SHAPE_STRING,
				      .has_min = true,
				      .min = 1,
				      .has_max = true,
				      .max = 128,
				      .pattern = "^([^]!\"#$%&'()*,;<>?[\\^`{|}~[:cntrl:]]*)$",
				      .example = "team" };

static const struct shape tag_value = { .name = "TagValue",
					.type = SHAPE_STRING,
					.has_max = true,
					.max = 256,
					.pattern = "^([^]!\"#$%&'()*,;<>?[\\^`{|}~[:cntrl:]]*)$",
					.example = "research" };

static const struct shape_member tag_members[] = {
	{ .name = "Key", .shape = &tag_key, .required = true },
	{ .name = "Value", .shape = &tag_value, .required = true },
};
static const struct shape tag = { .name = "Tag",
				  .type = SHAPE_STRUCTURE,
				  .members = tag_members,
				  .member_count = ARRAY_LEN(tag_members) };

static const struct shape tag_list = {
	.name = "TagList", .type = SHAPE_LIST, .has_max = true, .max = 50, .item = &tag
};

static const struct shape_member checkpoint_config_members[] = {
	{ .name = "S3Uri", .shape = &s3_uri, .required = true },
	{ .name = "LocalPath", .shape = &directory_path },
};
static const struct shape checkpoint_config = { .name = "CheckpointConfig",
						.type = SHAPE_STRUCTURE,
						.members = checkpoint_config_members,
						.member_count =
							ARRAY_LEN(checkpoint_config_members) };

static const struct shape config_key = { .name = "ConfigKey",
					 .type = SHAPE_STRING,
					 .has_min = true,
					 .min = 1,
					 .has_max = true,
					 .max = 256 };

static const struct shape config_value = {
	.name = "ConfigValue", .type = SHAPE_STRING, .has_max = true, .max = 256
};

static const struct shape hook_parameters = { .name = "HookParameters",
					      .type = SHAPE_MAP,
					      .has_max = true,
					      .max = 20,
					      .key = &config_key,
					      .item = &config_value };

static const struct shape collection_name = { .name = "CollectionName",
					      .type = SHAPE_STRING,
					      .has_min = true,
					      .min = 1,
					      .has_max = true,
					      .max = 256 };

static const struct shape collection_parameters = { .name = "CollectionParameters",
						    .type = SHAPE_MAP,
						    .has_max = true,
						    .max = 20,
						    .key = &config_key,
						    .item = &config_value };

static const struct shape_member collection_configuration_members[] = {
	{ .name = "CollectionName", .shape = &collection_name },
	{ .name = "CollectionParameters", .shape = &collection_parameters },
};
static const struct shape collection_configuration = { .name = "CollectionConfiguration",
						       .type = SHAPE_STRUCTURE,
						       .members = collection_configuration_members,
						       .member_count = ARRAY_LEN(
							       collection_configuration_members) };

static const struct shape collection_configurations = { .name = "CollectionConfigurations",
							.type = SHAPE_LIST,
							.has_max = true,
							.max = 20,
							.item = &collection_configuration };

static const struct shape_member debug_hook_config_members[] = {
	{ .name = "LocalPath", .shape = &directory_path },
	{ .name = "S3OutputPath", .shape = &s3_uri, .required = true },
	{ .name = "HookParameters", .shape = &hook_parameters },
	{ .name = "CollectionConfigurations", .shape = &collection_configurations },
};
static const struct shape debug_hook_config = { .name = "DebugHookConfig",
						.type = SHAPE_STRUCTURE,
						.members = debug_hook_config_members,
						.member_count =
							ARRAY_LEN(debug_hook_config_members) };

static const struct shape rule_configuration_name = { .name = "RuleConfigurationName",
						      .type = SHAPE_STRING,
						      .has_min = true,
						      .min = 1,
						      .has_max = true,
						      .max = 256 };

static const struct shape processing_instance_type = { .name = "ProcessingInstanceType",
						       .type = SHAPE_STRING };

static const struct shape rule_parameters = { .name = "RuleParameters",
					      .type = SHAPE_MAP,
					      .has_max = true,
					      .max = 100,
					      .key = &config_key,
					      .item = &config_value };

static const struct shape_member debug_rule_configuration_members[] = {
	{ .name = "RuleConfigurationName", .shape = &rule_configuration_name, .required = true },
	{ .name = "LocalPath", .shape = &directory_path },
	{ .name = "S3OutputPath", .shape = &s3_uri },
	{ .name = "RuleEvaluatorImage", .shape = &algorithm_image, .required = true },
	{ .name = "InstanceType", .shape = &processing_instance_type },
	{ .name = "VolumeSizeInGB", .shape = &optional_volume_size_in_gb },
	{ .name = "RuleParameters", .shape = &rule_parameters },
};
static const struct shape debug_rule_configuration = { .name = "DebugRuleConfiguration",
						       .type = SHAPE_STRUCTURE,
						       .members = debug_rule_configuration_members,
						       .member_count = ARRAY_LEN(
							       debug_rule_configuration_members) };

static const struct shape debug_rule_configurations = { .name = "DebugRuleConfigurations",
							.type = SHAPE_LIST,
							.has_max = true,
							.max = 20,
							.item = &debug_rule_configuration };

static const struct shape_member tensor_board_output_config_members[] = {
	{ .name = "LocalPath", .shape = &directory_path },
	{ .name = "S3OutputPath", .shape = &s3_uri, .required = true },
};
static const struct shape tensor_board_output_config = {
	.name = "TensorBoardOutputConfig",
	.type = SHAPE_STRUCTURE,
	.members = tensor_board_output_config_members,
	.member_count = ARRAY_LEN(tensor_board_output_config_members)
};

static const struct shape experiment_entity_name = { .name = "ExperimentEntityName",
						     .type = SHAPE_STRING,
						     .has_min = true,
						     .min = 1,
						     .has_max = true,
						     .max = 120,
						     .pattern = "^([a-zA-Z0-9](-*[a-zA-Z0-9])*)$",
						     .example = "my-experiment" };

static const struct shape_member experiment_config_members[] = {
	{ .name = "ExperimentName", .shape = &experiment_entity_name },
	{ .name = "TrialName", .shape = &experiment_entity_name },
	{ .name = "TrialComponentDisplayName", .shape = &experiment_entity_name },
	{ .name = "RunName", .shape = &experiment_entity_name },
};
static const struct shape experiment_config = { .name = "ExperimentConfig",
						.type = SHAPE_STRUCTURE,
						.members = experiment_config_members,
						.member_count =
							ARRAY_LEN(experiment_config_members) };

static const struct shape profiling_interval_in_milliseconds = {
	.name = "ProfilingIntervalInMilliseconds", .type = SHAPE_INTEGER
};

static const struct shape profiling_parameters = { .name = "ProfilingParameters",
						   .type = SHAPE_MAP,
						   .has_max = true,
						   .max = 20,
						   .key = &config_key,
						   .item = &config_value };

static const struct shape disable_profiler = { .name = "DisableProfiler", .type = SHAPE_BOOLEAN };

static const struct shape_member profiler_config_members[] = {
	{ .name = "S3OutputPath", .shape = &s3_uri },
	{ .name = "ProfilingIntervalInMilliseconds", .shape = &profiling_interval_in_milliseconds },
	{ .name = "ProfilingParameters", .shape = &profiling_parameters },
	{ .name = "DisableProfiler", .shape = &disable_profiler },
};
static const struct shape profiler_config = { .name = "ProfilerConfig",
					      .type = SHAPE_STRUCTURE,
					      .members = profiler_config_members,
					      .member_count = ARRAY_LEN(profiler_config_members) };

static const struct shape_member profiler_rule_configuration_members[] = {
	{ .name = "RuleConfigurationName", .shape = &rule_configuration_name, .required = true },
	{ .name = "LocalPath", .shape = &directory_path },
	{ .name = "S3OutputPath", .shape = &s3_uri },
	{ .name = "RuleEvaluatorImage", .shape = &algorithm_image, .required = true },
	{ .name = "InstanceType", .shape = &processing_instance_type },
	{ .name = "VolumeSizeInGB", .shape = &optional_volume_size_in_gb },
	{ .name = "RuleParameters", .shape = &rule_parameters },
};
static const struct shape profiler_rule_configuration = {
	.name = "ProfilerRuleConfiguration",
	.type = SHAPE_STRUCTURE,
	.members = profiler_rule_configuration_members,
	.member_count = ARRAY_LEN(profiler_rule_configuration_members)
};

static const struct shape profiler_rule_configurations = { .name = "ProfilerRuleConfigurations",
							   .type = SHAPE_LIST,
							   .has_max = true,
							   .max = 20,
							   .item = &profiler_rule_configuration };

static const struct shape training_environment_key = { .name = "TrainingEnvironmentKey",
						       .type = SHAPE_STRING,
						       .has_max = true,
						       .max = 512,
						       .pattern = "^([a-zA-Z_][a-zA-Z0-9_]*)$",
						       .example = "MY_VARIABLE" };

static const struct shape training_environment_value = {
	.name = "TrainingEnvironmentValue", .type = SHAPE_STRING, .has_max = true, .max = 512
};

static const struct shape training_environment_map = { .name = "TrainingEnvironmentMap",
						       .type = SHAPE_MAP,
						       .has_max = true,
						       .max = 100,
						       .key = &training_environment_key,
						       .item = &training_environment_value };

static const struct shape maximum_retry_attempts = { .name = "MaximumRetryAttempts",
						     .type = SHAPE_INTEGER,
						     .has_min = true,
						     .min = 1,
						     .has_max = true,
						     .max = 30 };

static const struct shape_member retry_strategy_members[] = {
	{ .name = "MaximumRetryAttempts", .shape = &maximum_retry_attempts, .required = true },
};
static const struct shape retry_strategy = { .name = "RetryStrategy",
					     .type = SHAPE_STRUCTURE,
					     .members = retry_strategy_members,
					     .member_count = ARRAY_LEN(retry_strategy_members) };

static const struct shape enable_remote_debug = { .name = "EnableRemoteDebug",
						  .type = SHAPE_BOOLEAN };

static const struct shape_member remote_debug_config_members[] = {
	{ .name = "EnableRemoteDebug", .shape = &enable_remote_debug },
};
static const struct shape remote_debug_config = { .name = "RemoteDebugConfig",
						  .type = SHAPE_STRUCTURE,
						  .members = remote_debug_config_members,
						  .member_count =
							  ARRAY_LEN(remote_debug_config_members) };

static const struct shape enable_infra_check = { .name = "EnableInfraCheck",
						 .type = SHAPE_BOOLEAN };

static const struct shape_member infra_check_config_members[] = {
	{ .name = "EnableInfraCheck", .shape = &enable_infra_check },
};
static const struct shape infra_check_config = { .name = "InfraCheckConfig",
						 .type = SHAPE_STRUCTURE,
						 .members = infra_check_config_members,
						 .member_count =
							 ARRAY_LEN(infra_check_config_members) };

static const struct shape enable_session_tag_chaining = { .name = "EnableSessionTagChaining",
							  .type = SHAPE_BOOLEAN };

static const struct shape_member session_chaining_config_members[] = {
	{ .name = "EnableSessionTagChaining", .shape = &enable_session_tag_chaining },
};
static const struct shape session_chaining_config = { .name = "SessionChainingConfig",
						      .type = SHAPE_STRUCTURE,
						      .members = session_chaining_config_members,
						      .member_count = ARRAY_LEN(
							      session_chaining_config_members) };

static const struct shape serverless_job_base_model_arn = {
	.name = "ServerlessJobBaseModelArn",
	.type = SHAPE_STRING,
	.has_min = true,
	.min = 1,
	.has_max = true,
	.max = 2048,
	.pattern = "^(arn:[a-z0-9.-]{1,63}:sagemaker:[A-Za-z0-9_]+(-[A-Za-z0-9_]+)+:([0-9]{12}|aws)"
		   ":hub-content/[a-zA-Z0-9](-*[a-zA-Z0-9])*/Model/[a-zA-Z0-9](-*[a-zA-Z0-9])*(/"
		   "[0-9]{1,4}.[0-9]{1,4}.[0-9]{1,4})?)$",
	.example = "arn:aws:sagemaker:us-east-1:aws:hub-content/HUB/Model/NAME/1.0.0"
};

static const struct shape serverless_job_type = { .name = "ServerlessJobType",
						  .type = SHAPE_STRING };

static const struct shape customization_technique = { .name = "CustomizationTechnique",
						      .type = SHAPE_STRING };

static const struct shape peft = { .name = "Peft", .type = SHAPE_STRING };

static const struct shape evaluation_type = { .name = "EvaluationType", .type = SHAPE_STRING };

static const struct shape evaluator_arn = { .name = "EvaluatorArn", .type = SHAPE_STRING };

static const struct shape sequence_length = { .name = "SequenceLength",
					      .type = SHAPE_STRING,
					      .has_min = true,
					      .min = 1,
					      .has_max = true,
					      .max = 50,
					      .pattern = "^([0-9]+K)$",
					      .example = "8K" };

static const struct shape_member serverless_job_config_members[] = {
	{ .name = "BaseModelArn", .shape = &serverless_job_base_model_arn, .required = true },
	{ .name = "AcceptEula", .shape = &accept_eula },
	{ .name = "JobType", .shape = &serverless_job_type, .required = true },
	{ .name = "CustomizationTechnique", .shape = &customization_technique },
	{ .name = "Peft", .shape = &peft },
	{ .name = "EvaluationType", .shape = &evaluation_type },
	{ .name = "EvaluatorArn", .shape = &evaluator_arn },
	{ .name = "SequenceLength", .shape = &sequence_length },
};
static const struct shape serverless_job_config = { .name = "ServerlessJobConfig",
						    .type = SHAPE_STRUCTURE,
						    .members = serverless_job_config_members,
						    .member_count = ARRAY_LEN(
							    serverless_job_config_members) };

static const struct shape ml_flow_resource_arn = {
	.name = "MlFlowResourceArn",
	.type = SHAPE_STRING,
	.has_max = true,
	.max = 2048,
	.pattern = "^(arn:aws[a-z-]*:sagemaker:[a-z0-9-]*:[0-9]{12}:mlflow-[a-zA-Z-]*/.*)$",
	.example = "arn:aws:sagemaker:us-east-1:111122223333:mlflow-tracking-server/NAME"
};

static const struct shape mlflow_experiment_name = { .name = "MlflowExperimentName",
						     .type = SHAPE_STRING,
						     .has_min = true,
						     .min = 1,
						     .has_max = true,
						     .max = 256 };

static const struct shape mlflow_run_name = { .name = "MlflowRunName",
					      .type = SHAPE_STRING,
					      .has_min = true,
					      .min = 1,
					      .has_max = true,
					      .max = 256 };

static const struct shape_member mlflow_config_members[] = {
	{ .name = "MlflowResourceArn", .shape = &ml_flow_resource_arn, .required = true },
	{ .name = "MlflowExperimentName", .shape = &mlflow_experiment_name },
	{ .name = "MlflowRunName", .shape = &mlflow_run_name },
};
static const struct shape mlflow_config = { .name = "MlflowConfig",
					    .type = SHAPE_STRUCTURE,
					    .members = mlflow_config_members,
					    .member_count = ARRAY_LEN(mlflow_config_members) };

static const struct shape model_package_group_arn = {
	.name = "ModelPackageGroupArn",
	.type = SHAPE_STRING,
	.has_min = true,
	.min = 1,
	.has_max = true,
	.max = 2048,
	.pattern = "^(arn:aws[a-z-]*:sagemaker:[a-z0-9-]{9,16}:[0-9]{12}:model-package-group/"
		   "[^[:space:]]+)$",
	.example = "arn:aws:sagemaker:us-east-1:111122223333:model-package-group/NAME"
};

static const struct shape model_package_arn = {
	.name = "ModelPackageArn",
	.type = SHAPE_STRING,
	.has_min = true,
	.min = 1,
	.has_max = true,
	.max = 2048,
	.pattern = "^(arn:aws[a-z-]*:sagemaker:[a-z0-9-]{9,16}:[0-9]{12}:model-package/"
		   "[^[:space:]]+)$",
	.example = "arn:aws:sagemaker:us-east-1:111122223333:model-package/NAME/1"
};

static const struct shape_member model_package_config_members[] = {
	{ .name = "ModelPackageGroupArn", .shape = &model_package_group_arn, .required = true },
	{ .name = "SourceModelPackageArn", .shape = &model_package_arn },
};
static const struct shape model_package_config = { .name = "ModelPackageConfig",
						   .type = SHAPE_STRUCTURE,
						   .members = model_package_config_members,
						   .member_count = ARRAY_LEN(
							   model_package_config_members) };

static const struct shape_member create_training_job_request_members[] = {
	{ .name = "TrainingJobName", .shape = &training_job_name, .required = true },
	{ .name = "HyperParameters", .shape = &hyper_parameters },
	{ .name = "AlgorithmSpecification", .shape = &algorithm_specification },
	{ .name = "RoleArn", .shape = &role_arn, .required = true },
	{ .name = "InputDataConfig", .shape = &input_data_config },
	{ .name = "OutputDataConfig", .shape = &output_data_config, .required = true },
	{ .name = "ResourceConfig", .shape = &resource_config },
	{ .name = "VpcConfig", .shape = &vpc_config },
	{ .name = "StoppingCondition", .shape = &stopping_condition },
	{ .name = "Tags", .shape = &tag_list },
	{ .name = "EnableNetworkIsolation", .shape = &boolean },
	{ .name = "EnableInterContainerTrafficEncryption", .shape = &boolean },
	{ .name = "EnableManagedSpotTraining", .shape = &boolean },
	{ .name = "CheckpointConfig", .shape = &checkpoint_config },
	{ .name = "DebugHookConfig", .shape = &debug_hook_config },
	{ .name = "DebugRuleConfigurations", .shape = &debug_rule_configurations },
	{ .name = "TensorBoardOutputConfig", .shape = &tensor_board_output_config },
	{ .name = "ExperimentConfig", .shape = &experiment_config },
	{ .name = "ProfilerConfig", .shape = &profiler_config },
	{ .name = "ProfilerRuleConfigurations", .shape = &profiler_rule_configurations },
	{ .name = "Environment", .shape = &training_environment_map },
	{ .name = "RetryStrategy", .shape = &retry_strategy },
	{ .name = "RemoteDebugConfig", .shape = &remote_debug_config },
	{ .name = "InfraCheckConfig", .shape = &infra_check_config },
	{ .name = "SessionChainingConfig", .shape = &session_chaining_config },
	{ .name = "ServerlessJobConfig", .shape = &serverless_job_config },
	{ .name = "MlflowConfig", .shape = &mlflow_config },
	{ .name = "ModelPackageConfig", .shape = &model_package_config },
};
static const struct shape create_training_job_request = {
	.name = "CreateTrainingJobRequest",
	.type = SHAPE_STRUCTURE,
	.members = create_training_job_request_members,
	.member_count = ARRAY_LEN(create_training_job_request_members)
};

static const struct shape string = { .name = "String", .type = SHAPE_STRING };

static const struct shape app_managed = { .name = "AppManaged", .type = SHAPE_BOOLEAN };

static const struct shape processing_local_path = {
	.name = "ProcessingLocalPath", .type = SHAPE_STRING, .has_max = true, .max = 256
};

static const struct shape processing_s3_data_type = { .name = "ProcessingS3DataType",
						      .type = SHAPE_STRING };

static const struct shape processing_s3_input_mode = { .name = "ProcessingS3InputMode",
						       .type = SHAPE_STRING };

static const struct shape processing_s3_data_distribution_type = {
	.name = "ProcessingS3DataDistributionType", .type = SHAPE_STRING
};

static const struct shape processing_s3_compression_type = { .name = "ProcessingS3CompressionType",
							     .type = SHAPE_STRING };

static const struct shape_member processing_s3_input_members[] = {
	{ .name = "S3Uri", .shape = &s3_uri, .required = true },
	{ .name = "LocalPath", .shape = &processing_local_path },
	{ .name = "S3DataType", .shape = &processing_s3_data_type, .required = true },
	{ .name = "S3InputMode", .shape = &processing_s3_input_mode },
	{ .name = "S3DataDistributionType", .shape = &processing_s3_data_distribution_type },
	{ .name = "S3CompressionType", .shape = &processing_s3_compression_type },
};
static const struct shape processing_s3_input = { .name = "ProcessingS3Input",
						  .type = SHAPE_STRUCTURE,
						  .members = processing_s3_input_members,
						  .member_count =
							  ARRAY_LEN(processing_s3_input_members) };

static const struct shape athena_catalog = { .name = "AthenaCatalog",
					     .type = SHAPE_STRING,
					     .has_min = true,
					     .min = 1,
					     .has_max = true,
					     .max = 256 };

static const struct shape athena_database = { .name = "AthenaDatabase",
					      .type = SHAPE_STRING,
					      .has_min = true,
					      .min = 1,
					      .has_max = true,
					      .max = 255 };

static const struct shape athena_query_string = { .name = "AthenaQueryString",
						  .type = SHAPE_STRING,
						  .has_min = true,
						  .min = 1,
						  .has_max = true,
						  .max = 4096 };

static const struct shape athena_work_group = { .name = "AthenaWorkGroup",
						.type = SHAPE_STRING,
						.has_min = true,
						.min = 1,
						.has_max = true,
						.max = 128,
						.pattern = "^([a-zA-Z0-9._-]+)$",
						.example = "primary" };

static const struct shape athena_result_format = { .name = "AthenaResultFormat",
						   .type = SHAPE_STRING };

static const struct shape athena_result_compression_type = { .name = "AthenaResultCompressionType",
							     .type = SHAPE_STRING };

static const struct shape_member athena_dataset_definition_members[] = {
	{ .name = "Catalog", .shape = &athena_catalog, .required = true },
	{ .name = "Database", .shape = &athena_database, .required = true },
	{ .name = "QueryString", .shape = &athena_query_string, .required = true },
	{ .name = "WorkGroup", .shape = &athena_work_group },
	{ .name = "OutputS3Uri", .shape = &s3_uri, .required = true },
	{ .name = "KmsKeyId", .shape = &kms_key_id },
	{ .name = "OutputFormat", .shape = &athena_result_format, .required = true },
	{ .name = "OutputCompression", .shape = &athena_result_compression_type },
};
static const struct shape athena_dataset_definition = {
	.name = "AthenaDatasetDefinition",
	.type = SHAPE_STRUCTURE,
	.members = athena_dataset_definition_members,
	.member_count = ARRAY_LEN(athena_dataset_definition_members)
};

static const struct shape redshift_cluster_id = { .name = "RedshiftClusterId",
						  .type = SHAPE_STRING,
						  .has_min = true,
						  .min = 1,
						  .has_max = true,
						  .max = 63 };

static const struct shape redshift_database = { .name = "RedshiftDatabase",
						.type = SHAPE_STRING,
						.has_min = true,
						.min = 1,
						.has_max = true,
						.max = 64 };

static const struct shape redshift_user_name = { .name = "RedshiftUserName",
						 .type = SHAPE_STRING,
						 .has_min = true,
						 .min = 1,
						 .has_max = true,
						 .max = 128 };

static const struct shape redshift_query_string = { .name = "RedshiftQueryString",
						    .type = SHAPE_STRING,
						    .has_min = true,
						    .min = 1,
						    .has_max = true,
						    .max = 4096 };

static const struct shape redshift_result_format = { .name = "RedshiftResultFormat",
						     .type = SHAPE_STRING };

static const struct shape redshift_result_compression_type = {
	.name = "RedshiftResultCompressionType", .type = SHAPE_STRING
};

static const struct shape_member redshift_dataset_definition_members[] = {
	{ .name = "ClusterId", .shape = &redshift_cluster_id, .required = true },
	{ .name = "Database", .shape = &redshift_database, .required = true },
	{ .name = "DbUser", .shape = &redshift_user_name, .required = true },
	{ .name = "QueryString", .shape = &redshift_query_string, .required = true },
	{ .name = "ClusterRoleArn", .shape = &role_arn, .required = true },
	{ .name = "OutputS3Uri", .shape = &s3_uri, .required = true },
	{ .name = "KmsKeyId", .shape = &kms_key_id },
	{ .name = "OutputFormat", .shape = &redshift_result_format, .required = true },
	{ .name = "OutputCompression", .shape = &redshift_result_compression_type },
};
static const struct shape redshift_dataset_definition = {
	.name = "RedshiftDatasetDefinition",
	.type = SHAPE_STRUCTURE,
	.members = redshift_dataset_definition_members,
	.member_count = ARRAY_LEN(redshift_dataset_definition_members)
};

static const struct shape data_distribution_type = { .name = "DataDistributionType",
						     .type = SHAPE_STRING };

static const struct shape input_mode = { .name = "InputMode", .type = SHAPE_STRING };

static const struct shape_member dataset_definition_members[] = {
	{ .name = "AthenaDatasetDefinition", .shape = &athena_dataset_definition },
	{ .name = "RedshiftDatasetDefinition", .shape = &redshift_dataset_definition },
	{ .name = "LocalPath", .shape = &processing_local_path },
	{ .name = "DataDistributionType", .shape = &data_distribution_type },
	{ .name = "InputMode", .shape = &input_mode },
};
static const struct shape dataset_definition = { .name = "DatasetDefinition",
						 .type = SHAPE_STRUCTURE,
						 .members = dataset_definition_members,
						 .member_count =
							 ARRAY_LEN(dataset_definition_members) };

static const struct shape_member processing_input_members[] = {
	{ .name = "InputName", .shape = &string, .required = true },
	{ .name = "AppManaged", .shape = &app_managed },
	{ .name = "S3Input", .shape = &processing_s3_input },
	{ .name = "DatasetDefinition", .shape = &dataset_definition },
};
static const struct shape processing_input = { .name = "ProcessingInput",
					       .type = SHAPE_STRUCTURE,
					       .members = processing_input_members,
					       .member_count =
						       ARRAY_LEN(processing_input_members) };

static const struct shape processing_inputs = { .name = "ProcessingInputs",
						.type = SHAPE_LIST,
						.has_max = true,
						.max = 10,
						.item = &processing_input };

static const struct shape processing_s3_upload_mode = { .name = "ProcessingS3UploadMode",
							.type = SHAPE_STRING };

static const struct shape_member processing_s3_output_members[] = {
	{ .name = "S3Uri", .shape = &s3_uri, .required = true },
	{ .name = "LocalPath", .shape = &processing_local_path },
	{ .name = "S3UploadMode", .shape = &processing_s3_upload_mode, .required = true },
};
static const struct shape processing_s3_output = { .name = "ProcessingS3Output",
						   .type = SHAPE_STRUCTURE,
						   .members = processing_s3_output_members,
						   .member_count = ARRAY_LEN(
							   processing_s3_output_members) };

static const struct shape feature_group_name = { .name = "FeatureGroupName",
						 .type = SHAPE_STRING,
						 .has_min = true,
						 .min = 1,
						 .has_max = true,
						 .max = 64,
						 .pattern = "^([a-zA-Z0-9]([_-]*[a-zA-Z0-9])*)$",
						 .example = "my-features" };

static const struct shape_member processing_feature_store_output_members[] = {
	{ .name = "FeatureGroupName", .shape = &feature_group_name, .required = true },
};
static const struct shape processing_feature_store_output = {
	.name = "ProcessingFeatureStoreOutput",
	.type = SHAPE_STRUCTURE,
	.members = processing_feature_store_output_members,
	.member_count = ARRAY_LEN(processing_feature_store_output_members)
};

static const struct shape_member processing_output_members[] = {
	{ .name = "OutputName", .shape = &string, .required = true },
	{ .name = "S3Output", .shape = &processing_s3_output },
	{ .name = "FeatureStoreOutput", .shape = &processing_feature_store_output },
	{ .name = "AppManaged", .shape = &app_managed },
};
static const struct shape processing_output = { .name = "ProcessingOutput",
						.type = SHAPE_STRUCTURE,
						.members = processing_output_members,
						.member_count =
							ARRAY_LEN(processing_output_members) };

static const struct shape processing_outputs = { .name = "ProcessingOutputs",
						 .type = SHAPE_LIST,
						 .has_max = true,
						 .max = 10,
						 .item = &processing_output };

static const struct shape_member processing_output_config_members[] = {
	{ .name = "Outputs", .shape = &processing_outputs, .required = true },
	{ .name = "KmsKeyId", .shape = &kms_key_id },
};
static const struct shape processing_output_config = { .name = "ProcessingOutputConfig",
						       .type = SHAPE_STRUCTURE,
						       .members = processing_output_config_members,
						       .member_count = ARRAY_LEN(
							       processing_output_config_members) };

static const struct shape processing_job_name = { .name = "ProcessingJobName",
						  .type = SHAPE_STRING };

static const struct shape processing_instance_count = { .name = "ProcessingInstanceCount",
							.type = SHAPE_INTEGER };

static const struct shape processing_volume_size_in_gb = { .name = "ProcessingVolumeSizeInGB",
							   .type = SHAPE_INTEGER,
							   .has_min = true,
							   .min = 1,
							   .has_max = true,
							   .max = 16384 };

static const struct shape_member processing_instance_preference_members[] = {
	{ .name = "InstanceType", .shape = &processing_instance_type, .required = true },
	{ .name = "InstanceCount", .shape = &instance_preference_instance_count },
};
static const struct shape processing_instance_preference = {
	.name = "ProcessingInstancePreference",
	.type = SHAPE_STRUCTURE,
	.members = processing_instance_preference_members,
	.member_count = ARRAY_LEN(processing_instance_preference_members)
};

static const struct shape processing_instance_preference_list = {
	.name = "ProcessingInstancePreferenceList",
	.type = SHAPE_LIST,
	.item = &processing_instance_preference
};

static const struct shape_member processing_cluster_config_members[] = {
	{ .name = "InstanceCount", .shape = &processing_instance_count },
	{ .name = "InstanceType", .shape = &processing_instance_type },
	{ .name = "VolumeSizeInGB", .shape = &processing_volume_size_in_gb, .required = true },
	{ .name = "VolumeKmsKeyId", .shape = &kms_key_id },
	{ .name = "InstancePreferences", .shape = &processing_instance_preference_list },
	{ .name = "SelectedInstanceType", .shape = &processing_instance_type },
	{ .name = "SelectedInstanceCount", .shape = &selected_instance_count },
};
static const struct shape processing_cluster_config = {
	.name = "ProcessingClusterConfig",
	.type = SHAPE_STRUCTURE,
	.members = processing_cluster_config_members,
	.member_count = ARRAY_LEN(processing_cluster_config_members)
};

static const struct shape_member processing_resources_members[] = {
	{ .name = "ClusterConfig", .shape = &processing_cluster_config, .required = true },
};
static const struct shape processing_resources = { .name = "ProcessingResources",
						   .type = SHAPE_STRUCTURE,
						   .members = processing_resources_members,
						   .member_count = ARRAY_LEN(
							   processing_resources_members) };

static const struct shape processing_max_runtime_in_seconds = {
	.name = "ProcessingMaxRuntimeInSeconds",
	.type = SHAPE_INTEGER,
	.has_min = true,
	.min = 1,
	.has_max = true,
	.max = 777600
};

static const struct shape_member processing_stopping_condition_members[] = {
	{ .name = "MaxRuntimeInSeconds",
	  .shape = &processing_max_runtime_in_seconds,
	  .required = true },
};
static const struct shape processing_stopping_condition = {
	.name = "ProcessingStoppingCondition",
	.type = SHAPE_STRUCTURE,
	.members = processing_stopping_condition_members,
	.member_count = ARRAY_LEN(processing_stopping_condition_members)
};

static const struct shape image_uri = {
	.name = "ImageUri", .type = SHAPE_STRING, .has_max = true, .max = 255
};

static const struct shape container_entrypoint_string = {
	.name = "ContainerEntrypointString", .type = SHAPE_STRING, .has_max = true, .max = 256
};

static const struct shape container_entrypoint = { .name = "ContainerEntrypoint",
						   .type = SHAPE_LIST,
						   .has_min = true,
						   .min = 1,
						   .has_max = true,
						   .max = 100,
						   .item = &container_entrypoint_string };

static const struct shape container_argument = {
	.name = "ContainerArgument", .type = SHAPE_STRING, .has_max = true, .max = 256
};

static const struct shape container_arguments = { .name = "ContainerArguments",
						  .type = SHAPE_LIST,
						  .has_min = true,
						  .min = 1,
						  .has_max = true,
						  .max = 100,
						  .item = &container_argument };

static const struct shape_member app_specification_members[] = {
	{ .name = "ImageUri", .shape = &image_uri, .required = true },
	{ .name = "ContainerEntrypoint", .shape = &container_entrypoint },
	{ .name = "ContainerArguments", .shape = &container_arguments },
};
static const struct shape app_specification = { .name = "AppSpecification",
						.type = SHAPE_STRUCTURE,
						.members = app_specification_members,
						.member_count =
							ARRAY_LEN(app_specification_members) };

static const struct shape processing_environment_key = { .name = "ProcessingEnvironmentKey",
							 .type = SHAPE_STRING,
							 .has_max = true,
							 .max = 256,
							 .pattern = "^([a-zA-Z_][a-zA-Z0-9_]*)$",
							 .example = "MY_VARIABLE" };

static const struct shape processing_environment_value = {
	.name = "ProcessingEnvironmentValue", .type = SHAPE_STRING, .has_max = true, .max = 256
};

static const struct shape processing_environment_map = { .name = "ProcessingEnvironmentMap",
							 .type = SHAPE_MAP,
							 .has_max = true,
							 .max = 100,
							 .key = &processing_environment_key,
							 .item = &processing_environment_value };

static const struct shape_member network_config_members[] = {
	{ .name = "EnableInterContainerTrafficEncryption", .shape = &boolean },
	{ .name = "EnableNetworkIsolation", .shape = &boolean },
	{ .name = "VpcConfig", .shape = &vpc_config },
};
static const struct shape network_config = { .name = "NetworkConfig",
					     .type = SHAPE_STRUCTURE,
					     .members = network_config_members,
					     .member_count = ARRAY_LEN(network_config_members) };

static const struct shape_member create_processing_job_request_members[] = {
	{ .name = "ProcessingInputs", .shape = &processing_inputs },
	{ .name = "ProcessingOutputConfig", .shape = &processing_output_config },
	{ .name = "ProcessingJobName", .shape = &processing_job_name, .required = true },
	{ .name = "ProcessingResources", .shape = &processing_resources, .required = true },
	{ .name = "StoppingCondition", .shape = &processing_stopping_condition },
	{ .name = "AppSpecification", .shape = &app_specification, .required = true },
	{ .name = "Environment", .shape = &processing_environment_map },
	{ .name = "NetworkConfig", .shape = &network_config },
	{ .name = "RoleArn", .shape = &role_arn, .required = true },
	{ .name = "Tags", .shape = &tag_list },
	{ .name = "ExperimentConfig", .shape = &experiment_config },
};
static const struct shape create_processing_job_request = {
	.name = "CreateProcessingJobRequest",
	.type = SHAPE_STRUCTURE,
	.members = create_processing_job_request_members,
	.member_count = ARRAY_LEN(create_processing_job_request_members)
};

const struct shape *shape_of_request(enum job_kind kind)
{
	return kind == JOB_TRAINING ? &create_training_job_request : &create_processing_job_request;
}

const struct shape_member *shape_find_member(const struct shape *shape, const char *name)
{
	for (size_t i = 0; i < shape->member_count; i++) {
		if (strcmp(shape->members[i].name, name) == 0)
			return &shape->members[i];
	}
	return NULL;
}
