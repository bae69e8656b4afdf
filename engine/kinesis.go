package engine

import (
	"context"
	"slices"

	"github.com/dynmodel/dynmodel/engine/api"
)

// maxKinesisDestinations is how many data streams a table can feed (API
// reference, EnableKinesisStreamingDestination).
const maxKinesisDestinations = 2

// The states of destinations.
const (
	destinationActive   = "ACTIVE"
	destinationDisabled = "DISABLED"
)

// EnableKinesisStreamingDestination keeps a Kinesis data stream as a
// destination of a table's changes. Nothing is sent there.
func (db *DB) EnableKinesisStreamingDestination(_ context.Context, in *api.KinesisDestinationInput) (*api.KinesisDestinationOutput, error) {
	return db.changeKinesis(in, "ENABLING", func(t locked, at int) error {
		switch {
		case at >= 0 && t.kinesis[at].DestinationStatus == destinationActive:
			return api.Invalid("Table is not in a valid state to enable Kinesis Streaming Destination: EnableKinesisStreamingDestination must be DISABLED or ENABLE_FAILED")
		case t.activeKinesis() == maxKinesisDestinations:
			return api.Errorf(api.LimitExceeded, "Table %s has %d active Kinesis destinations already", t.name, maxKinesisDestinations)
		case at >= 0:
			t.kinesis = slices.Delete(t.kinesis, at, at+1)
		}
		precision := "MILLISECOND"
		if c := in.EnableKinesisStreamingConfiguration; c != nil && c.ApproximateCreationDateTimePrecision != "" {
			precision = c.ApproximateCreationDateTimePrecision
		}
		t.kinesis = append(t.kinesis, api.KinesisDestination{StreamArn: *in.StreamArn, DestinationStatus: destinationActive, ApproximateCreationDateTimePrecision: precision})
		return nil
	})
}

func (t *table) activeKinesis() int {
	n := 0
	for _, d := range t.kinesis {
		if d.DestinationStatus == destinationActive {
			n++
		}
	}
	return n
}

// DisableKinesisStreamingDestination ends a destination.
func (db *DB) DisableKinesisStreamingDestination(_ context.Context, in *api.KinesisDestinationInput) (*api.KinesisDestinationOutput, error) {
	return db.changeKinesis(in, "DISABLING", func(t locked, at int) error {
		if at < 0 || t.kinesis[at].DestinationStatus != destinationActive {
			return errKinesisInactive
		}
		t.kinesis[at].DestinationStatus = destinationDisabled
		return nil
	})
}

var errKinesisInactive = api.Invalid("Table is not in a valid state to disable Kinesis Streaming Destination: KinesisStreamingDestination must be ACTIVE")

// UpdateKinesisStreamingDestination changes how records are written.
func (db *DB) UpdateKinesisStreamingDestination(_ context.Context, in *api.KinesisDestinationInput) (*api.KinesisDestinationOutput, error) {
	return db.changeKinesis(in, "UPDATING", func(t locked, at int) error {
		switch c := in.UpdateKinesisStreamingConfiguration; {
		case at < 0 || t.kinesis[at].DestinationStatus != destinationActive:
			return errKinesisInactive
		case c == nil || c.ApproximateCreationDateTimePrecision == "":
			return api.Invalid("Streaming destination cannot be updated with given parameters: UpdateKinesisStreamingConfiguration cannot be null or contain only null values")
		default:
			t.kinesis[at].ApproximateCreationDateTimePrecision = c.ApproximateCreationDateTimePrecision
			return nil
		}
	})
}

// changeKinesis makes a change to the destination of a request, whose place in
// t.kinesis is at, or -1. status is that of the answer.
func (db *DB) changeKinesis(in *api.KinesisDestinationInput, status string, apply func(t locked, at int) error) (*api.KinesisDestinationOutput, error) {
	err := api.First(
		tableName("tableName", in.TableName),
		checkARN("streamArn", in.StreamArn),
		checkPrecision("enableKinesisStreamingConfiguration", in.EnableKinesisStreamingConfiguration),
		checkPrecision("updateKinesisStreamingConfiguration", in.UpdateKinesisStreamingConfiguration))
	if err != nil {
		return nil, err
	}
	t, err := db.lockSteady(*in.TableName)
	if err != nil {
		return nil, err
	}
	defer t.mu.Unlock()
	at := slices.IndexFunc(t.kinesis, func(d api.KinesisDestination) bool { return d.StreamArn == *in.StreamArn })
	if err := apply(t, at); err != nil {
		return nil, err
	}
	if err := db.save(t.table); err != nil {
		return nil, err
	}
	return &api.KinesisDestinationOutput{
		TableName:                           t.name,
		StreamArn:                           *in.StreamArn,
		DestinationStatus:                   status,
		EnableKinesisStreamingConfiguration: in.EnableKinesisStreamingConfiguration,
		UpdateKinesisStreamingConfiguration: in.UpdateKinesisStreamingConfiguration,
	}, nil
}

func checkPrecision(at string, c *api.KinesisConfiguration) error {
	if c == nil {
		return nil
	}
	return oneOf(at+".approximateCreationDateTimePrecision", c.ApproximateCreationDateTimePrecision, "MILLISECOND", "MICROSECOND")
}

// DescribeKinesisStreamingDestination lists the destinations of a table.
func (db *DB) DescribeKinesisStreamingDestination(_ context.Context, in *api.DescribeKinesisDestinationInput) (*api.DescribeKinesisDestinationOutput, error) {
	if err := tableName("tableName", in.TableName); err != nil {
		return nil, err
	}
	t, err := db.lockAny(*in.TableName)
	if err != nil {
		return nil, err
	}
	defer t.mu.Unlock()
	return &api.DescribeKinesisDestinationOutput{
		TableName:                     t.name,
		KinesisDataStreamDestinations: append([]api.KinesisDestination{}, t.kinesis...),
	}, nil
}
