package wire

import "github.com/dynmodel/dynmodel/engine/api"

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
		c.ReturnValuesOnConditionCheckFailure = r.String()
	case "Expected":
		c.Expected = dictionary(r, r.expected)
	case "ConditionalOperator":
		c.ConditionalOperator = r.String()
	default:
		return false
	}
	return true
}

func (r *Reader) report(name []byte, p *api.Report) bool {
	switch string(name) {
	case "ReturnConsumedCapacity":
		p.ReturnConsumedCapacity = r.String()
	case "ReturnItemCollectionMetrics":
		p.ReturnItemCollectionMetrics = r.String()
	default:
		return false
	}
	return true
}

// ReadGetItem reads a GetItem.
func ReadGetItem(r *Reader) *api.GetItemInput {
	in := new(api.GetItemInput)
	r.fields(func(name []byte) {
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
			in.AttributesToGet = list(r, r.String)
		case "ReturnConsumedCapacity":
			in.ReturnConsumedCapacity = r.String()
		default:
			r.Skip()
		}
	})
	return in
}

// ReadPutItem reads a PutItem.
func ReadPutItem(r *Reader) *api.PutItemInput {
	in := new(api.PutItemInput)
	r.fields(func(name []byte) {
		switch string(name) {
		case "TableName":
			in.TableName = r.text()
		case "Item":
			in.Item = r.item()
		case "ReturnValues":
			in.ReturnValues = r.String()
		default:
			_ = r.conditional(name, &in.Conditional) || r.substitutions(name, &in.Substitutions) || r.report(name, &in.Report) || r.skip()
		}
	})
	return in
}

// ReadUpdateItem reads an UpdateItem.
func ReadUpdateItem(r *Reader) *api.UpdateItemInput {
	in := new(api.UpdateItemInput)
	r.fields(func(name []byte) {
		switch string(name) {
		case "TableName":
			in.TableName = r.text()
		case "Key":
			in.Key = r.item()
		case "UpdateExpression":
			in.UpdateExpression = r.text()
		case "AttributeUpdates":
			in.AttributeUpdates = dictionary(r, r.attributeUpdate)
		case "ReturnValues":
			in.ReturnValues = r.String()
		default:
			_ = r.conditional(name, &in.Conditional) || r.substitutions(name, &in.Substitutions) || r.report(name, &in.Report) || r.skip()
		}
	})
	return in
}

// ReadDeleteItem reads a DeleteItem.
func ReadDeleteItem(r *Reader) *api.DeleteItemInput {
	in := new(api.DeleteItemInput)
	r.fields(func(name []byte) {
		switch string(name) {
		case "TableName":
			in.TableName = r.text()
		case "Key":
			in.Key = r.item()
		case "ReturnValues":
			in.ReturnValues = r.String()
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
		in.Select = r.String()
	case "Limit":
		in.Limit = r.int()
	case "ExclusiveStartKey":
		in.ExclusiveStartKey = r.item()
	case "AttributesToGet":
		in.AttributesToGet = list(r, r.String)
	case "ConditionalOperator":
		in.ConditionalOperator = r.String()
	case "ReturnConsumedCapacity":
		in.ReturnConsumedCapacity = r.String()
	default:
		return r.substitutions(name, &in.Substitutions)
	}
	return true
}

// ReadQuery reads a Query.
func ReadQuery(r *Reader) *api.QueryInput {
	in := new(api.QueryInput)
	r.fields(func(name []byte) {
		switch string(name) {
		case "KeyConditionExpression":
			in.KeyConditionExpression = r.text()
		case "ScanIndexForward":
			in.ScanIndexForward = r.bool()
		case "KeyConditions":
			in.KeyConditions = dictionary(r, r.condition)
		case "QueryFilter":
			in.QueryFilter = dictionary(r, r.condition)
		default:
			_ = r.page(name, &in.ReadInput) || r.skip()
		}
	})
	return in
}

// ReadScan reads a Scan.
func ReadScan(r *Reader) *api.ScanInput {
	in := new(api.ScanInput)
	r.fields(func(name []byte) {
		switch string(name) {
		case "Segment":
			in.Segment = r.int()
		case "TotalSegments":
			in.TotalSegments = r.int()
		case "ScanFilter":
			in.ScanFilter = dictionary(r, r.condition)
		default:
			_ = r.page(name, &in.ReadInput) || r.skip()
		}
	})
	return in
}

// The legacy parameters.

func (r *Reader) expected() (e api.ExpectedAttributeValue) {
	r.fields(func(name []byte) {
		switch string(name) {
		case "Value":
			e.Value = r.Value()
		case "Exists":
			e.Exists = r.bool()
		case "ComparisonOperator":
			e.ComparisonOperator = r.String()
		case "AttributeValueList":
			e.AttributeValueList = list(r, r.Value)
		default:
			r.Skip()
		}
	})
	return e
}

func (r *Reader) condition() (c api.Condition) {
	r.fields(func(name []byte) {
		switch string(name) {
		case "ComparisonOperator":
			c.ComparisonOperator = r.String()
		case "AttributeValueList":
			c.AttributeValueList = list(r, r.Value)
		default:
			r.Skip()
		}
	})
	return c
}

func (r *Reader) attributeUpdate() (u api.AttributeValueUpdate) {
	r.fields(func(name []byte) {
		switch string(name) {
		case "Action":
			u.Action = r.String()
		case "Value":
			u.Value = r.Value()
		default:
			r.Skip()
		}
	})
	return u
}
