package engine

import (
	"context"

	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
	"github.com/dynmodel/dynmodel/engine/partiql"
	"github.com/dynmodel/dynmodel/engine/wire"
)

// ExecuteStatement runs one PartiQL statement. A SELECT gives one page; if it
// does not fix the partition key, it scans.
func (db *DB) ExecuteStatement(ctx context.Context, in *api.ExecuteStatementInput) (*api.ExecuteStatementOutput, error) {
	if err := checkExecuteStatement(in, nil); err != nil {
		return nil, err
	}
	st, err := readStatement(api.ParameterizedStatement{
		Statement:                           in.Statement,
		Parameters:                          in.Parameters,
		ConsistentRead:                      in.ConsistentRead,
		ReturnValuesOnConditionCheckFailure: in.ReturnValuesOnConditionCheckFailure,
	})
	if err != nil {
		return nil, err
	}
	if st.reads() {
		return db.executeSelect(ctx, st, in)
	}
	if _, ok := st.parsed.(*partiql.Exists); ok {
		return nil, api.Invalid("EXISTS is only supported in ExecuteTransaction")
	}
	item, w, err := db.executeWrite(ctx, st)
	if err != nil {
		return nil, err
	}
	out := &api.ExecuteStatementOutput{Items: []attr.Item{}, ConsumedCapacity: w.meter.consumed(in.ReturnConsumedCapacity)}
	if !item.IsEmpty() {
		out.Items = append(out.Items, item)
	}
	return out, nil
}

func checkExecuteStatement(in *api.ExecuteStatementInput, _ wire.Refusals) error {
	return api.First(
		checkStatement("", in.Statement, in.Parameters, in.ReturnValuesOnConditionCheckFailure),
		atLeast("limit", in.Limit, 1),
		checkReturnConsumedCapacity(in.ReturnConsumedCapacity))
}

func (db *DB) executeSelect(ctx context.Context, st *statement, in *api.ExecuteStatementInput) (*api.ExecuteStatementOutput, error) {
	s, snapshot, err := db.view(st.table())
	if err != nil {
		return nil, err
	}
	defer snapshot.Close()
	r, err := st.planSelect(s, in.Limit)
	if err != nil {
		return nil, err
	}
	if in.NextToken != nil {
		if err := r.continueFrom(*in.NextToken); err != nil {
			return nil, err
		}
	}
	page, err := db.readPage(ctx, r, snapshot, in.ReturnConsumedCapacity)
	if err != nil {
		return nil, err
	}
	return &api.ExecuteStatementOutput{
		Items:            page.Items,
		NextToken:        tokenOf(page.LastEvaluatedKey),
		LastEvaluatedKey: page.LastEvaluatedKey,
		ConsumedCapacity: page.ConsumedCapacity,
	}, nil
}

// executeWrite runs a statement that writes, and returns what it returns of
// the item.
func (db *DB) executeWrite(ctx context.Context, st *statement) (attr.Item, *written, error) {
	s, snapshot, err := db.view(st.table())
	if err != nil {
		return attr.Item{}, nil, err
	}
	snapshot.Close() // only the schema is wanted
	a, err := st.action(s)
	if err != nil {
		return attr.Item{}, nil, err
	}
	w, err := db.write(ctx, st.table(), a)
	if err != nil {
		return attr.Item{}, nil, err
	}
	return st.returning(a, w.change), w, nil
}
