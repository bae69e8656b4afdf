package wire

import (
	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
)

// ReadExecuteStatement reads an ExecuteStatement.
func ReadExecuteStatement(r *Reader) *api.ExecuteStatementInput {
	in := new(api.ExecuteStatementInput)
	r.request(func(name []byte) {
		switch string(name) {
		case "Statement":
			in.Statement = r.text()
		case "Parameters":
			in.Parameters = r.valueList()
		case "ConsistentRead":
			in.ConsistentRead = r.Bool()
		case "Limit":
			in.Limit = r.int()
		case "NextToken":
			in.NextToken = r.text()
		case "ReturnConsumedCapacity":
			in.ReturnConsumedCapacity = r.choice()
		case "ReturnValuesOnConditionCheckFailure":
			in.ReturnValuesOnConditionCheckFailure = r.choice()
		default:
			r.Skip()
		}
	})
	return in
}

// ReadBatchExecuteStatement reads a BatchExecuteStatement.
func ReadBatchExecuteStatement(r *Reader) *api.BatchExecuteStatementInput {
	in := new(api.BatchExecuteStatementInput)
	r.request(func(name []byte) {
		switch string(name) {
		case "Statements":
			in.Statements = r.statements("BatchStatementRequest")
		case "ReturnConsumedCapacity":
			in.ReturnConsumedCapacity = r.choice()
		default:
			r.Skip()
		}
	})
	return in
}

// ReadExecuteTransaction reads an ExecuteTransaction.
func ReadExecuteTransaction(r *Reader) *api.ExecuteTransactionInput {
	in := new(api.ExecuteTransactionInput)
	r.request(func(name []byte) {
		switch string(name) {
		case "TransactStatements":
			in.TransactStatements = r.statements("ParameterizedStatement")
		case "ClientRequestToken":
			in.ClientRequestToken = r.text()
		case "ReturnConsumedCapacity":
			in.ReturnConsumedCapacity = r.choice()
		default:
			r.Skip()
		}
	})
	return in
}

func (r *Reader) statements(shape string) []api.ParameterizedStatement {
	return list(r, shape, func() api.ParameterizedStatement { return r.statement(shape) })
}

func (r *Reader) statement(shape string) (s api.ParameterizedStatement) {
	r.fields(attr.StructureOf(shape).Part(), func(name []byte) {
		switch string(name) {
		case "Statement":
			s.Statement = r.text()
		case "Parameters":
			s.Parameters = r.valueList()
		case "ConsistentRead":
			s.ConsistentRead = r.Bool()
		case "ReturnValuesOnConditionCheckFailure":
			s.ReturnValuesOnConditionCheckFailure = r.choice()
		default:
			r.Skip()
		}
	})
	return s
}

// AppendExecuteStatement appends the answer of an ExecuteStatement.
func AppendExecuteStatement(dst []byte, out *api.ExecuteStatementOutput) []byte {
	o := begin(dst)
	array(&o, "Items", out.Items, appendItem)
	if out.NextToken != "" {
		o.text("NextToken", out.NextToken)
	}
	if !out.LastEvaluatedKey.IsEmpty() {
		o.item("LastEvaluatedKey", out.LastEvaluatedKey)
	}
	o.consumed(out.ConsumedCapacity)
	return o.end()
}

// AppendBatchExecuteStatement appends the answer of a BatchExecuteStatement.
func AppendBatchExecuteStatement(dst []byte, out *api.BatchExecuteStatementOutput) []byte {
	o := begin(dst)
	array(&o, "Responses", out.Responses, appendStatementResponse)
	o.consumedList(out.ConsumedCapacity)
	return o.end()
}

func appendStatementResponse(dst []byte, response api.BatchStatementResponse) []byte {
	o := begin(dst)
	if response.TableName != "" {
		o.text("TableName", response.TableName)
	}
	if response.Item != nil {
		o.item("Item", *response.Item)
	}
	if response.Error != nil {
		o.field("Error")
		o.dst = appendReason(o.dst, *response.Error)
	}
	return o.end()
}

// AppendExecuteTransaction appends the answer of an ExecuteTransaction.
func AppendExecuteTransaction(dst []byte, out *api.ExecuteTransactionOutput) []byte {
	o := begin(dst)
	array(&o, "Responses", out.Responses, appendItemResponse)
	o.consumedList(out.ConsumedCapacity)
	return o.end()
}

// appendItemResponse writes one answer of a transaction: an item, or nothing.
func appendItemResponse(dst []byte, it *attr.Item) []byte {
	o := begin(dst)
	if it != nil {
		o.item("Item", *it)
	}
	return o.end()
}
