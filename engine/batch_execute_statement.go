package engine

import (
	"context"
	"fmt"

	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
	"github.com/dynmodel/dynmodel/engine/partiql"
	"github.com/dynmodel/dynmodel/engine/store"
	"github.com/dynmodel/dynmodel/engine/wire"
)

// Greatest numbers of statements (API reference).
const (
	maxBatchStatements    = 25
	maxTransactStatements = 100
)

// BatchExecuteStatement runs statements on single items, all of them reads or
// all of them writes, each for itself.
func (db *DB) BatchExecuteStatement(ctx context.Context, in *api.BatchExecuteStatementInput) (*api.BatchExecuteStatementOutput, error) {
	if err := checkBatchExecuteStatement(in, nil); err != nil {
		return nil, err
	}
	statements, err := readStatements(in.Statements)
	if err != nil {
		return nil, err
	}
	out := &api.BatchExecuteStatementOutput{Responses: make([]api.BatchStatementResponse, len(statements))}
	for i, st := range statements {
		out.Responses[i].TableName = st.table()
		item, c, err := db.executeInBatch(ctx, st, in.ReturnConsumedCapacity)
		out.Responses[i].Item = item
		if err != nil {
			if out.Responses[i].Error, err = statementError(err); err != nil {
				return nil, err
			}
		}
		if c != nil {
			out.ConsumedCapacity = append(out.ConsumedCapacity, *c)
		}
	}
	return out, nil
}

func checkBatchExecuteStatement(in *api.BatchExecuteStatementInput, _ wire.Refusals) error {
	return api.First(
		checkStatements("statements", in.Statements, maxBatchStatements),
		checkReturnConsumedCapacity(in.ReturnConsumedCapacity))
}

func checkStatements(member string, list []api.ParameterizedStatement, most int) error {
	if list == nil {
		return api.Required(member)
	}
	err := checkCount(member, "ParameterizedStatement", len(list), most)
	for i, s := range list {
		at := fmt.Sprintf("%s.%d.member.", member, i+1)
		err = api.First(err, checkStatement(at, s.Statement, s.Parameters, s.ReturnValuesOnConditionCheckFailure))
	}
	return err
}

// readStatements reads statements that must be of one kind, reads or writes.
func readStatements(list []api.ParameterizedStatement) ([]*statement, error) {
	statements := make([]*statement, len(list))
	for i, p := range list {
		var err error
		if statements[i], err = readStatement(p); err != nil {
			return nil, err
		}
		if statements[i].reads() != statements[0].reads() {
			return nil, api.Invalid("Statements must be either all read or all write operations")
		}
	}
	return statements, nil
}

func (db *DB) executeInBatch(ctx context.Context, st *statement, wantCapacity string) (*attr.Item, *api.ConsumedCapacity, error) {
	if !st.reads() {
		item, w, err := db.executeWrite(ctx, st)
		if err != nil {
			return nil, nil, err
		}
		if item.IsEmpty() {
			return nil, w.meter.consumed(wantCapacity), nil
		}
		return &item, w.meter.consumed(wantCapacity), nil
	}
	s, snapshot, err := db.view(st.table())
	if err != nil {
		return nil, nil, err
	}
	defer snapshot.Close()
	item, size, err := st.selectOne(s, snapshot)
	if err != nil {
		return nil, nil, err
	}
	m := meter{schema: s, table: readUnits(size, st.consistent)}
	return item, m.consumed(wantCapacity), nil
}

// selectOne reads the item whose key the SELECT fixes, or nil. size is that of
// the whole item.
func (st *statement) selectOne(s *schema, snapshot store.Snapshot) (found *attr.Item, size int, err error) {
	key, filter, err := st.selectedKey(s)
	if err != nil {
		return nil, 0, err
	}
	item, ok, size, err := s.get(snapshot, key, nil)
	if err != nil || !ok {
		return nil, size, err
	}
	condition, err := conditionOf(filter)
	if err != nil || condition != nil && !condition.Holds(item) {
		return nil, size, err
	}
	if project := columnsOf(st.parsed.(*partiql.Select)).project(); project != nil {
		item = project(item)
	}
	return &item, size, nil
}

// selectedKey returns the key that a SELECT of one item fixes, and its further
// conditions.
func (st *statement) selectedKey(s *schema) (key attr.Item, filter []partiql.Expr, err error) {
	sel := st.parsed.(*partiql.Select)
	key, filter, ok := splitKey(s.key, sel.Where)
	if !ok || sel.From.Index != "" {
		return attr.Item{}, nil, api.Invalid("Select statements within BatchExecuteStatement must specify the primary key in the where clause.")
	}
	return key, filter, nil
}

// statementError returns an error as the answer of its statement, or as an
// error again if it is about more than that.
func statementError(err error) (*api.CancellationReason, error) {
	if reason, ok := reasonOf(err); ok {
		return &reason, nil
	}
	if refusal, ok := err.(*api.Error); ok && refusal.Code == api.ResourceNotFound {
		return &api.CancellationReason{Code: "ResourceNotFound", Message: refusal.Message}, nil
	}
	return nil, err
}
