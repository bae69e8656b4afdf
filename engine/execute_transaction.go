package engine

import (
	"context"

	"github.com/cespare/xxhash/v2"

	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
	"github.com/dynmodel/dynmodel/engine/wire"
)

// ExecuteTransaction runs statements on single items, all of them reads or all
// of them writes, as one transaction.
func (db *DB) ExecuteTransaction(ctx context.Context, in *api.ExecuteTransactionInput) (*api.ExecuteTransactionOutput, error) {
	if err := checkExecuteTransaction(in, nil); err != nil {
		return nil, err
	}
	statements, err := readStatements(in.TransactStatements)
	if err != nil {
		return nil, err
	}
	names := make([]string, len(statements))
	for i, st := range statements {
		names[i] = st.table()
	}
	if statements[0].reads() {
		return db.selectTogether(statements, names, in)
	}
	return db.writeTogether(db.mischiefOf(ctx), statements, names, in)
}

func checkExecuteTransaction(in *api.ExecuteTransactionInput, _ wire.Refusals) error {
	return api.First(
		checkStatements("transactStatements", in.TransactStatements, maxTransactStatements),
		checkToken(in.ClientRequestToken),
		checkReturnConsumedCapacity(in.ReturnConsumedCapacity))
}

func (db *DB) selectTogether(statements []*statement, names []string, in *api.ExecuteTransactionInput) (*api.ExecuteTransactionOutput, error) {
	schemas, snapshot, err := db.viewAll(names...)
	if err != nil {
		return nil, err
	}
	defer snapshot.Close()
	out := &api.ExecuteTransactionOutput{Responses: make([]*attr.Item, len(statements))}
	why, meters := newReasons(len(statements)), newMeters(false)
	for i, st := range statements {
		item, size, err := st.selectOne(schemas[i], snapshot)
		if err != nil {
			if err := why.add(i, err); err != nil {
				return nil, err
			}
			continue
		}
		out.Responses[i] = item
		meters.of(schemas[i]).table += transactional * readUnits(size, true)
	}
	out.ConsumedCapacity = meters.consumed(in.ReturnConsumedCapacity)
	return out, why.cancelled()
}

func (db *DB) writeTogether(bad *mischief, statements []*statement, names []string, in *api.ExecuteTransactionInput) (*api.ExecuteTransactionOutput, error) {
	schemas, snapshot, err := db.viewAll(names...)
	if err != nil {
		return nil, err
	}
	snapshot.Close() // only the schemas are wanted
	tx := make([]transactWrite, len(statements))
	why := newReasons(len(statements))
	for i, st := range statements {
		a, err := st.action(schemas[i])
		if err != nil {
			return nil, first(why.add(i, err), why.cancelled())
		}
		tx[i] = transactWrite{a, names[i]}
	}
	report := api.Report{ReturnConsumedCapacity: in.ReturnConsumedCapacity}
	done, err := db.transactOnce(bad, tx, in.ClientRequestToken, fingerprintStatements(in.TransactStatements), report)
	if err != nil {
		return nil, err
	}
	return &api.ExecuteTransactionOutput{
		Responses:        make([]*attr.Item, len(statements)),
		ConsumedCapacity: done.ConsumedCapacity,
	}, nil
}

// fingerprintStatements identifies the content of a transaction of statements.
func fingerprintStatements(list []api.ParameterizedStatement) uint64 {
	d := digest{Digest: xxhash.New()}
	for _, p := range list {
		d.text(p.Statement)
		for _, v := range p.Parameters {
			enc := string(v.AppendBinary(nil))
			d.text(&enc)
		}
	}
	return d.Sum64()
}
