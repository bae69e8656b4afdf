package api

import "encoding/json"

// AutoScalingUpdate sets how the capacity of a table, an index or a replica
// follows its use.
type AutoScalingUpdate struct {
	MinimumUnits        *int64
	MaximumUnits        *int64
	AutoScalingDisabled *bool
	AutoScalingRoleArn  string
	ScalingPolicyUpdate *ScalingPolicy
}

// ScalingPolicy is the policy of Application Auto Scaling, as it was given.
type ScalingPolicy struct {
	PolicyName                               string          `json:",omitempty"`
	TargetTrackingScalingPolicyConfiguration json.RawMessage `json:",omitempty"`
}

// AutoScalingSettings describes what was set.
type AutoScalingSettings struct {
	MinimumUnits        *int64          `json:",omitempty"`
	MaximumUnits        *int64          `json:",omitempty"`
	AutoScalingDisabled *bool           `json:",omitempty"`
	AutoScalingRoleArn  string          `json:",omitempty"`
	ScalingPolicies     []ScalingPolicy `json:",omitempty"`
}

// UpdateTableReplicaAutoScalingInput is the request of
// UpdateTableReplicaAutoScaling.
type UpdateTableReplicaAutoScalingInput struct {
	TableName                                 *string
	ProvisionedWriteCapacityAutoScalingUpdate *AutoScalingUpdate
	GlobalSecondaryIndexUpdates               []IndexAutoScalingUpdate
	ReplicaUpdates                            []ReplicaAutoScalingUpdate
}

// IndexAutoScalingUpdate is the part of an index.
type IndexAutoScalingUpdate struct {
	IndexName                                 string
	ProvisionedWriteCapacityAutoScalingUpdate *AutoScalingUpdate // of all replicas
	ProvisionedReadCapacityAutoScalingUpdate  *AutoScalingUpdate // of one replica
}

// ReplicaAutoScalingUpdate is the part of a replica.
type ReplicaAutoScalingUpdate struct {
	RegionName                                      string
	ReplicaProvisionedReadCapacityAutoScalingUpdate *AutoScalingUpdate
	ReplicaGlobalSecondaryIndexUpdates              []IndexAutoScalingUpdate
}

// DescribeTableReplicaAutoScalingInput is the request of
// DescribeTableReplicaAutoScaling.
type DescribeTableReplicaAutoScalingInput struct {
	TableName *string
}

// TableReplicaAutoScalingOutput is the answer of both operations.
type TableReplicaAutoScalingOutput struct {
	TableAutoScalingDescription *TableAutoScaling
}

// TableAutoScaling describes the scaling of a table.
type TableAutoScaling struct {
	TableName   string
	TableStatus string
	Replicas    []ReplicaAutoScaling
}

// ReplicaAutoScaling describes the scaling of a replica, or of the table
// itself.
type ReplicaAutoScaling struct {
	RegionName                                         string
	ReplicaStatus                                      string
	GlobalSecondaryIndexes                             []IndexAutoScaling   `json:",omitempty"`
	ReplicaProvisionedReadCapacityAutoScalingSettings  *AutoScalingSettings `json:",omitempty"`
	ReplicaProvisionedWriteCapacityAutoScalingSettings *AutoScalingSettings `json:",omitempty"`
}

// IndexAutoScaling describes the scaling of an index.
type IndexAutoScaling struct {
	IndexName                                   string
	IndexStatus                                 string
	ProvisionedReadCapacityAutoScalingSettings  *AutoScalingSettings `json:",omitempty"`
	ProvisionedWriteCapacityAutoScalingSettings *AutoScalingSettings `json:",omitempty"`
}
