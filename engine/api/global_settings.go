package api

// DescribeGlobalTableSettingsInput is the request of
// DescribeGlobalTableSettings.
type DescribeGlobalTableSettingsInput struct {
	GlobalTableName *string
}

// UpdateGlobalTableSettingsInput is the request of UpdateGlobalTableSettings.
type UpdateGlobalTableSettingsInput struct {
	GlobalTableName                                              *string
	GlobalTableBillingMode                                       string
	GlobalTableProvisionedWriteCapacityUnits                     *int64
	GlobalTableProvisionedWriteCapacityAutoScalingSettingsUpdate *AutoScalingUpdate
	GlobalTableGlobalSecondaryIndexSettingsUpdate                []GlobalIndexSettingsUpdate
	ReplicaSettingsUpdate                                        []ReplicaSettingsUpdate
}

// GlobalIndexSettingsUpdate sets the writes of an index, in all regions.
type GlobalIndexSettingsUpdate struct {
	IndexName                                         string
	ProvisionedWriteCapacityUnits                     *int64
	ProvisionedWriteCapacityAutoScalingSettingsUpdate *AutoScalingUpdate
}

// ReplicaSettingsUpdate sets the reads of a replica.
type ReplicaSettingsUpdate struct {
	RegionName                                              string
	ReplicaProvisionedReadCapacityUnits                     *int64
	ReplicaProvisionedReadCapacityAutoScalingSettingsUpdate *AutoScalingUpdate
	ReplicaGlobalSecondaryIndexSettingsUpdate               []ReplicaIndexSettingsUpdate
	ReplicaTableClass                                       string
}

// ReplicaIndexSettingsUpdate sets the reads of an index of a replica.
type ReplicaIndexSettingsUpdate struct {
	IndexName                                        string
	ProvisionedReadCapacityUnits                     *int64
	ProvisionedReadCapacityAutoScalingSettingsUpdate *AutoScalingUpdate
}

// GlobalTableSettingsOutput is the answer of both operations.
type GlobalTableSettingsOutput struct {
	GlobalTableName string
	ReplicaSettings []ReplicaSettings
}

// ReplicaSettings describes the capacity of a replica.
type ReplicaSettings struct {
	RegionName                                         string
	ReplicaStatus                                      string
	ReplicaBillingModeSummary                          *BillingModeSummary    `json:",omitempty"`
	ReplicaProvisionedReadCapacityUnits                *int64                 `json:",omitempty"`
	ReplicaProvisionedReadCapacityAutoScalingSettings  *AutoScalingSettings   `json:",omitempty"`
	ReplicaProvisionedWriteCapacityUnits               *int64                 `json:",omitempty"`
	ReplicaProvisionedWriteCapacityAutoScalingSettings *AutoScalingSettings   `json:",omitempty"`
	ReplicaGlobalSecondaryIndexSettings                []ReplicaIndexSettings `json:",omitempty"`
	ReplicaTableClassSummary                           *TableClassSummary     `json:",omitempty"`
}

// ReplicaIndexSettings describes the capacity of an index of a replica.
type ReplicaIndexSettings struct {
	IndexName                                   string
	IndexStatus                                 string
	ProvisionedReadCapacityUnits                *int64               `json:",omitempty"`
	ProvisionedReadCapacityAutoScalingSettings  *AutoScalingSettings `json:",omitempty"`
	ProvisionedWriteCapacityUnits               *int64               `json:",omitempty"`
	ProvisionedWriteCapacityAutoScalingSettings *AutoScalingSettings `json:",omitempty"`
}
