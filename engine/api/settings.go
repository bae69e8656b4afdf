package api

// TagResourceInput is the request of TagResource.
type TagResourceInput struct {
	ResourceArn *string
	Tags        []Tag
}

// UntagResourceInput is the request of UntagResource.
type UntagResourceInput struct {
	ResourceArn *string
	TagKeys     []string
}

// ListTagsOfResourceInput is the request of ListTagsOfResource.
type ListTagsOfResourceInput struct {
	ResourceArn *string
	NextToken   *string
}

// ListTagsOfResourceOutput is the answer of ListTagsOfResource.
type ListTagsOfResourceOutput struct {
	Tags []Tag
}

// Empty is the answer of operations that have nothing to say.
type Empty struct{}

// TimeToLiveSpecification switches the expiry of items by an attribute that
// holds a time in seconds since 1970.
type TimeToLiveSpecification struct {
	Enabled       *bool
	AttributeName *string
}

// UpdateTimeToLiveInput is the request of UpdateTimeToLive.
type UpdateTimeToLiveInput struct {
	TableName               *string
	TimeToLiveSpecification *TimeToLiveSpecification
}

// UpdateTimeToLiveOutput is the answer of UpdateTimeToLive.
type UpdateTimeToLiveOutput struct {
	TimeToLiveSpecification *TimeToLiveSpecification
}

// DescribeTimeToLiveInput is the request of DescribeTimeToLive.
type DescribeTimeToLiveInput struct {
	TableName *string
}

// DescribeTimeToLiveOutput is the answer of DescribeTimeToLive.
type DescribeTimeToLiveOutput struct {
	TimeToLiveDescription *TimeToLiveDescription
}

// TimeToLiveDescription says whether items expire, ENABLED or DISABLED, and by
// which attribute.
type TimeToLiveDescription struct {
	TimeToLiveStatus string
	AttributeName    string `json:",omitempty"`
}

// DescribeLimitsInput is the request of DescribeLimits.
type DescribeLimitsInput struct{}

// DescribeLimitsOutput is the answer of DescribeLimits, in capacity units.
type DescribeLimitsOutput struct {
	AccountMaxReadCapacityUnits  int64
	AccountMaxWriteCapacityUnits int64
	TableMaxReadCapacityUnits    int64
	TableMaxWriteCapacityUnits   int64
}

// DescribeEndpointsInput is the request of DescribeEndpoints.
type DescribeEndpointsInput struct{}

// DescribeEndpointsOutput is the answer of DescribeEndpoints.
type DescribeEndpointsOutput struct {
	Endpoints []Endpoint
}

// Endpoint is where to send requests, for so many minutes.
type Endpoint struct {
	Address              string
	CachePeriodInMinutes int64
}
