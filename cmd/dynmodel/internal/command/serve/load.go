package serve

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/onemodel"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/terminal"
	"github.com/dynmodel/dynmodel/engine"
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/data"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/sdk"
	"github.com/dynmodel/dynmodel/model/value"
)

// readModel reads the model of the command, nil if it has none. Errors in the
// model are reported; the error is then command.ErrFindings.
func (o *Options) readModel() (*model.Model, error) {
	if o.model == "" {
		return nil, nil
	}
	return onemodel.Read(o.model, o.streams, terminal.ColorNever)
}

// loading says what became of a model.
type loading struct {
	table   string // "" if there was no model
	samples int
	kept    bool // the table was there already, and nothing was changed in it
}

// sound returns a client that has no faults, whatever those of its endpoint.
func sound(client *dynamodb.Client) *dynamodb.Client {
	return dynamodb.New(client.Options(), dynamodb.WithAPIOptions(smithyhttp.SetHeaderValue(engine.FaultHeader, "")))
}

// load makes the model's table and puts its samples into it, unless a table of
// that name is there already.
func load(ctx context.Context, client *dynamodb.Client, m *model.Model) (loading, error) {
	if m == nil {
		return loading{}, nil
	}
	done := loading{table: m.Table.Name.Text}
	_, err := client.CreateTable(ctx, sdk.Table(m.Table))
	var there *types.ResourceInUseException
	switch {
	case errors.As(err, &there):
		done.kept = true
		return done, nil
	case err != nil:
		return done, fmt.Errorf("the table of the model cannot be made: %w", err)
	}
	if err := await(ctx, client, done.table); err != nil {
		return done, err
	}
	if err := configure(ctx, client, m.Table); err != nil {
		return done, err
	}
	for _, sample := range data.New(m, data.Options{}).Samples().Instances {
		if err := put(ctx, client, m, sample); err != nil {
			return done, fmt.Errorf("a sample of %s cannot be stored: %w", sample.Entity.Name.Text, err)
		}
		done.samples++
	}
	return done, nil
}

// await waits for a table to be there, which can take a while.
func await(ctx context.Context, client *dynamodb.Client, table string) error {
	waiter := dynamodb.NewTableExistsWaiter(client, func(o *dynamodb.TableExistsWaiterOptions) {
		o.MinDelay, o.MaxDelay = 10*time.Millisecond, time.Second
	})
	return waiter.Wait(ctx, &dynamodb.DescribeTableInput{TableName: &table}, time.Hour)
}

// configure sets what cannot be said when a table is made.
func configure(ctx context.Context, client *dynamodb.Client, t *model.Table) error {
	if t.TTL != nil {
		_, err := client.UpdateTimeToLive(ctx, &dynamodb.UpdateTimeToLiveInput{
			TableName:               aws.String(t.Name.Text),
			TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: aws.String(t.TTL.Text), Enabled: aws.Bool(true)},
		})
		if err != nil {
			return err
		}
	}
	if t.PointInTimeRecovery.Enabled {
		_, err := client.UpdateContinuousBackups(ctx, &dynamodb.UpdateContinuousBackupsInput{
			TableName:                        aws.String(t.Name.Text),
			PointInTimeRecoverySpecification: recoveryOf(t.PointInTimeRecovery),
		})
		return err
	}
	return nil
}

func recoveryOf(r model.PointInTimeRecovery) *types.PointInTimeRecoverySpecification {
	spec := &types.PointInTimeRecoverySpecification{PointInTimeRecoveryEnabled: aws.Bool(true)}
	if r.Days > 0 {
		spec.RecoveryPeriodInDays = aws.Int32(int32(r.Days))
	}
	return spec
}

// put stores an item with the guards of its unique attributes.
func put(ctx context.Context, client *dynamodb.Client, m *model.Model, in model.Instance) error {
	item, err := encode.Item(m, in.Entity, in.Item, nil)
	if err != nil {
		return err
	}
	guards, err := encode.Guards(m, in.Entity, in.Item)
	if err != nil {
		return err
	}
	stored := []map[string]value.Value{item}
	for _, g := range guards {
		stored = append(stored, g.Key)
	}
	for _, s := range stored {
		if _, err := client.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String(m.Table.Name.Text), Item: sdk.Item(s)}); err != nil {
			return err
		}
	}
	return nil
}
