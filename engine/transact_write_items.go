package engine

import (
	"context"
	"fmt"
	"slices"

	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
	"github.com/dynmodel/dynmodel/engine/expr"
	"github.com/dynmodel/dynmodel/engine/store"
	"github.com/dynmodel/dynmodel/engine/wire"
)

// TransactWriteItems carries out up to 100 writes and checks, all or none. With
// a token it is carried out once, however often it is sent.
func (db *DB) TransactWriteItems(ctx context.Context, in *api.TransactWriteItemsInput) (*api.TransactWriteItemsOutput, error) {
	if err := checkTransactWriteItems(in, nil); err != nil {
		return nil, err
	}
	tx, err := readTransaction(in)
	if err != nil {
		return nil, err
	}
	return db.transactOnce(db.mischiefOf(ctx), tx, in.ClientRequestToken, fingerprint(in), in.Report)
}

// transactOnce carries out a transaction, unless its token shows that this was
// done before.
func (db *DB) transactOnce(bad *mischief, tx []transactWrite, token *string, fingerprint uint64, report api.Report) (*api.TransactWriteItemsOutput, error) {
	if token == nil {
		return db.transact(bad, tx, report, nil)
	}
	this := &execution{token: *token, fingerprint: fingerprint, expires: db.now().Add(tokenLife)}
	if !db.transactions.begin(this.token) {
		return nil, api.Errorf(api.TransactionInProgress, "The transaction with the given request token is already in progress")
	}
	defer db.transactions.end(this.token)
	done, err := db.carriedOut(this)
	switch {
	case err != nil:
		return nil, err
	case done:
		return db.replay(tx, report)
	}
	return db.transact(bad, tx, report, this)
}

// A transactWrite is one action of a transaction with its table.
type transactWrite struct {
	*action
	table string
}

// transact carries out a transaction, under a token if it has one.
func (db *DB) transact(bad *mischief, tx []transactWrite, report api.Report, token *execution) (*api.TransactWriteItemsOutput, error) {
	release, err := db.claim(tx)
	if err != nil {
		return nil, err
	}
	defer release()
	out, err := db.transactLocked(bad, tx, report, token)
	if err != nil {
		return nil, err
	}
	return out, db.store.Sync()
}

func (db *DB) transactLocked(bad *mischief, tx []transactWrite, report api.Report, token *execution) (*api.TransactWriteItemsOutput, error) {
	names := tablesOf(tx)
	tables, unlock, err := db.lockAll(slices.Clone(names))
	if err != nil {
		return nil, err
	}
	defer unlock()
	changes, err := db.decide(tx, tables)
	if err != nil {
		return nil, err
	}
	if err := db.admitTransaction(bad, tx, tables); err != nil {
		return nil, err
	}
	var b store.Batch
	meters := newMeters(true)
	for i, w := range tx {
		t := tables[w.table]
		m := meters.of(t.schema)
		part := m.partOf(bad)
		part.table += transactional * changes[i].units()
		t.stage(&b, changes[i], part) // index writes cost what they always do
		db.account(bad, w.item, part, m)
	}
	if token != nil {
		token.note(&b)
	}
	written := make([]*table, len(names))
	for i, n := range names {
		written[i] = tables[n].table
	}
	if err := db.commit(&b, written...); err != nil {
		return nil, err
	}
	out := &api.TransactWriteItemsOutput{ConsumedCapacity: meters.consumed(report.ReturnConsumedCapacity)}
	if report.ReturnItemCollectionMetrics == returnSize {
		out.ItemCollectionMetrics = make(map[string][]api.ItemCollectionMetrics)
		for _, n := range names {
			if out.ItemCollectionMetrics[n], err = db.metricsOfKeys(tables[n].schema, keysIn(tx, n)); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// decide checks every action against the tables as they are, and returns what
// they would change. Faults of the request come before conditions: the first
// one is the only reason. Failed conditions are all reported.
func (db *DB) decide(tx []transactWrite, tables map[string]locked) ([]change, error) {
	why := newReasons(len(tx))
	changes := make([]change, len(tx))
	type itemOf struct {
		schema *schema
		key    string
	}
	seen := make(map[itemOf]bool, len(tx))
	for _, w := range tx {
		s := tables[w.table].schema
		if err := first(w.checkNotEmpty(s), w.checkScalars(s)); err != nil {
			return nil, err
		}
	}
	for i, w := range tx {
		s := tables[w.table].schema
		key, err := w.prepare(s)
		if err != nil {
			return nil, first(why.add(i, err), why.cancelled())
		}
		if it := (itemOf{s, key}); seen[it] {
			return nil, errSameItem
		} else {
			seen[it] = true
		}
		changes[i].key = key
	}
	for i, w := range tx {
		s := tables[w.table].schema
		old, err := db.current(s, changes[i].key)
		if err != nil {
			return nil, err
		}
		changes[i].old = old
		if changes[i].new, err = w.result(s, changes[i].old); err == nil {
			err = db.checkCollection(tables[w.table], w.item, changes[i])
		}
		if err != nil {
			if err := why.add(i, err); err != nil {
				return nil, err
			}
		}
	}
	return changes, why.cancelled()
}

// replay answers a transaction that was carried out before: it costs reads.
func (db *DB) replay(tx []transactWrite, report api.Report) (*api.TransactWriteItemsOutput, error) {
	names := make([]string, len(tx))
	for i, w := range tx {
		names[i] = w.table
	}
	schemas, snapshot, err := db.viewAll(names...)
	if err != nil {
		return nil, err
	}
	defer snapshot.Close()
	meters := newMeters(false)
	for i, w := range tx {
		item, _, err := snapshot.Get(schemas[i].space, schemas[i].key.storageKey(w.item))
		if err != nil {
			return nil, err
		}
		meters.of(schemas[i]).table += transactional * readUnits(item.Size(), true)
	}
	return &api.TransactWriteItemsOutput{ConsumedCapacity: meters.consumed(report.ReturnConsumedCapacity)}, nil
}

// tablesOf returns the tables of a transaction as it names them, each once.
func tablesOf(tx []transactWrite) []string {
	var names []string
	for _, w := range tx {
		if !slices.Contains(names, w.table) {
			names = append(names, w.table)
		}
	}
	return names
}

func keysIn(tx []transactWrite, table string) []attr.Item {
	var keys []attr.Item
	for _, w := range tx {
		if w.table == table && w.kind != actionCheck {
			keys = append(keys, w.item)
		}
	}
	return keys
}

func checkTransactWriteItems(in *api.TransactWriteItemsInput, refused wire.Refusals) error {
	err := api.First(
		checkReport(in.Report),
		checkTransactItems("TransactWriteItem", len(in.TransactItems), in.TransactItems == nil),
		checkToken(in.ClientRequestToken))
	for i, w := range in.TransactItems {
		for _, a := range actionsOf(w) {
			if a.given && a.check("") != nil { // most are fine, and need no words for where they are not
				err = api.First(err, a.check(memberOf("transactItems", i, a.member)))
			}
		}
	}
	if err != nil {
		return err
	}
	for _, w := range in.TransactItems {
		if err := checkTransactWrite(w); err != nil {
			return err
		}
	}
	return refused.First()
}

// checkTransactWrite checks that there is one action, and how its parameters go
// together.
func checkTransactWrite(w api.TransactWriteItem) error {
	n := 0
	var err error
	for _, a := range actionsOf(w) {
		if a.given {
			n++
			err = first(err, checkParameters(a.guard.Substitutions, a.expressions(), nil))
		}
	}
	if n != 1 {
		return api.Invalid("TransactItems can only contain one of Check, Put, Update or Delete")
	}
	return err
}

// expressions are those that the action may have.
func (a *transactAction) expressions() []parameter {
	condition := givenText("ConditionExpression", a.guard.ConditionExpression)
	if a.kind == actionUpdate {
		return []parameter{givenText("UpdateExpression", a.update), condition}
	}
	return []parameter{condition}
}

func memberOf(list string, i int, member string) string {
	return fmt.Sprintf("%s.%d.member.%s", list, i+1, member)
}

// A transactAction is the common view of the four kinds of actions.
type transactAction struct {
	given   bool
	kind    actionKind
	member  string // of the request, as its messages have it
	subject string // the member that holds the item or its key
	table   *string
	item    *attr.Item
	update  *string
	guard   api.Guard
}

func actionsOf(w api.TransactWriteItem) [4]transactAction {
	var all [4]transactAction
	if a := w.ConditionCheck; a != nil {
		all[0] = transactAction{true, actionCheck, "conditionCheck", "key", a.TableName, a.Key, nil, a.Guard}
	}
	if a := w.Put; a != nil {
		all[1] = transactAction{true, actionPut, "put", "item", a.TableName, a.Item, nil, a.Guard}
	}
	if a := w.Delete; a != nil {
		all[2] = transactAction{true, actionDelete, "delete", "key", a.TableName, a.Key, nil, a.Guard}
	}
	if a := w.Update; a != nil {
		all[3] = transactAction{true, actionUpdate, "update", "key", a.TableName, a.Key, a.UpdateExpression, a.Guard}
	}
	return all
}

// check checks the members of an action, which is at that place of the request.
func (a *transactAction) check(at string) error {
	return api.First(
		tableName(at+".tableName", a.table),
		notNull(at+"."+a.subject, a.item),
		checkReturnOnFailure(at+".returnValuesOnConditionCheckFailure", a.guard.ReturnValuesOnConditionCheckFailure),
		a.checkNeeded(at))
}

// checkNeeded checks that the expression is there without which the action has
// no sense.
func (a *transactAction) checkNeeded(at string) error {
	switch {
	case a.kind == actionCheck && a.guard.ConditionExpression == nil:
		return api.Required(at + ".conditionExpression")
	case a.kind == actionUpdate && a.update == nil:
		return api.Required(at + ".updateExpression")
	}
	return nil
}

// readTransaction reads the expressions of all actions.
func readTransaction(in *api.TransactWriteItemsInput) ([]transactWrite, error) {
	tx := make([]transactWrite, len(in.TransactItems))
	total := 0
	for i, w := range in.TransactItems {
		for _, a := range actionsOf(w) {
			if !a.given {
				continue
			}
			read, err := a.read()
			if err != nil {
				return nil, err
			}
			tx[i] = transactWrite{read, *a.table}
			total += a.bytes()
		}
	}
	return tx, checkTransactBytes(total)
}

func (a transactAction) read() (*action, error) {
	x, err := newExprReader(a.guard.Substitutions, a.update, a.guard.ConditionExpression)
	if err != nil {
		return nil, err
	}
	if a.kind == actionPut {
		if err := checkItemSize(*a.item); err != nil {
			return nil, err
		}
	}
	read := &action{kind: a.kind, item: *a.item, returnOld: a.guard.ReturnValuesOnConditionCheckFailure == returnAllOld}
	if read.update, err = x.update(a.update, nil); err != nil {
		return nil, err
	}
	read.condition, err = x.condition(expr.ConditionExpression, a.guard.ConditionExpression)
	return read, first(err, x.unused())
}

// bytes is what the action counts towards the size of the transaction: the
// data that the request carries.
func (a transactAction) bytes() int {
	n := a.item.Size()
	if v := a.guard.ExpressionAttributeValues; v != nil {
		n += v.Size()
	}
	return n
}
