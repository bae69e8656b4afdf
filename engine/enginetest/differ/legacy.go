package differ

import "github.com/dynmodel/dynmodel/engine/enginetest"

// The requests of this file use the parameters from before expressions.

func (g *generator) legacyUpdate() Operation {
	updates := object{}
	for _, name := range attributes[:1+g.random.IntN(3)] {
		action := pick(g, "PUT", "PUT", "ADD", "DELETE")
		update := object{"Action": action}
		switch {
		case action == "PUT":
			update["Value"] = g.value(1)
		case action == "ADD" || g.chance(50):
			update["Value"] = g.newScope().amount()
		}
		updates[name] = update
	}
	if g.chance(80) { // shows whether an item came to be
		updates["zz"] = object{"Value": object{"NULL": true}}
	}
	body := object{"TableName": tablePlaceholder, "Key": g.key(), "AttributeUpdates": updates, "ReturnValues": "ALL_NEW"}
	g.expect(body)
	return g.request("UpdateItem", body)
}

func (g *generator) legacyPut() Operation {
	body := object{"TableName": tablePlaceholder, "Item": g.item()}
	g.expect(body)
	return g.request("PutItem", body)
}

// expect adds conditions to a write.
func (g *generator) expect(body object) {
	if g.chance(60) {
		body["Expected"] = g.comparisons()
		g.conditionalOperator(body)
	}
}

func (g *generator) conditionalOperator(body object) {
	if g.chance(30) {
		body["ConditionalOperator"] = pick(g, "AND", "OR")
	}
}

func (g *generator) comparisons() object {
	comparisons := object{}
	for _, name := range attributes[:1+g.random.IntN(2)] {
		comparisons[name] = g.comparison()
	}
	return comparisons
}

func (g *generator) comparison() object {
	operator := pick(g, "EQ", "NE", "LT", "LE", "GT", "GE", "IN", "BETWEEN", "BEGINS_WITH", "CONTAINS", "NOT_CONTAINS", "NULL", "NOT_NULL")
	count := 1
	switch operator {
	case "NULL", "NOT_NULL":
		count = 0
	case "BETWEEN":
		count = 2
	case "IN":
		count = 1 + g.random.IntN(3)
	}
	if g.chance(2) {
		count++
	}
	comparison := object{"ComparisonOperator": operator}
	if count > 0 {
		values := make([]any, count)
		for i := range values {
			values[i] = g.value(0)
		}
		comparison["AttributeValueList"] = values
	}
	return comparison
}

func (g *generator) legacyScan() Operation {
	body := object{"TableName": tablePlaceholder, "ScanFilter": g.comparisons()}
	g.conditionalOperator(body)
	if g.chance(40) {
		body["AttributesToGet"] = g.some(attributes...)
	}
	operation := g.request("Scan", body)
	operation.AnyOrder = true
	return operation
}

func (g *generator) legacyQuery() Operation {
	conditions := object{g.schema.Hash.Name: g.keyComparison(g.schema.Hash, "EQ")}
	if g.schema.Range != nil && g.chance(60) {
		operator := pick(g, "EQ", "LT", "LE", "GT", "GE", "BETWEEN", "BEGINS_WITH")
		conditions[g.schema.Range.Name] = g.keyComparison(*g.schema.Range, operator)
	}
	body := object{"TableName": tablePlaceholder, "KeyConditions": conditions}
	if g.chance(30) { // which are as old as expressions
		s := g.newScope()
		body["FilterExpression"] = s.condition(1)
		s.into(body)
		return g.request("Query", body)
	}
	if g.chance(50) {
		body["QueryFilter"] = g.comparisons()
		g.conditionalOperator(body)
	}
	if g.chance(40) {
		body["AttributesToGet"] = g.some(attributes...)
	}
	return g.request("Query", body)
}

func (g *generator) keyComparison(key enginetest.Attribute, operator string) object {
	values := []any{g.keyValue(key.Type)}
	if operator == "BETWEEN" {
		values = append(values, g.keyValue(key.Type))
	}
	return object{"ComparisonOperator": operator, "AttributeValueList": values}
}
