package differ

import (
	"strings"

	"github.com/dynmodel/dynmodel/engine/enginetest"
)

// operation makes a random request, now and then a broken one.
func (g *generator) operation() Operation {
	o := g.soundOperation()
	if g.chance(3) {
		o = g.spoil(o)
	}
	return o
}

func (g *generator) soundOperation() Operation {
	makers := []struct {
		weight int
		make   func(*generator) Operation
	}{
		{16, (*generator).putItem}, {24, (*generator).updateItem}, {6, (*generator).deleteItem},
		{7, (*generator).getItem}, {14, (*generator).query}, {6, (*generator).scan},
		{3, (*generator).batchWrite}, {3, (*generator).batchGet},
		{5, (*generator).transactWrite}, {2, (*generator).transactGet},
		{2, (*generator).legacyPut}, {4, (*generator).legacyUpdate},
		{2, (*generator).legacyQuery}, {2, (*generator).legacyScan},
		{4, (*generator).statement},
	}
	n := g.random.IntN(100)
	for _, m := range makers {
		if n -= m.weight; n < 0 {
			return m.make(g)
		}
	}
	panic("the weights of operations do not add up to 100")
}

func (g *generator) request(name string, body object) Operation {
	capacity := pick(g, "", "", "TOTAL", "INDEXES")
	if operation := (Operation{Name: name}); capacity != "" && !(g.partial && operation.writes()) {
		body["ReturnConsumedCapacity"] = capacity
	}
	return Operation{Name: name, Body: encode(body)}
}

// write adds what puts, updates and deletes have in common: a condition, and
// what to return.
func (g *generator) write(name string, body object, s *scope, returns ...string) Operation {
	body["TableName"] = tablePlaceholder
	if g.chance(35) {
		body["ConditionExpression"] = s.scramble(s.condition(2))
		if g.chance(30) {
			body["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"
		}
	}
	if g.chance(50) {
		body["ReturnValues"] = pick(g, returns...)
	}
	if update, _ := body["UpdateExpression"].(string); update != "" && !creates(update) {
		body["ReturnValues"] = "ALL_NEW" // shows whether an item came to be
	}
	s.into(body)
	return g.request(name, body)
}

// create is a clause that makes an item where there is none.
func (s *scope) create() string { return " SET zz = " + s.bind(object{"NULL": true}) }

// creates reports whether an update makes an item where there is none.
func creates(update string) bool {
	update = strings.ToUpper(update)
	return strings.Contains(update, "SET ") || strings.Contains(update, "ADD ")
}

func (g *generator) putItem() Operation {
	return g.write("PutItem", object{"Item": g.item()}, g.newScope(), "NONE", "ALL_OLD")
}

func (g *generator) deleteItem() Operation {
	return g.write("DeleteItem", object{"Key": g.key()}, g.newScope(), "NONE", "ALL_OLD")
}

func (g *generator) updateItem() Operation {
	s := g.newScope()
	body := object{"Key": g.key()}
	if g.chance(97) {
		update := s.update()
		if !creates(update) && g.chance(85) {
			update += s.create()
		}
		body["UpdateExpression"] = s.scramble(update)
	}
	return g.write("UpdateItem", body, s, "NONE", "ALL_OLD", "ALL_NEW", "UPDATED_OLD", "UPDATED_NEW")
}

func (g *generator) getItem() Operation {
	body := object{"TableName": tablePlaceholder, "Key": g.key()}
	g.read(body, g.newScope(), 40)
	return g.request("GetItem", body)
}

// read adds what reads have in common: a projection and consistency.
func (g *generator) read(body object, s *scope, projection int) {
	if g.chance(projection) {
		body["ProjectionExpression"] = s.scramble(s.projection())
	}
	if g.chance(30) {
		body["ConsistentRead"] = true
	}
	s.into(body)
}

func (g *generator) query() Operation {
	s := g.newScope()
	body := object{"TableName": tablePlaceholder}
	hash, sort := g.schema.Hash, g.keyAttributes()[1:]
	index := g.index()
	if index != nil {
		body["IndexName"] = index.Name
		sort = index.Range
		if !index.Local {
			hash = index.Hash[0]
		}
	}
	body["KeyConditionExpression"] = s.scramble(s.keyCondition(hash, sort))
	if g.chance(30) {
		body["ScanIndexForward"] = false
	}
	operation := g.search("Query", body, s)
	operation.AnyOrder = index != nil // entries with equal keys come in no order
	operation.AllPages = index != nil && operation.asks("Limit")
	return operation
}

func (g *generator) scan() Operation {
	body := object{"TableName": tablePlaceholder}
	if index := g.index(); index != nil {
		body["IndexName"] = index.Name
	}
	operation := g.search("Scan", body, g.newScope())
	operation.AnyOrder = true
	operation.AllPages = operation.asks("Limit")
	return operation
}

// index picks one of the indexes, or none for the table.
func (g *generator) index() *enginetest.Index {
	if len(g.schema.Indexes) == 0 || g.chance(40) {
		return nil
	}
	return &g.schema.Indexes[g.random.IntN(len(g.schema.Indexes))]
}

// search adds what queries and scans have in common.
func (g *generator) search(name string, body object, s *scope) Operation {
	if g.chance(40) {
		body["FilterExpression"] = s.scramble(s.condition(2))
	}
	if g.chance(35) {
		body["Limit"] = 1 + g.random.IntN(4)
	}
	if g.chance(15) {
		body["Select"] = pick(g, "COUNT", "ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES", "SPECIFIC_ATTRIBUTES")
	}
	g.read(body, s, 25)
	return g.request(name, body)
}

func (g *generator) batchWrite() Operation {
	var requests []any
	for range 1 + g.random.IntN(4) {
		if g.chance(60) {
			requests = append(requests, object{"PutRequest": object{"Item": g.item()}})
		} else {
			requests = append(requests, object{"DeleteRequest": object{"Key": g.key()}})
		}
	}
	return g.request("BatchWriteItem", object{"RequestItems": object{tablePlaceholder: requests}})
}

func (g *generator) batchGet() Operation {
	var keys []any
	for range 1 + g.random.IntN(4) {
		keys = append(keys, g.key())
	}
	table := object{"Keys": keys}
	g.read(table, g.newScope(), 40)
	operation := g.request("BatchGetItem", object{"RequestItems": object{tablePlaceholder: table}})
	operation.AnyOrder = true
	return operation
}

func (g *generator) transactWrite() Operation {
	var actions []any
	for range 1 + g.random.IntN(3) {
		actions = append(actions, g.action())
	}
	return g.request("TransactWriteItems", object{"TransactItems": actions})
}

// action makes one action of a transaction.
func (g *generator) action() object {
	s := g.newScope()
	body := object{"TableName": tablePlaceholder}
	kind := pick(g, "Put", "Update", "Delete", "ConditionCheck")
	switch kind {
	case "Put":
		body["Item"] = g.item()
	case "Update":
		body["Key"] = g.key()
		update := s.update()
		if !creates(update) { // nothing in the answer would show whether an item came to be
			update += s.create()
		}
		body["UpdateExpression"] = s.scramble(update)
	default:
		body["Key"] = g.key()
	}
	if kind == "ConditionCheck" || g.chance(40) {
		body["ConditionExpression"] = s.scramble(s.condition(2))
		if g.chance(30) {
			body["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"
		}
	}
	s.into(body)
	return object{kind: body}
}

func (g *generator) transactGet() Operation {
	var gets []any
	for range 1 + g.random.IntN(3) {
		s := g.newScope()
		body := object{"TableName": tablePlaceholder, "Key": g.key()}
		if g.chance(40) {
			body["ProjectionExpression"] = s.scramble(s.projection())
		}
		s.into(body)
		gets = append(gets, object{"Get": body})
	}
	return g.request("TransactGetItems", object{"TransactItems": gets})
}
