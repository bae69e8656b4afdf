package api

// This file has the settings that mean something in the cloud only. The engine
// keeps and returns them, for the sake of the tools that set them.

// PutResourcePolicyInput is the request of PutResourcePolicy.
type PutResourcePolicyInput struct {
	ResourceArn        *string
	Policy             *string
	ExpectedRevisionId *string
}

// DeleteResourcePolicyInput is the request of DeleteResourcePolicy.
type DeleteResourcePolicyInput struct {
	ResourceArn        *string
	ExpectedRevisionId *string
}

// ResourcePolicyRevision is the answer of PutResourcePolicy and
// DeleteResourcePolicy.
type ResourcePolicyRevision struct {
	RevisionId string `json:",omitempty"`
}

// GetResourcePolicyInput is the request of GetResourcePolicy.
type GetResourcePolicyInput struct {
	ResourceArn *string
}

// GetResourcePolicyOutput is the answer of GetResourcePolicy.
type GetResourcePolicyOutput struct {
	Policy     string
	RevisionId string
}

// KinesisConfiguration is how records are written to a Kinesis data stream.
type KinesisConfiguration struct {
	ApproximateCreationDateTimePrecision string `json:",omitempty"`
}

// KinesisDestinationInput is the request of EnableKinesisStreamingDestination,
// DisableKinesisStreamingDestination and UpdateKinesisStreamingDestination.
type KinesisDestinationInput struct {
	TableName                           *string
	StreamArn                           *string
	EnableKinesisStreamingConfiguration *KinesisConfiguration
	UpdateKinesisStreamingConfiguration *KinesisConfiguration
}

// KinesisDestinationOutput is the answer of the same operations.
type KinesisDestinationOutput struct {
	TableName                           string
	StreamArn                           string
	DestinationStatus                   string
	EnableKinesisStreamingConfiguration *KinesisConfiguration `json:",omitempty"`
	UpdateKinesisStreamingConfiguration *KinesisConfiguration `json:",omitempty"`
}

// DescribeKinesisDestinationInput is the request of
// DescribeKinesisStreamingDestination.
type DescribeKinesisDestinationInput struct {
	TableName *string
}

// DescribeKinesisDestinationOutput is the answer of
// DescribeKinesisStreamingDestination.
type DescribeKinesisDestinationOutput struct {
	TableName                     string
	KinesisDataStreamDestinations []KinesisDestination
}

// KinesisDestination is a Kinesis data stream that a table's changes go to.
type KinesisDestination struct {
	StreamArn                            string
	DestinationStatus                    string
	ApproximateCreationDateTimePrecision string
}

// ContributorInsightsInput is the request of UpdateContributorInsights and
// DescribeContributorInsights.
type ContributorInsightsInput struct {
	TableName                 *string
	IndexName                 *string
	ContributorInsightsAction string // of an update
	ContributorInsightsMode   string // of an update
}

// ContributorInsights is the answer of the same operations, and an element of a
// list.
type ContributorInsights struct {
	TableName                   string
	IndexName                   string `json:",omitempty"`
	ContributorInsightsStatus   string
	ContributorInsightsMode     string   `json:",omitempty"`
	ContributorInsightsRuleList []string `json:",omitempty"`
	LastUpdateDateTime          *Time    `json:",omitempty"`
}

// ListContributorInsightsInput is the request of ListContributorInsights.
type ListContributorInsightsInput struct {
	TableName *string
}

// ListContributorInsightsOutput is the answer of ListContributorInsights.
type ListContributorInsightsOutput struct {
	ContributorInsightsSummaries []ContributorInsights
}

// ReplicationGroupUpdate is one change to the replicas of a table.
type ReplicationGroupUpdate struct {
	Create *Replica
	Update *Replica
	Delete *Replica
}

// Replica is a copy of a table in another region, with what it has otherwise.
type Replica struct {
	RegionName                    string
	ReplicaStatus                 string             `json:",omitempty"`
	KMSMasterKeyId                string             `json:",omitempty"`
	ProvisionedThroughputOverride *ReadOverride      `json:",omitempty"`
	OnDemandThroughputOverride    *ReadOverride      `json:",omitempty"`
	GlobalSecondaryIndexes        []ReplicaIndex     `json:",omitempty"`
	TableClassOverride            string             `json:",omitempty"`
	ReplicaTableClassSummary      *TableClassSummary `json:",omitempty"`
}

// ReplicaIndex is what an index of a replica has otherwise.
type ReplicaIndex struct {
	IndexName                     string
	ProvisionedThroughputOverride *ReadOverride `json:",omitempty"`
	OnDemandThroughputOverride    *ReadOverride `json:",omitempty"`
}

// ReadOverride is the read capacity of a replica, of either billing mode.
type ReadOverride struct {
	ReadCapacityUnits   *int64 `json:",omitempty"`
	MaxReadRequestUnits *int64 `json:",omitempty"`
}

// GlobalTableInput is the request of CreateGlobalTable, UpdateGlobalTable and
// DescribeGlobalTable.
type GlobalTableInput struct {
	GlobalTableName  *string
	ReplicationGroup []Replica                // of CreateGlobalTable
	ReplicaUpdates   []ReplicationGroupUpdate // of UpdateGlobalTable
}

// GlobalTableOutput is the answer of the same operations.
type GlobalTableOutput struct {
	GlobalTableDescription *GlobalTable
}

// GlobalTable is a global table of the older version, 2017.11.29.
type GlobalTable struct {
	GlobalTableName   string
	ReplicationGroup  []Replica
	GlobalTableArn    string `json:",omitempty"`
	GlobalTableStatus string `json:",omitempty"`
	CreationDateTime  *Time  `json:",omitempty"`
}

// ListGlobalTablesInput is the request of ListGlobalTables.
type ListGlobalTablesInput struct {
	ExclusiveStartGlobalTableName *string
	Limit                         *int64
	RegionName                    *string
}

// ListGlobalTablesOutput is the answer of ListGlobalTables.
type ListGlobalTablesOutput struct {
	GlobalTables                 []GlobalTable
	LastEvaluatedGlobalTableName string `json:",omitempty"`
}
