package engine

import (
	"context"

	"github.com/dynmodel/dynmodel/engine/api"
)

// DescribeLimits returns the quotas of a new account (service quotas, DynamoDB
// developer guide).
func (db *DB) DescribeLimits(context.Context, *api.DescribeLimitsInput) (*api.DescribeLimitsOutput, error) {
	return &api.DescribeLimitsOutput{
		AccountMaxReadCapacityUnits:  80_000,
		AccountMaxWriteCapacityUnits: 80_000,
		TableMaxReadCapacityUnits:    40_000,
		TableMaxWriteCapacityUnits:   40_000,
	}, nil
}

// DescribeEndpoints returns the service's regional endpoint; clients of a DB
// have no need of it.
func (db *DB) DescribeEndpoints(context.Context, *api.DescribeEndpointsInput) (*api.DescribeEndpointsOutput, error) {
	return &api.DescribeEndpointsOutput{Endpoints: []api.Endpoint{
		{Address: "dynamodb." + region + ".amazonaws.com", CachePeriodInMinutes: 1440},
	}}, nil
}
