package wire

import (
	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
)

// ReadBatchGetItem reads a BatchGetItem.
func ReadBatchGetItem(r *Reader) *api.BatchGetItemInput {
	in := new(api.BatchGetItemInput)
	r.fields(func(name []byte) {
		switch string(name) {
		case "RequestItems":
			in.RequestItems = dictionary(r, r.keysAndAttributes)
		case "ReturnConsumedCapacity":
			in.ReturnConsumedCapacity = r.String()
		default:
			r.Skip()
		}
	})
	return in
}

func (r *Reader) keysAndAttributes() (k api.KeysAndAttributes) {
	r.fields(func(name []byte) {
		switch string(name) {
		case "Keys":
			k.Keys = list(r, r.Item)
		case "ConsistentRead":
			k.ConsistentRead = r.bool()
		case "ProjectionExpression":
			k.ProjectionExpression = r.text()
		case "ExpressionAttributeNames":
			k.ExpressionAttributeNames = r.names()
		case "AttributesToGet":
			k.AttributesToGet = list(r, r.String)
		default:
			r.Skip()
		}
	})
	return k
}

// ReadBatchWriteItem reads a BatchWriteItem.
func ReadBatchWriteItem(r *Reader) *api.BatchWriteItemInput {
	in := new(api.BatchWriteItemInput)
	r.fields(func(name []byte) {
		if string(name) == "RequestItems" {
			in.RequestItems = dictionary(r, func() []api.WriteRequest { return list(r, r.writeRequest) })
			return
		}
		_ = r.report(name, &in.Report) || r.skip()
	})
	return in
}

func (r *Reader) writeRequest() (w api.WriteRequest) {
	r.fields(func(name []byte) {
		switch string(name) {
		case "PutRequest":
			r.fields(func(name []byte) {
				if string(name) == "Item" {
					w.Put = r.item()
				} else {
					r.Skip()
				}
			})
		case "DeleteRequest":
			r.fields(func(name []byte) {
				if string(name) == "Key" {
					w.Delete = r.item()
				} else {
					r.Skip()
				}
			})
		default:
			r.Skip()
		}
	})
	return w
}

// ReadTransactGetItems reads a TransactGetItems.
func ReadTransactGetItems(r *Reader) *api.TransactGetItemsInput {
	in := new(api.TransactGetItemsInput)
	r.fields(func(name []byte) {
		switch string(name) {
		case "TransactItems":
			in.TransactItems = list(r, r.transactGet)
		case "ReturnConsumedCapacity":
			in.ReturnConsumedCapacity = r.String()
		default:
			r.Skip()
		}
	})
	return in
}

func (r *Reader) transactGet() (get *api.TransactGet) {
	r.fields(func(name []byte) {
		if string(name) != "Get" {
			r.Skip()
			return
		}
		get = new(api.TransactGet)
		r.fields(func(name []byte) {
			switch string(name) {
			case "TableName":
				get.TableName = r.text()
			case "Key":
				get.Key = r.item()
			case "ProjectionExpression":
				get.ProjectionExpression = r.text()
			case "ExpressionAttributeNames":
				get.ExpressionAttributeNames = r.names()
			default:
				r.Skip()
			}
		})
	})
	return get
}

// ReadTransactWriteItems reads a TransactWriteItems.
func ReadTransactWriteItems(r *Reader) *api.TransactWriteItemsInput {
	in := new(api.TransactWriteItemsInput)
	r.fields(func(name []byte) {
		switch string(name) {
		case "TransactItems":
			in.TransactItems = list(r, r.transactWriteItem)
		case "ClientRequestToken":
			in.ClientRequestToken = r.text()
		default:
			_ = r.report(name, &in.Report) || r.skip()
		}
	})
	return in
}

func (r *Reader) transactWriteItem() (w api.TransactWriteItem) {
	r.fields(func(name []byte) {
		switch string(name) {
		case "ConditionCheck":
			w.ConditionCheck = new(api.ConditionCheck)
			r.action(&w.ConditionCheck.TableName, "Key", &w.ConditionCheck.Key, &w.ConditionCheck.Guard, nil)
		case "Put":
			w.Put = new(api.TransactPut)
			r.action(&w.Put.TableName, "Item", &w.Put.Item, &w.Put.Guard, nil)
		case "Delete":
			w.Delete = new(api.TransactDelete)
			r.action(&w.Delete.TableName, "Key", &w.Delete.Key, &w.Delete.Guard, nil)
		case "Update":
			w.Update = new(api.TransactUpdate)
			r.action(&w.Update.TableName, "Key", &w.Update.Key, &w.Update.Guard, &w.Update.UpdateExpression)
		default:
			r.Skip()
		}
	})
	return w
}

// action reads one action of a transaction. Its item, or the key of one, is in
// the member called subject; update is nil for actions without an update.
func (r *Reader) action(table **string, subject string, item **attr.Item, guard *api.Guard, update **string) {
	r.fields(func(name []byte) {
		switch {
		case string(name) == "TableName":
			*table = r.text()
		case string(name) == subject:
			*item = r.item()
		case string(name) == "UpdateExpression" && update != nil:
			*update = r.text()
		case string(name) == "ConditionExpression":
			guard.ConditionExpression = r.text()
		case string(name) == "ReturnValuesOnConditionCheckFailure":
			guard.ReturnValuesOnConditionCheckFailure = r.String()
		default:
			_ = r.substitutions(name, &guard.Substitutions) || r.skip()
		}
	})
}
