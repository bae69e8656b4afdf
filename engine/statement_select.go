package engine

import (
	"encoding/base64"
	"slices"

	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
	"github.com/dynmodel/dynmodel/engine/expr"
	"github.com/dynmodel/dynmodel/engine/partiql"
	"github.com/dynmodel/dynmodel/engine/store"
)

// planSelect returns the reading that a SELECT means: of the partitions that
// its condition fixes, or of everything.
func (st *statement) planSelect(s *schema, limit *int64) (*reading, error) {
	sel := st.parsed.(*partiql.Select)
	var indexName *string
	if sel.From.Index != "" {
		indexName = &sel.From.Index
	}
	c, err := newScope(s, indexName)
	if err != nil {
		return nil, err
	}
	if c.global() && st.consistent {
		return nil, api.Invalid("Strongly consistent read is not supported on Global Secondary Indexes")
	}
	parts := partiql.Conjuncts(sel.Where)
	filter, err := conditionOf(parts)
	if err != nil {
		return nil, err
	}
	columns := columnsOf(sel)
	r, err := newReading(c, &api.ReadInput{ConsistentRead: st.consistent, Limit: limit}, filter, columns.paths(), columns.project())
	if err != nil {
		return nil, err
	}
	partitions, err := keyConditions(c.key(), parts)
	if err != nil {
		return nil, err
	}
	down, err := orderOf(sel, c.key(), len(partitions) > 0)
	if err != nil {
		return nil, err
	}
	if len(partitions) == 0 {
		r.ranges = []store.Range{{}}
	}
	for _, keys := range partitions {
		r.ranges = append(r.ranges, rangeOf(keys, down))
	}
	return r, nil
}

// columns are the paths that a SELECT lists; nil is all of the item.
type columns []partiql.Column

func columnsOf(sel *partiql.Select) columns { return columns(sel.Columns) }

func (cs columns) paths() []expr.Path {
	paths := make([]expr.Path, len(cs))
	for i, c := range cs {
		paths[i] = pathOf(c.Path)
	}
	return paths
}

// project returns what makes an answer of an item, nil for the whole item.
func (cs columns) project() func(attr.Item) attr.Item {
	if cs == nil {
		return nil
	}
	paths := cs.paths()
	return func(item attr.Item) attr.Item {
		entries := make([]attr.Entry, len(cs))
		for i, c := range cs {
			entries[i] = attr.Entry{Name: c.Name, Value: paths[i].In(item)}
		}
		return attr.NewItem(entries...)
	}
}

// maxPartitions bounds the partitions that IN lists can name together.
const maxPartitions = 50

// keyConditions returns the ranges of keys that a condition fixes: one for each
// combination of values of the hash attributes, none if one of them is open.
func keyConditions(k keySchema, parts []partiql.Expr) ([]*expr.KeyRange, error) {
	partitions := []expr.KeyCondition{nil}
	for _, a := range k.Hash {
		values := valuesFor(a.Name, parts)
		if len(values) == 0 {
			return nil, nil
		}
		var longer []expr.KeyCondition
		for _, p := range partitions {
			for _, v := range values {
				longer = append(longer, append(slices.Clip(p), expr.KeyClause{Name: a.Name, Op: expr.KeyEqual, Value: v}))
			}
		}
		if partitions = longer; len(partitions) > maxPartitions {
			return nil, api.Invalid("The statement names more than %d partition keys", maxPartitions)
		}
	}
	sort := sortClauses(k, parts)
	ranges := make([]*expr.KeyRange, len(partitions))
	for i, p := range partitions {
		var err error
		if ranges[i], err = k.Resolve(append(slices.Clip(p), sort...)); err != nil {
			return nil, asRefusal(err)
		}
	}
	return ranges, nil
}

// valuesFor returns the different values that an attribute can have by an
// equality or IN.
func valuesFor(attribute string, parts []partiql.Expr) []attr.Value {
	for _, part := range parts {
		if name, op, values := comparisonWith(part); name == attribute && (op == "=" || op == "IN") {
			var different []attr.Value
			for _, v := range values {
				if !slices.Contains(different, v) {
					different = append(different, v)
				}
			}
			return different
		}
	}
	return nil
}

// sortClauses returns the conditions on range attributes, from the first on,
// that bound a range of keys. The others are left to the filter.
func sortClauses(k keySchema, parts []partiql.Expr) expr.KeyCondition {
	var clauses expr.KeyCondition
	for _, a := range k.Range {
		clause, ok := sortClause(a, parts)
		if !ok {
			break
		}
		clauses = append(clauses, clause)
		if clause.Op != expr.KeyEqual {
			break
		}
	}
	return clauses
}

func sortClause(a expr.KeyAttribute, parts []partiql.Expr) (found expr.KeyClause, ok bool) {
	for _, part := range parts {
		name, op, values := comparisonWith(part)
		if name != a.Name || op == "IN" || op == "<>" || op == "AND" || op == "OR" || values[0].Type() != a.Type {
			continue
		}
		clause := expr.KeyClause{Name: name, Op: expr.KeyOp(op), Value: values[0]}
		if op == "BETWEEN" {
			clause.High = values[1]
		}
		if !ok || op == "=" {
			found, ok = clause, true
		}
	}
	return found, ok
}

// orderOf reports whether the statement wants the sort keys downwards.
func orderOf(sel *partiql.Select, k keySchema, keyed bool) (down bool, err error) {
	if len(sel.OrderBy) == 0 {
		return false, nil
	}
	switch {
	case sel.Where == nil:
		return false, api.Invalid("Must have WHERE clause in the statement when using ORDER BY clause.")
	case !keyed:
		return false, api.Invalid("Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY clause.")
	}
	for _, o := range sel.OrderBy {
		if !k.has(o.Attribute) {
			return false, api.Invalid("Variable reference %s in ORDER BY clause must be part of the primary key", o.Attribute)
		}
		down = o.Descending
	}
	return down, nil
}

// continueFrom goes on where the page before ended.
func (r *reading) continueFrom(token string) error {
	invalid := api.Invalid("Given NextToken is invalid")
	enc, err := base64.StdEncoding.DecodeString(token)
	if err != nil {
		return invalid
	}
	cursor, ok := attr.DecodeItem(enc)
	if !ok || r.checkCursor(&cursor) != nil || !r.startAfter(cursor) {
		return invalid
	}
	return nil
}

func tokenOf(cursor attr.Item) string {
	if cursor.IsEmpty() {
		return ""
	}
	return base64.StdEncoding.EncodeToString(cursor.AppendBinary(nil))
}
