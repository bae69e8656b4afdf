package wire

import (
	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
)

func (r *Reader) substitutions(name []byte, s *api.Substitutions) bool {
	switch string(name) {
	case "ExpressionAttributeNames":
		s.ExpressionAttributeNames = r.names()
	case "ExpressionAttributeValues":
		s.ExpressionAttributeValues = r.values()
	default:
		return false
	}
	return true
}

func (r *Reader) conditional(name []byte, c *api.Conditional) bool {
	switch string(name) {
	case "ConditionExpression":
		c.ConditionExpression = r.text()
	case "ReturnValuesOnConditionCheckFailure":
		c.ReturnValuesOnConditionCheckFailure = r.choice()
	case "Expected":
		c.Expected = dictionary(r, attr.MapOf("ExpectedAttributeValue"), r.expected)
	case "ConditionalOperator":
		c.ConditionalOperator = r.choice()
	default:
		return false
	}
	return true
}

func (r *Reader) report(name []byte, p *api.Report) bool {
	switch string(name) {
	case "ReturnConsumedCapacity":
		p.ReturnConsumedCapacity = r.choice()
	case "ReturnItemCollectionMetrics":
		p.ReturnItemCollectionMetrics = r.choice()
	default:
		return false
	}
	return true
}

// ReadGetItem reads a GetItem.
func ReadGetItem(r *Reader) *api.GetItemInput {
	in := new(api.GetItemInput)
	r.request(func(name []byte) {
		switch string(name) {
		case "TableName":
			in.TableName = r.text()
		case "Key":
			in.Key = r.item()
		case "ConsistentRead":
			in.ConsistentRead = r.Bool()
		case "ProjectionExpression":
			in.ProjectionExpression = r.text()
		case "ExpressionAttributeNames":
			in.ExpressionAttributeNames = r.names()
		case "AttributesToGet":
			in.AttributesToGet = r.texts()
		case "ReturnConsumedCapacity":
			in.ReturnConsumedCapacity = r.choice()
		default:
			r.Skip()
		}
	})
	return in
}

// ReadPutItem reads a PutItem.
func ReadPutItem(r *Reader) *api.PutItemInput {
	in := new(api.PutItemInput)
	r.request(func(name []byte) {
		switch string(name) {
		case "TableName":
			in.TableName = r.text()
		case "Item":
			in.Item = r.item()
		case "ReturnValues":
			in.ReturnValues = r.choice()
		default:
			_ = r.conditional(name, &in.Conditional) || r.substitutions(name, &in.Substitutions) || r.report(name, &in.Report) || r.skip()
		}
	})
	return in
}

// ReadUpdateItem reads an UpdateItem.
func ReadUpdateItem(r *Reader) *api.UpdateItemInput {
	in := new(api.UpdateItemInput)
	r.request(func(name []byte) {
		switch string(name) {
		case "TableName":
			in.TableName = r.text()
		case "Key":
			in.Key = r.item()
		case "UpdateExpression":
			in.UpdateExpression = r.text()
		case "AttributeUpdates":
			in.AttributeUpdates = dictionary(r, attr.MapOf("AttributeValueUpdate"), r.attributeUpdate)
		case "ReturnValues":
			in.ReturnValues = r.choice()
		default:
			_ = r.conditional(name, &in.Conditional) || r.substitutions(name, &in.Substitutions) || r.report(name, &in.Report) || r.skip()
		}
	})
	return in
}

// ReadDeleteItem reads a DeleteItem.
func ReadDeleteItem(r *Reader) *api.DeleteItemInput {
	in := new(api.DeleteItemInput)
	r.request(func(name []byte) {
		switch string(name) {
		case "TableName":
			in.TableName = r.text()
		case "Key":
			in.Key = r.item()
		case "ReturnValues":
			in.ReturnValues = r.choice()
		default:
			_ = r.conditional(name, &in.Conditional) || r.substitutions(name, &in.Substitutions) || r.report(name, &in.Report) || r.skip()
		}
	})
	return in
}

func (r *Reader) page(name []byte, in *api.ReadInput) bool {
	switch string(name) {
	case "TableName":
		in.TableName = r.text()
	case "IndexName":
		in.IndexName = r.text()
	case "ConsistentRead":
		in.ConsistentRead = r.Bool()
	case "FilterExpression":
		in.FilterExpression = r.text()
	case "ProjectionExpression":
		in.ProjectionExpression = r.text()
	case "Select":
		in.Select = r.choice()
	case "Limit":
		in.Limit = r.int()
	case "ExclusiveStartKey":
		in.ExclusiveStartKey = r.item()
	case "AttributesToGet":
		in.AttributesToGet = r.texts()
	case "ConditionalOperator":
		in.ConditionalOperator = r.choice()
	case "ReturnConsumedCapacity":
		in.ReturnConsumedCapacity = r.choice()
	default:
		return r.substitutions(name, &in.Substitutions)
	}
	return true
}

// ReadQuery reads a Query.
func ReadQuery(r *Reader) *api.QueryInput {
	in := new(api.QueryInput)
	r.request(func(name []byte) {
		switch string(name) {
		case "KeyConditionExpression":
			in.KeyConditionExpression = r.text()
		case "ScanIndexForward":
			in.ScanIndexForward = r.bool()
		case "KeyConditions":
			in.KeyConditions = dictionary(r, attr.MapOf("Condition"), r.condition)
		case "QueryFilter":
			in.QueryFilter = dictionary(r, attr.MapOf("Condition"), r.condition)
		default:
			_ = r.page(name, &in.ReadInput) || r.skip()
		}
	})
	return in
}

// ReadScan reads a Scan.
func ReadScan(r *Reader) *api.ScanInput {
	in := new(api.ScanInput)
	r.request(func(name []byte) {
		switch string(name) {
		case "Segment":
			in.Segment = r.int()
		case "TotalSegments":
			in.TotalSegments = r.int()
		case "ScanFilter":
			in.ScanFilter = dictionary(r, attr.MapOf("Condition"), r.condition)
		default:
			_ = r.page(name, &in.ReadInput) || r.skip()
		}
	})
	return in
}

// The legacy parameters.

func (r *Reader) expected() (e api.ExpectedAttributeValue) {
	r.fields(attr.StructureOf("ExpectedAttributeValue").Part(), func(name []byte) {
		switch string(name) {
		case "Value":
			e.Value = r.Value()
		case "Exists":
			e.Exists = r.bool()
		case "ComparisonOperator":
			e.ComparisonOperator = r.choice()
		case "AttributeValueList":
			e.AttributeValueList = r.valueList()
		default:
			r.Skip()
		}
	})
	return e
}

func (r *Reader) condition() (c api.Condition) {
	r.fields(attr.StructureOf("Condition").Part(), func(name []byte) {
		switch string(name) {
		case "ComparisonOperator":
			c.ComparisonOperator = r.choice()
		case "AttributeValueList":
			c.AttributeValueList = r.valueList()
		default:
			r.Skip()
		}
	})
	return c
}

func (r *Reader) attributeUpdate() (u api.AttributeValueUpdate) {
	r.fields(attr.StructureOf("AttributeValueUpdate").Part(), func(name []byte) {
		switch string(name) {
		case "Action":
			u.Action = r.choice()
		case "Value":
			u.Value = r.Value()
		default:
			r.Skip()
		}
	})
	return u
}
