package wire

import (
	"time"

	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
)

// ReadGetRecords reads a GetRecords.
func ReadGetRecords(r *Reader) *api.GetRecordsInput {
	in := new(api.GetRecordsInput)
	r.request(func(name []byte) {
		switch string(name) {
		case "ShardIterator":
			in.ShardIterator = r.text()
		case "Limit":
			in.Limit = r.int()
		default:
			r.Skip()
		}
	})
	return in
}

// AppendGetRecords appends the answer of a GetRecords.
func AppendGetRecords(dst []byte, out *api.GetRecordsOutput) []byte {
	o := begin(dst)
	array(&o, "Records", out.Records, appendRecord)
	if out.NextShardIterator != "" {
		o.text("NextShardIterator", out.NextShardIterator)
	}
	return o.end()
}

func appendRecord(dst []byte, record api.Record) []byte {
	o := begin(dst)
	o.text("eventID", record.EventID)
	o.text("eventName", record.EventName)
	o.text("eventVersion", "1.1")
	o.text("eventSource", "aws:dynamodb")
	o.text("awsRegion", record.Region)
	o.field("dynamodb")
	o.dst = appendChange(o.dst, record)
	if record.Expired {
		o.field("userIdentity")
		o.dst = append(o.dst, `{"PrincipalId":"dynamodb.amazonaws.com","Type":"Service"}`...)
	}
	return o.end()
}

func appendChange(dst []byte, record api.Record) []byte {
	o := begin(dst)
	o.int("ApproximateCreationDateTime", int(time.Time(record.Created).Unix()))
	o.item("Keys", record.Keys)
	for _, image := range []struct {
		name string
		item attr.Item
	}{{"NewImage", record.NewImage}, {"OldImage", record.OldImage}} {
		if !image.item.IsEmpty() {
			o.item(image.name, image.item)
		}
	}
	o.text("SequenceNumber", record.SequenceNumber)
	o.int("SizeBytes", record.SizeBytes)
	o.text("StreamViewType", record.StreamViewType)
	return o.end()
}
