package api

// KeyType is the part that an attribute plays in a key.
type KeyType string

// The parts of a key.
const (
	Hash  KeyType = "HASH"
	Range KeyType = "RANGE"
)

// KeySchemaElement names one attribute of a key.
type KeySchemaElement struct {
	AttributeName string
	KeyType       KeyType
}

// AttributeDefinition gives the type, S, N or B, of a key attribute.
type AttributeDefinition struct {
	AttributeName string
	AttributeType string
}

// Projection says which attributes an index copies: KEYS_ONLY, INCLUDE or ALL.
type Projection struct {
	ProjectionType   string   `json:",omitempty"`
	NonKeyAttributes []string `json:",omitempty"`
}

// ProvisionedThroughput is reserved capacity in units per second.
type ProvisionedThroughput struct {
	ReadCapacityUnits  *int64
	WriteCapacityUnits *int64
}

// OnDemandThroughput caps on-demand capacity; -1 is no cap.
type OnDemandThroughput struct {
	MaxReadRequestUnits  *int64 `json:",omitempty"`
	MaxWriteRequestUnits *int64 `json:",omitempty"`
}

// WarmThroughput is what a table can serve at once, in units per second.
type WarmThroughput struct {
	ReadUnitsPerSecond  *int64 `json:",omitempty"`
	WriteUnitsPerSecond *int64 `json:",omitempty"`
	Status              string `json:",omitempty"`
}

// SSESpecification chooses the key of encryption at rest.
type SSESpecification struct {
	Enabled        *bool  `json:",omitempty"`
	KMSMasterKeyId string `json:",omitempty"`
	SSEType        string `json:",omitempty"`
}

// StreamSpecification switches the stream of a table and what its records hold.
type StreamSpecification struct {
	StreamEnabled  *bool
	StreamViewType string `json:",omitempty"`
}

// Tag is a label of a resource.
type Tag struct {
	Key   string
	Value string
}

// LocalSecondaryIndex declares an index that shares the table's partition key.
type LocalSecondaryIndex struct {
	IndexName  string
	KeySchema  []KeySchemaElement
	Projection *Projection
}

// GlobalSecondaryIndex declares an index with keys of its own, of up to four
// HASH and four RANGE attributes.
type GlobalSecondaryIndex struct {
	IndexName             string
	KeySchema             []KeySchemaElement
	Projection            *Projection
	ProvisionedThroughput *ProvisionedThroughput `json:",omitempty"`
	OnDemandThroughput    *OnDemandThroughput    `json:",omitempty"`
	WarmThroughput        *WarmThroughput        `json:",omitempty"`
}

// CreateTableInput is the request of CreateTable.
type CreateTableInput struct {
	TableName                 *string
	AttributeDefinitions      []AttributeDefinition
	KeySchema                 []KeySchemaElement
	LocalSecondaryIndexes     []LocalSecondaryIndex
	GlobalSecondaryIndexes    []GlobalSecondaryIndex
	VectorIndexes             []VectorIndex
	BillingMode               string
	ProvisionedThroughput     *ProvisionedThroughput
	OnDemandThroughput        *OnDemandThroughput
	WarmThroughput            *WarmThroughput
	StreamSpecification       *StreamSpecification
	SSESpecification          *SSESpecification
	TableClass                string
	DeletionProtectionEnabled *bool
	ResourcePolicy            *string
	Tags                      []Tag
}

// CreateTableOutput is the answer of CreateTable.
type CreateTableOutput struct {
	TableDescription *TableDescription
}

// UpdateTableInput is the request of UpdateTable.
type UpdateTableInput struct {
	TableName                   *string
	AttributeDefinitions        []AttributeDefinition
	BillingMode                 string
	ProvisionedThroughput       *ProvisionedThroughput
	OnDemandThroughput          *OnDemandThroughput
	WarmThroughput              *WarmThroughput
	GlobalSecondaryIndexUpdates []GlobalSecondaryIndexUpdate
	VectorIndexUpdates          []VectorIndexUpdate
	StreamSpecification         *StreamSpecification
	SSESpecification            *SSESpecification
	TableClass                  string
	DeletionProtectionEnabled   *bool
	ReplicaUpdates              []ReplicationGroupUpdate
}

// GlobalSecondaryIndexUpdate is one of the three changes to an index.
type GlobalSecondaryIndexUpdate struct {
	Create *GlobalSecondaryIndex
	Update *UpdateGlobalSecondaryIndex
	Delete *DeleteGlobalSecondaryIndex
}

// UpdateGlobalSecondaryIndex changes the throughput of an index.
type UpdateGlobalSecondaryIndex struct {
	IndexName             string
	ProvisionedThroughput *ProvisionedThroughput
	OnDemandThroughput    *OnDemandThroughput
	WarmThroughput        *WarmThroughput
}

// DeleteGlobalSecondaryIndex removes an index.
type DeleteGlobalSecondaryIndex struct {
	IndexName string
}

// UpdateTableOutput is the answer of UpdateTable.
type UpdateTableOutput struct {
	TableDescription *TableDescription
}

// DescribeTableInput is the request of DescribeTable.
type DescribeTableInput struct {
	TableName *string
}

// DescribeTableOutput is the answer of DescribeTable.
type DescribeTableOutput struct {
	Table *TableDescription
}

// DeleteTableInput is the request of DeleteTable.
type DeleteTableInput struct {
	TableName *string
}

// DeleteTableOutput is the answer of DeleteTable.
type DeleteTableOutput struct {
	TableDescription *TableDescription
}

// ListTablesInput is the request of ListTables.
type ListTablesInput struct {
	ExclusiveStartTableName *string
	Limit                   *int64
}

// ListTablesOutput is the answer of ListTables.
type ListTablesOutput struct {
	TableNames             []string
	LastEvaluatedTableName string `json:",omitempty"`
}

// The states of tables and indexes.
const (
	StatusCreating = "CREATING"
	StatusUpdating = "UPDATING"
	StatusDeleting = "DELETING"
	StatusActive   = "ACTIVE"
)

// TableDescription describes a table. Sizes are in bytes.
type TableDescription struct {
	AttributeDefinitions      []AttributeDefinition `json:",omitempty"`
	TableName                 string
	KeySchema                 []KeySchemaElement `json:",omitempty"`
	TableStatus               string
	CreationDateTime          *Time                             `json:",omitempty"`
	ProvisionedThroughput     *ProvisionedThroughputDescription `json:",omitempty"`
	TableSizeBytes            int64
	ItemCount                 int64
	TableArn                  string
	TableId                   string
	BillingModeSummary        *BillingModeSummary               `json:",omitempty"`
	LocalSecondaryIndexes     []LocalSecondaryIndexDescription  `json:",omitempty"`
	GlobalSecondaryIndexes    []GlobalSecondaryIndexDescription `json:",omitempty"`
	VectorIndexes             []VectorIndexDescription          `json:",omitempty"`
	StreamSpecification       *StreamSpecification              `json:",omitempty"`
	LatestStreamLabel         string                            `json:",omitempty"`
	LatestStreamArn           string                            `json:",omitempty"`
	SSEDescription            *SSEDescription                   `json:",omitempty"`
	TableClassSummary         *TableClassSummary                `json:",omitempty"`
	DeletionProtectionEnabled bool
	OnDemandThroughput        *OnDemandThroughput `json:",omitempty"`
	WarmThroughput            *WarmThroughput     `json:",omitempty"`
	RestoreSummary            *RestoreSummary     `json:",omitempty"`
	GlobalTableVersion        string              `json:",omitempty"`
	Replicas                  []Replica           `json:",omitempty"`
}

// ProvisionedThroughputDescription describes reserved capacity.
type ProvisionedThroughputDescription struct {
	LastIncreaseDateTime   *Time `json:",omitempty"`
	LastDecreaseDateTime   *Time `json:",omitempty"`
	NumberOfDecreasesToday int64
	ReadCapacityUnits      int64
	WriteCapacityUnits     int64
}

// Is reports whether the described capacity is p.
func (d *ProvisionedThroughputDescription) Is(p *ProvisionedThroughput) bool {
	return d.ReadCapacityUnits == *p.ReadCapacityUnits && d.WriteCapacityUnits == *p.WriteCapacityUnits
}

// BillingModeSummary says how capacity is paid for.
type BillingModeSummary struct {
	BillingMode                       string
	LastUpdateToPayPerRequestDateTime *Time `json:",omitempty"`
}

// SSEDescription describes encryption at rest.
type SSEDescription struct {
	Status          string
	SSEType         string `json:",omitempty"`
	KMSMasterKeyArn string `json:",omitempty"`
}

// TableClassSummary gives the storage class.
type TableClassSummary struct {
	TableClass         string
	LastUpdateDateTime *Time `json:",omitempty"`
}

// LocalSecondaryIndexDescription describes a local index.
type LocalSecondaryIndexDescription struct {
	IndexName      string
	KeySchema      []KeySchemaElement
	Projection     *Projection
	IndexSizeBytes int64
	ItemCount      int64
	IndexArn       string
}

// GlobalSecondaryIndexDescription describes a global index.
type GlobalSecondaryIndexDescription struct {
	IndexName             string
	KeySchema             []KeySchemaElement
	Projection            *Projection
	IndexStatus           string
	Backfilling           *bool                             `json:",omitempty"`
	ProvisionedThroughput *ProvisionedThroughputDescription `json:",omitempty"`
	OnDemandThroughput    *OnDemandThroughput               `json:",omitempty"`
	WarmThroughput        *WarmThroughput                   `json:",omitempty"`
	IndexSizeBytes        int64
	ItemCount             int64
	IndexArn              string
}
