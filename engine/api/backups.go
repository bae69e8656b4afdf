package api

// CreateBackupInput is the request of CreateBackup.
type CreateBackupInput struct {
	TableName  *string
	BackupName *string
}

// CreateBackupOutput is the answer of CreateBackup.
type CreateBackupOutput struct {
	BackupDetails *BackupDetails
}

// BackupDetails describes a backup.
type BackupDetails struct {
	BackupArn              string
	BackupName             string
	BackupSizeBytes        int64
	BackupStatus           string
	BackupType             string
	BackupCreationDateTime *Time
}

// DescribeBackupInput is the request of DescribeBackup.
type DescribeBackupInput struct {
	BackupArn *string
}

// DescribeBackupOutput is the answer of DescribeBackup.
type DescribeBackupOutput struct {
	BackupDescription *BackupDescription
}

// DeleteBackupInput is the request of DeleteBackup.
type DeleteBackupInput struct {
	BackupArn *string
}

// DeleteBackupOutput is the answer of DeleteBackup.
type DeleteBackupOutput struct {
	BackupDescription *BackupDescription
}

// BackupDescription describes a backup and the table it was made of.
type BackupDescription struct {
	BackupDetails             *BackupDetails
	SourceTableDetails        *SourceTableDetails
	SourceTableFeatureDetails *SourceTableFeatureDetails
}

// SourceTableDetails describes a table when it was backed up.
type SourceTableDetails struct {
	TableName             string
	TableId               string
	TableArn              string
	TableSizeBytes        int64
	KeySchema             []KeySchemaElement
	TableCreationDateTime *Time
	ProvisionedThroughput *ProvisionedThroughput
	OnDemandThroughput    *OnDemandThroughput `json:",omitempty"`
	ItemCount             int64
	BillingMode           string
}

// SourceTableFeatureDetails describes what else a table had when it was backed
// up.
type SourceTableFeatureDetails struct {
	LocalSecondaryIndexes  []LocalSecondaryIndex  `json:",omitempty"`
	GlobalSecondaryIndexes []GlobalSecondaryIndex `json:",omitempty"`
	VectorIndexes          []VectorIndex          `json:",omitempty"`
	StreamDescription      *StreamSpecification   `json:",omitempty"`
	TimeToLiveDescription  *TimeToLiveDescription `json:",omitempty"`
	SSEDescription         *SSEDescription        `json:",omitempty"`
}

// ListBackupsInput is the request of ListBackups.
type ListBackupsInput struct {
	TableName               *string
	BackupType              string
	ExclusiveStartBackupArn *string
	Limit                   *int64
	TimeRangeLowerBound     *Time
	TimeRangeUpperBound     *Time
}

// ListBackupsOutput is the answer of ListBackups.
type ListBackupsOutput struct {
	BackupSummaries        []BackupSummary
	LastEvaluatedBackupArn string `json:",omitempty"`
}

// BackupSummary describes a backup in a list.
type BackupSummary struct {
	TableName              string
	TableId                string
	TableArn               string
	BackupArn              string
	BackupName             string
	BackupCreationDateTime *Time
	BackupStatus           string
	BackupType             string
	BackupSizeBytes        int64
}

// RestoreOverrides is what a restored table has otherwise than its source. Nil
// is as in the source; an empty list is no index.
type RestoreOverrides struct {
	BillingModeOverride           string
	GlobalSecondaryIndexOverride  []GlobalSecondaryIndex
	LocalSecondaryIndexOverride   []LocalSecondaryIndex
	VectorIndexOverride           []VectorIndex
	ProvisionedThroughputOverride *ProvisionedThroughput
	OnDemandThroughputOverride    *OnDemandThroughput
	SSESpecificationOverride      *SSESpecification
}

// RestoreTableFromBackupInput is the request of RestoreTableFromBackup.
type RestoreTableFromBackupInput struct {
	TargetTableName *string
	BackupArn       *string
	RestoreOverrides
}

// RestoreTableToPointInTimeInput is the request of RestoreTableToPointInTime.
type RestoreTableToPointInTimeInput struct {
	SourceTableName         *string
	SourceTableArn          *string
	TargetTableName         *string
	UseLatestRestorableTime *bool
	RestoreDateTime         *Time
	RestoreOverrides
}

// RestoreTableOutput is the answer of both ways to restore a table.
type RestoreTableOutput struct {
	TableDescription *TableDescription
}

// RestoreSummary says what a table was restored from.
type RestoreSummary struct {
	SourceBackupArn   string `json:",omitempty"`
	SourceTableArn    string `json:",omitempty"`
	RestoreDateTime   *Time
	RestoreInProgress bool
}

// PointInTimeRecoverySpecification switches point-in-time recovery.
type PointInTimeRecoverySpecification struct {
	PointInTimeRecoveryEnabled *bool
	RecoveryPeriodInDays       *int64
}

// UpdateContinuousBackupsInput is the request of UpdateContinuousBackups.
type UpdateContinuousBackupsInput struct {
	TableName                        *string
	PointInTimeRecoverySpecification *PointInTimeRecoverySpecification
}

// DescribeContinuousBackupsInput is the request of DescribeContinuousBackups.
type DescribeContinuousBackupsInput struct {
	TableName *string
}

// ContinuousBackupsOutput is the answer of UpdateContinuousBackups and
// DescribeContinuousBackups.
type ContinuousBackupsOutput struct {
	ContinuousBackupsDescription *ContinuousBackupsDescription
}

// ContinuousBackupsDescription says whether a table can be restored to a point
// in time.
type ContinuousBackupsDescription struct {
	ContinuousBackupsStatus        string
	PointInTimeRecoveryDescription *PointInTimeRecoveryDescription
}

// PointInTimeRecoveryDescription says to which points in time.
type PointInTimeRecoveryDescription struct {
	PointInTimeRecoveryStatus  string
	RecoveryPeriodInDays       *int64 `json:",omitempty"`
	EarliestRestorableDateTime *Time  `json:",omitempty"`
	LatestRestorableDateTime   *Time  `json:",omitempty"`
}
