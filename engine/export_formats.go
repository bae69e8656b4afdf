package engine

import (
	"strconv"

	"github.com/dynmodel/dynmodel/engine/attr"
	"github.com/dynmodel/dynmodel/engine/ion"
)

// The formats of exports, and of imports.
const (
	formatJSON = "DYNAMODB_JSON"
	formatION  = "ION"
	formatCSV  = "CSV"
)

// A lineFormat is how the lines of an export are written: of a full one an item
// each, of an incremental one a change.
type lineFormat struct {
	extension string
	item      func(dst []byte, item attr.Item) []byte
	change    func(dst []byte, c *itemChange, withOld bool) []byte
}

var lineFormats = map[string]lineFormat{
	formatJSON: {".json.gz", appendItemJSON, appendChangeJSON},
	formatION:  {".ion.gz", appendItemION, appendChangeION},
}

func appendItemJSON(dst []byte, item attr.Item) []byte {
	return append(item.AppendJSON(append(dst, `{"Item":`...)), '}')
}

func appendChangeJSON(dst []byte, c *itemChange, withOld bool) []byte {
	dst = append(dst, `{"Metadata":{"WriteTimestampMicros":{"N":"`...)
	dst = strconv.AppendInt(dst, c.last.UnixMicro(), 10)
	dst = c.key.AppendJSON(append(dst, `"}},"Keys":`...))
	if withOld && !c.old.IsEmpty() {
		dst = c.old.AppendJSON(append(dst, `,"OldImage":`...))
	}
	if !c.new.IsEmpty() {
		dst = c.new.AppendJSON(append(dst, `,"NewImage":`...))
	}
	return append(dst, '}')
}

func appendItemION(dst []byte, item attr.Item) []byte {
	return append(ion.AppendStruct(append(append(dst, ion.Marker...), "{Item:"...), item), '}')
}

func appendChangeION(dst []byte, c *itemChange, withOld bool) []byte {
	dst = append(append(dst, ion.Marker...), "{Record:{Keys:"...)
	dst = append(ion.AppendStruct(dst, c.key), ",Metadata:{WriteTimestampMicros:"...)
	dst = append(ion.AppendValue(dst, attr.Int(c.last.UnixMicro())), '}')
	if !c.new.IsEmpty() {
		dst = ion.AppendStruct(append(dst, ",NewImage:"...), c.new)
	}
	if withOld && !c.old.IsEmpty() {
		dst = ion.AppendStruct(append(dst, ",OldImage:"...), c.old)
	}
	return append(dst, "}}"...)
}
