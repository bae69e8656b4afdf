package wire

import (
	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
)

// ReadBatchGetItem reads a BatchGetItem.
func ReadBatchGetItem(r *Reader) *api.BatchGetItemInput {
	in := new(api.BatchGetItemInput)
	r.request(func(name []byte) {
		switch string(name) {
		case "RequestItems":
			in.RequestItems = dictionary(r, attr.MapOf("KeysAndAttributes"), r.keysAndAttributes)
		case "ReturnConsumedCapacity":
			in.ReturnConsumedCapacity = r.choice()
		default:
			r.Skip()
		}
	})
	return in
}

func (r *Reader) keysAndAttributes() (k api.KeysAndAttributes) {
	r.fields(attr.StructureOf("KeysAndAttributes").Part(), func(name []byte) {
		switch string(name) {
		case "Keys":
			k.Keys = list(r, "AttributeValue", r.ItemPart)
		case "ConsistentRead":
			k.ConsistentRead = r.bool()
		case "ProjectionExpression":
			k.ProjectionExpression = r.text()
		case "ExpressionAttributeNames":
			k.ExpressionAttributeNames = r.names()
		case "AttributesToGet":
			k.AttributesToGet = r.texts()
		default:
			r.Skip()
		}
	})
	return k
}

// ReadBatchWriteItem reads a BatchWriteItem.
func ReadBatchWriteItem(r *Reader) *api.BatchWriteItemInput {
	in := new(api.BatchWriteItemInput)
	r.request(func(name []byte) {
		if string(name) == "RequestItems" {
			in.RequestItems = dictionary(r, attr.MapOfLists("WriteRequest"), r.writeRequests)
			return
		}
		_ = r.report(name, &in.Report) || r.skip()
	})
	return in
}

func (r *Reader) writeRequests() (all []api.WriteRequest) {
	all = []api.WriteRequest{}
	for r.Array(attr.ListOf("WriteRequest").Part()); r.NextElement(); {
		all = append(all, part(r, r.writeRequest))
	}
	return all
}

func (r *Reader) writeRequest() (w api.WriteRequest) {
	r.fields(attr.StructureOf("WriteRequest").Part(), func(name []byte) {
		switch string(name) {
		case "PutRequest":
			w.PutRequest = new(api.PutRequest)
			r.fields(attr.StructureOf("PutRequest"), func(name []byte) { r.only(name, "Item", &w.PutRequest.Item) })
		case "DeleteRequest":
			w.DeleteRequest = new(api.DeleteRequest)
			r.fields(attr.StructureOf("DeleteRequest"), func(name []byte) { r.only(name, "Key", &w.DeleteRequest.Key) })
		default:
			r.Skip()
		}
	})
	return w
}

// only reads the one member of a structure, an item.
func (r *Reader) only(name []byte, member string, item **attr.Item) {
	if string(name) == member {
		*item = r.item()
	} else {
		r.Skip()
	}
}

// ReadTransactGetItems reads a TransactGetItems.
func ReadTransactGetItems(r *Reader) *api.TransactGetItemsInput {
	in := new(api.TransactGetItemsInput)
	r.request(func(name []byte) {
		switch string(name) {
		case "TransactItems":
			in.TransactItems = list(r, "TransactGetItem", r.transactGet)
		case "ReturnConsumedCapacity":
			in.ReturnConsumedCapacity = r.choice()
		default:
			r.Skip()
		}
	})
	return in
}

func (r *Reader) transactGet() (get *api.TransactGet) {
	r.fields(attr.StructureOf("TransactGetItem").Part(), func(name []byte) {
		if string(name) != "Get" {
			r.Skip()
			return
		}
		get = new(api.TransactGet)
		r.fields(attr.StructureOf("Get"), func(name []byte) {
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
	r.request(func(name []byte) {
		switch string(name) {
		case "TransactItems":
			in.TransactItems = list(r, "TransactWriteItem", r.transactWriteItem)
		case "ClientRequestToken":
			in.ClientRequestToken = r.text()
		default:
			_ = r.report(name, &in.Report) || r.skip()
		}
	})
	return in
}

func (r *Reader) transactWriteItem() (w api.TransactWriteItem) {
	r.fields(attr.StructureOf("TransactWriteItem").Part(), func(name []byte) {
		switch string(name) {
		case "ConditionCheck":
			w.ConditionCheck = new(api.ConditionCheck)
			r.action("ConditionCheck", &w.ConditionCheck.TableName, "Key", &w.ConditionCheck.Key, &w.ConditionCheck.Guard, nil)
		case "Put":
			w.Put = new(api.TransactPut)
			r.action("Put", &w.Put.TableName, "Item", &w.Put.Item, &w.Put.Guard, nil)
		case "Delete":
			w.Delete = new(api.TransactDelete)
			r.action("Delete", &w.Delete.TableName, "Key", &w.Delete.Key, &w.Delete.Guard, nil)
		case "Update":
			w.Update = new(api.TransactUpdate)
			r.action("Update", &w.Update.TableName, "Key", &w.Update.Key, &w.Update.Guard, &w.Update.UpdateExpression)
		default:
			r.Skip()
		}
	})
	return w
}

// action reads one action of a transaction. Its item, or the key of one, is in
// the member called subject; update is nil for actions without an update.
func (r *Reader) action(shape string, table **string, subject string, item **attr.Item, guard *api.Guard, update **string) {
	r.fields(attr.StructureOf(shape), func(name []byte) {
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
			guard.ReturnValuesOnConditionCheckFailure = r.choice()
		default:
			_ = r.substitutions(name, &guard.Substitutions) || r.skip()
		}
	})
}
