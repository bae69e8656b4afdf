package wire

import (
	"strconv"

	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
)

// An object is a JSON object that is being written behind what dst held.
type object struct {
	dst   []byte
	comma bool
}

func begin(dst []byte) object { return object{dst: append(dst, '{')} }

func (o *object) end() []byte { return append(o.dst, '}') }

// field writes a member's name and returns the text for its value to be
// appended to. Names need no escaping.
func (o *object) field(name string) {
	if o.comma {
		o.dst = append(o.dst, ',')
	}
	o.comma = true
	o.dst = append(o.dst, '"')
	o.dst = append(o.dst, name...)
	o.dst = append(o.dst, '"', ':')
}

func (o *object) item(name string, it attr.Item) {
	o.field(name)
	o.dst = it.AppendJSON(o.dst)
}

func (o *object) text(name, s string) {
	o.field(name)
	o.dst = attr.AppendJSONString(o.dst, s)
}

func (o *object) int(name string, i int) {
	o.field(name)
	o.dst = strconv.AppendInt(o.dst, int64(i), 10)
}

func (o *object) number(name string, f float64) {
	o.field(name)
	o.dst = appendUnits(o.dst, f)
}

func (o *object) optional(name string, f *float64) {
	if f != nil {
		o.number(name, *f)
	}
}

func (o *object) bool(name string, b bool) {
	o.field(name)
	o.dst = strconv.AppendBool(o.dst, b)
}

// array writes a member that is an array; write appends one element.
func array[T any](o *object, name string, elements []T, write func([]byte, T) []byte) {
	o.field(name)
	o.dst = appendArray(o.dst, elements, write)
}

func appendArray[T any](dst []byte, elements []T, write func([]byte, T) []byte) []byte {
	dst = append(dst, '[')
	for i, e := range elements {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = write(dst, e)
	}
	return append(dst, ']')
}

// members writes a member that is an object with the keys of a map, sorted.
func members[T any](o *object, name string, m map[string]T, write func([]byte, T) []byte) {
	o.field(name)
	in := begin(o.dst)
	for _, k := range attr.SortedKeys(m) {
		if in.comma {
			in.dst = append(in.dst, ',')
		}
		in.comma = true
		in.dst = append(attr.AppendJSONString(in.dst, k), ':')
		in.dst = write(in.dst, m[k])
	}
	o.dst = in.end()
}

func appendItem(dst []byte, it attr.Item) []byte { return it.AppendJSON(dst) }

// appendUnits writes capacity units as the service does: 1.0, 0.5.
func appendUnits(dst []byte, units float64) []byte {
	if units == float64(int64(units)) {
		return append(strconv.AppendInt(dst, int64(units), 10), ".0"...)
	}
	return strconv.AppendFloat(dst, units, 'f', -1, 64)
}

func appendConsumed(dst []byte, c api.ConsumedCapacity) []byte {
	o := begin(dst)
	o.text("TableName", c.TableName)
	o.number("CapacityUnits", c.CapacityUnits)
	o.optional("ReadCapacityUnits", c.ReadCapacityUnits)
	o.optional("WriteCapacityUnits", c.WriteCapacityUnits)
	if c.Table != nil {
		o.field("Table")
		o.dst = appendCapacity(o.dst, *c.Table)
	}
	if c.LocalSecondaryIndexes != nil {
		members(&o, "LocalSecondaryIndexes", c.LocalSecondaryIndexes, appendCapacity)
	}
	if c.GlobalSecondaryIndexes != nil {
		members(&o, "GlobalSecondaryIndexes", c.GlobalSecondaryIndexes, appendCapacity)
	}
	if c.VectorIndexes != nil {
		members(&o, "VectorIndexes", c.VectorIndexes, appendVectorCapacity)
	}
	return o.end()
}

func appendCapacity(dst []byte, c api.Capacity) []byte {
	o := begin(dst)
	o.number("CapacityUnits", c.CapacityUnits)
	o.optional("ReadCapacityUnits", c.ReadCapacityUnits)
	o.optional("WriteCapacityUnits", c.WriteCapacityUnits)
	return o.end()
}

func appendMetrics(dst []byte, m api.ItemCollectionMetrics) []byte {
	o := begin(dst)
	o.item("ItemCollectionKey", m.ItemCollectionKey)
	array(&o, "SizeEstimateRangeGB", m.SizeEstimateRangeGB[:], appendUnits)
	return o.end()
}

func (o *object) consumed(c *api.ConsumedCapacity) {
	if c != nil {
		o.field("ConsumedCapacity")
		o.dst = appendConsumed(o.dst, *c)
	}
}

// consumedList writes the figures of a request over several tables.
func (o *object) consumedList(list []api.ConsumedCapacity) {
	if list != nil {
		array(o, "ConsumedCapacity", list, appendConsumed)
	}
}

func (o *object) metricsOfTables(m map[string][]api.ItemCollectionMetrics) {
	if m != nil {
		members(o, "ItemCollectionMetrics", m, func(dst []byte, list []api.ItemCollectionMetrics) []byte {
			return appendArray(dst, list, appendMetrics)
		})
	}
}

// AppendGetItem appends the answer of a GetItem.
func AppendGetItem(dst []byte, out *api.GetItemOutput) []byte {
	o := begin(dst)
	if out.Item != nil {
		o.item("Item", *out.Item)
	}
	o.consumed(out.ConsumedCapacity)
	return o.end()
}

// AppendWriteItem appends the answer of a PutItem, UpdateItem or DeleteItem.
func AppendWriteItem(dst []byte, out *api.WriteItemOutput) []byte {
	o := begin(dst)
	if !out.Attributes.IsEmpty() {
		o.item("Attributes", out.Attributes)
	}
	o.consumed(out.ConsumedCapacity)
	if out.ItemCollectionMetrics != nil {
		o.field("ItemCollectionMetrics")
		o.dst = appendMetrics(o.dst, *out.ItemCollectionMetrics)
	}
	return o.end()
}

// AppendRead appends the answer of a Query or Scan.
func AppendRead(dst []byte, out *api.ReadOutput) []byte {
	o := begin(dst)
	if out.Items != nil {
		array(&o, "Items", out.Items, appendItem)
	}
	o.int("Count", out.Count)
	o.int("ScannedCount", out.ScannedCount)
	if !out.LastEvaluatedKey.IsEmpty() {
		o.item("LastEvaluatedKey", out.LastEvaluatedKey)
	}
	o.consumed(out.ConsumedCapacity)
	return o.end()
}

// AppendBatchGetItem appends the answer of a BatchGetItem.
func AppendBatchGetItem(dst []byte, out *api.BatchGetItemOutput) []byte {
	o := begin(dst)
	members(&o, "Responses", out.Responses, func(dst []byte, items []attr.Item) []byte {
		return appendArray(dst, items, appendItem)
	})
	members(&o, "UnprocessedKeys", out.UnprocessedKeys, appendKeys)
	o.consumedList(out.ConsumedCapacity)
	return o.end()
}

func appendKeys(dst []byte, k api.KeysAndAttributes) []byte {
	o := begin(dst)
	array(&o, "Keys", k.Keys, appendItem)
	if k.ConsistentRead != nil {
		o.bool("ConsistentRead", *k.ConsistentRead)
	}
	if k.ProjectionExpression != nil {
		o.text("ProjectionExpression", *k.ProjectionExpression)
	}
	if k.ExpressionAttributeNames != nil {
		members(&o, "ExpressionAttributeNames", k.ExpressionAttributeNames, attr.AppendJSONString)
	}
	if k.AttributesToGet != nil {
		array(&o, "AttributesToGet", k.AttributesToGet, attr.AppendJSONString)
	}
	return o.end()
}

// AppendBatchWriteItem appends the answer of a BatchWriteItem.
func AppendBatchWriteItem(dst []byte, out *api.BatchWriteItemOutput) []byte {
	o := begin(dst)
	members(&o, "UnprocessedItems", out.UnprocessedItems, func(dst []byte, list []api.WriteRequest) []byte {
		return appendArray(dst, list, appendWriteRequest)
	})
	o.metricsOfTables(out.ItemCollectionMetrics)
	o.consumedList(out.ConsumedCapacity)
	return o.end()
}

func appendWriteRequest(dst []byte, w api.WriteRequest) []byte {
	o := begin(dst)
	if w.PutRequest != nil {
		o.member("PutRequest", "Item", w.PutRequest.Item)
	} else {
		o.member("DeleteRequest", "Key", w.DeleteRequest.Key)
	}
	return o.end()
}

// member writes an object with one member, an item.
func (o *object) member(name, member string, item *attr.Item) {
	o.field(name)
	in := begin(o.dst)
	in.item(member, *item)
	o.dst = in.end()
}

// AppendTransactGetItems appends the answer of a TransactGetItems.
func AppendTransactGetItems(dst []byte, out *api.TransactGetItemsOutput) []byte {
	o := begin(dst)
	array(&o, "Responses", out.Responses, appendItemResponse)
	o.consumedList(out.ConsumedCapacity)
	return o.end()
}

// AppendTransactWriteItems appends the answer of a TransactWriteItems.
func AppendTransactWriteItems(dst []byte, out *api.TransactWriteItemsOutput) []byte {
	o := begin(dst)
	o.metricsOfTables(out.ItemCollectionMetrics)
	o.consumedList(out.ConsumedCapacity)
	return o.end()
}
