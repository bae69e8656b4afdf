package api

import "encoding/json"

// ExportTableToPointInTimeInput is the request of ExportTableToPointInTime.
type ExportTableToPointInTimeInput struct {
	TableArn     *string
	S3Bucket     *string
	S3Prefix     *string
	ExportTime   *Time
	ExportFormat string
	ExportType   string
	ClientToken  *string

	S3BucketOwner  string
	S3SseAlgorithm string
	S3SseKmsKeyId  string

	IncrementalExportSpecification *IncrementalExportSpecification
	FilterSpecification            *FilterSpecification
}

// FilterSpecification says which items to export, and what of them. Without a
// key condition the filter may look at keys, too.
type FilterSpecification struct {
	KeyConditionExpression    *string           `json:",omitempty"`
	FilterExpression          *string           `json:",omitempty"`
	ProjectionExpression      *string           `json:",omitempty"`
	ExpressionAttributeNames  map[string]string `json:",omitempty"`
	ExpressionAttributeValues json.RawMessage   `json:",omitempty"` // DynamoDB JSON
}

// IncrementalExportSpecification says which changes to export: those from a
// moment on, and before another one.
type IncrementalExportSpecification struct {
	ExportFromTime *Time  `json:",omitempty"`
	ExportToTime   *Time  `json:",omitempty"`
	ExportViewType string `json:",omitempty"`
}

// ExportOutput is the answer of ExportTableToPointInTime and DescribeExport.
type ExportOutput struct {
	ExportDescription *ExportDescription
}

// ExportDescription describes an export.
type ExportDescription struct {
	ExportArn       string
	ExportStatus    string
	ExportType      string
	ExportFormat    string
	ExportManifest  string `json:",omitempty"`
	ExportTime      *Time  `json:",omitempty"`
	StartTime       *Time
	EndTime         *Time `json:",omitempty"`
	TableArn        string
	TableId         string
	ClientToken     string `json:",omitempty"`
	S3Bucket        string
	S3BucketOwner   string `json:",omitempty"`
	S3Prefix        string `json:",omitempty"`
	S3SseAlgorithm  string `json:",omitempty"`
	S3SseKmsKeyId   string `json:",omitempty"`
	ItemCount       *int64 `json:",omitempty"` // of what is done
	BilledSizeBytes *int64 `json:",omitempty"`

	IncrementalExportSpecification *IncrementalExportSpecification `json:",omitempty"`
	FilterSpecification            *FilterSpecification            `json:",omitempty"`
}

// DescribeExportInput is the request of DescribeExport.
type DescribeExportInput struct {
	ExportArn *string
}

// ListExportsInput is the request of ListExports.
type ListExportsInput struct {
	TableArn   *string
	MaxResults *int64
	NextToken  *string
}

// ListExportsOutput is the answer of ListExports.
type ListExportsOutput struct {
	ExportSummaries []ExportSummary
	NextToken       string `json:",omitempty"`
}

// ExportSummary describes an export in a list.
type ExportSummary struct {
	ExportArn    string
	ExportStatus string
	ExportType   string
}

// ImportTableInput is the request of ImportTable.
type ImportTableInput struct {
	S3BucketSource          *S3BucketSource
	InputFormat             string
	InputFormatOptions      *InputFormatOptions
	InputCompressionType    string
	TableCreationParameters *CreateTableInput
	ClientToken             *string
}

// S3BucketSource says which files to import: those of a bucket whose keys begin
// with the prefix.
type S3BucketSource struct {
	S3BucketOwner string `json:",omitempty"`
	S3Bucket      *string
	S3KeyPrefix   *string `json:",omitempty"`
}

// InputFormatOptions are more about the format of files to import.
type InputFormatOptions struct {
	Csv *CsvOptions `json:",omitempty"`
}

// CsvOptions are the character between the fields of a line, a comma if absent,
// and the names of attributes if the first line does not have them.
type CsvOptions struct {
	Delimiter  string   `json:",omitempty"`
	HeaderList []string `json:",omitempty"`
}

// ImportOutput is the answer of ImportTable and DescribeImport.
type ImportOutput struct {
	ImportTableDescription *ImportDescription
}

// ImportDescription describes an import. Items that could not be put are
// counted as errors.
type ImportDescription struct {
	ImportArn               string
	ImportStatus            string
	FailureCode             string `json:",omitempty"`
	FailureMessage          string `json:",omitempty"`
	TableArn                string
	TableId                 string
	ClientToken             string `json:",omitempty"`
	S3BucketSource          *S3BucketSource
	InputFormat             string
	InputFormatOptions      *InputFormatOptions `json:",omitempty"`
	InputCompressionType    string
	TableCreationParameters *TableCreationParameters
	StartTime               *Time
	EndTime                 *Time `json:",omitempty"`
	ProcessedSizeBytes      int64
	ProcessedItemCount      int64
	ImportedItemCount       int64
	ErrorCount              int64
}

// TableCreationParameters is the part of a CreateTable that an import shows.
type TableCreationParameters struct {
	TableName              *string
	AttributeDefinitions   []AttributeDefinition
	KeySchema              []KeySchemaElement
	BillingMode            string                 `json:",omitempty"`
	ProvisionedThroughput  *ProvisionedThroughput `json:",omitempty"`
	OnDemandThroughput     *OnDemandThroughput    `json:",omitempty"`
	SSESpecification       *SSESpecification      `json:",omitempty"`
	GlobalSecondaryIndexes []GlobalSecondaryIndex `json:",omitempty"`
}

// DescribeImportInput is the request of DescribeImport.
type DescribeImportInput struct {
	ImportArn *string
}

// ListImportsInput is the request of ListImports.
type ListImportsInput struct {
	TableArn  *string
	PageSize  *int64
	NextToken *string
}

// ListImportsOutput is the answer of ListImports.
type ListImportsOutput struct {
	ImportSummaryList []ImportSummary
	NextToken         string `json:",omitempty"`
}

// ImportSummary describes an import in a list.
type ImportSummary struct {
	ImportArn      string
	ImportStatus   string
	TableArn       string
	S3BucketSource *S3BucketSource
	InputFormat    string
	StartTime      *Time
	EndTime        *Time `json:",omitempty"`
}

// StartBulkPutItemsInput is the request of StartBulkPutItems.
type StartBulkPutItemsInput struct {
	TableName             *string
	InputS3Configuration  *BulkInput
	OutputS3Configuration *BulkOutput
	ClientToken           *string
	MaxWriteRequestUnits  *int64
	PerformanceTier       string
}

// BulkInput says which files hold the items: those of a bucket whose keys begin
// with the prefix.
type BulkInput struct {
	S3Bucket             *string
	S3BucketOwner        string `json:",omitempty"`
	S3KeyPrefix          string `json:",omitempty"`
	InputFormat          string
	InputCompressionType string `json:",omitempty"`
}

// BulkOutput says where to write which items were not put.
type BulkOutput struct {
	S3Bucket       *string
	S3BucketOwner  string   `json:",omitempty"`
	S3KeyPrefix    string   `json:",omitempty"`
	OutputType     []string // ERROR, CONDITION_CHECK_FAILURE
	S3SseAlgorithm string   `json:",omitempty"`
	S3SseKmsKeyId  string   `json:",omitempty"`
}

// BulkOperationInput is the request of DescribeBulkOperation and
// CancelBulkOperation.
type BulkOperationInput struct {
	BulkOperationArn *string
}

// BulkOperationOutput is the answer of StartBulkPutItems and
// DescribeBulkOperation.
type BulkOperationOutput struct {
	BulkOperationDescription *BulkOperationDescription
}

// BulkOperationDescription describes a bulk operation. Items that could not be
// put are counted as failed; those that did not meet their condition are not.
type BulkOperationDescription struct {
	BulkOperationSummary
	TableDetails          []BulkOperationTable
	InputS3Configuration  *BulkInput
	OutputS3Configuration *BulkOutput
	ClientToken           string `json:",omitempty"`
	MaxWriteRequestUnits  *int64 `json:",omitempty"`
	PerformanceTier       string
	FailureCode           string `json:",omitempty"`
	FailureMessage        string `json:",omitempty"`
	TotalInputBytes       int64
	ProcessedInputBytes   int64
	ProcessedItemCount    int64
	FailedItemCount       int64
}

// BulkOperationTable is the table of a bulk operation.
type BulkOperationTable struct {
	TableName string
	TableId   string
}

// BulkOperationSummary describes a bulk operation in a list.
type BulkOperationSummary struct {
	BulkOperationArn    string
	BulkOperationStatus string
	StartTime           *Time
	EndTime             *Time `json:",omitempty"`
}

// ListBulkOperationsInput is the request of ListBulkOperations.
type ListBulkOperationsInput struct {
	MaxResults *int64
	NextToken  *string
}

// ListBulkOperationsOutput is the answer of ListBulkOperations.
type ListBulkOperationsOutput struct {
	BulkOperationsSummaryList []BulkOperationSummary
	NextToken                 string `json:",omitempty"`
}

// CancelBulkOperationOutput is the answer of CancelBulkOperation.
type CancelBulkOperationOutput struct {
	BulkOperationArn    string
	BulkOperationStatus string
}
