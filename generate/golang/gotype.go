package golang

import (
	"fmt"

	"github.com/dynmodel/dynmodel/model"
)

// kind is a way in which Go code holds values.
type kind int

const (
	kindText      kind = iota // string
	kindEnum                  // a string type with constants
	kindInteger               // int64
	kindNumber                // Number
	kindBool                  // bool
	kindBytes                 // []byte
	kindTime                  // time.Time
	kindAny                   // types.AttributeValue
	kindList                  // []T
	kindValues                // []types.AttributeValue
	kindMap                   // map[string]T
	kindValueMap              // map[string]types.AttributeValue
	kindObject                // a struct
	kindTextSet               // []string
	kindNumberSet             // []int64 or []Number
	kindBytesSet              // [][]byte
)

// goType is the Go type of an attribute's values.
type goType struct {
	kind kind
	name string // as written in Go
	attr *model.Attribute
	elem *goType // of the members of a list, set or map
	enum *enum
	obj  *object
}

// enum is a string type with constants.
type enum struct {
	name, about string
	constants   []enumWord
}

type enumWord struct{ name, value string }

// object is a struct that holds a map with declared members.
type object struct {
	name, about string
	fields      []*field
}

// field is an attribute of an entity or a member of a map, as a field of a struct.
type field struct {
	attr *model.Attribute
	name string
	typ  *goType
}

// pointer tells whether an optional value of the type is a pointer; the others
// have a zero value that says that they are absent.
func (t *goType) pointer() bool {
	switch t.kind {
	case kindText, kindEnum, kindInteger, kindNumber, kindBool, kindTime, kindObject:
		return true
	}
	return false
}

// isSet tells the sets, of which DynamoDB keeps no empty ones.
func (t *goType) isSet() bool {
	return t.kind == kindTextSet || t.kind == kindNumberSet || t.kind == kindBytesSet
}

// epoch tells the times that are stored as numbers.
func (t *goType) epoch() bool {
	return t.kind == kindTime && (t.attr.Type == model.TypeEpoch || t.attr.Type == model.TypeEpochMS)
}

// same tells whether values of the two types are the same in Go.
func (t *goType) same(u *goType) bool { return t.name == u.name && t.kind == u.kind }

// fieldType is the type of a field that may be absent when optional.
func (f *field) fieldType() string {
	if f.attr.Optional && f.typ.pointer() {
		return "*" + f.typ.name
	}
	return f.typ.name
}

// typeOf is the Go type of an attribute. The owner names what has to be declared for
// it: enumerations and structs.
func (g *generator) typeOf(a *model.Attribute, owner string) *goType {
	if t, ok := g.types[a]; ok {
		return t
	}
	t := g.newType(a, owner)
	g.types[a] = t
	return t
}

func (g *generator) newType(a *model.Attribute, owner string) *goType {
	plain := func(k kind, name string) *goType { return &goType{kind: k, name: name, attr: a} }
	switch a.Type {
	case model.TypeEnum:
		return g.enumType(a, owner)
	case model.TypeInteger:
		return plain(kindInteger, "int64")
	case model.TypeNumber:
		return plain(kindNumber, "Number")
	case model.TypeBoolean:
		return plain(kindBool, "bool")
	case model.TypeBinary:
		return plain(kindBytes, "[]byte")
	case model.TypeMonth, model.TypeDate, model.TypeEpoch, model.TypeEpochMS:
		return plain(kindTime, "time.Time")
	case model.TypeDatetime:
		if a.Domain.AnyZone || a.Domain.Precision == model.PrecisionVariable {
			return plain(kindText, "string") // a time.Time would lose how it is written
		}
		return plain(kindTime, "time.Time")
	case model.TypeList, model.TypeMap, model.TypeStringSet, model.TypeNumberSet, model.TypeBinarySet:
		return g.collectionType(a, owner)
	case model.TypeAny:
		return plain(kindAny, "types.AttributeValue")
	}
	return plain(kindText, "string")
}

func (g *generator) collectionType(a *model.Attribute, owner string) *goType {
	t := &goType{attr: a}
	if a.Domain.Items != nil {
		t.elem = g.typeOf(a.Domain.Items, owner+exported(singular(a.Name.Text)))
	}
	switch {
	case a.Type == model.TypeMap && t.elem != nil:
		t.kind, t.name = kindMap, "map[string]"+t.elem.name
	case a.Type == model.TypeMap && len(a.Domain.Attributes) > 0:
		g.objectType(t, owner)
	case a.Type == model.TypeMap:
		t.kind, t.name = kindValueMap, "map[string]types.AttributeValue"
	case a.Type == model.TypeList && t.elem != nil:
		t.kind, t.name = kindList, "[]"+t.elem.name
	case a.Type == model.TypeList:
		t.kind, t.name = kindValues, "[]types.AttributeValue"
	case a.Type == model.TypeNumberSet:
		if t.elem == nil || t.elem.kind != kindInteger && t.elem.kind != kindNumber {
			t.elem = &goType{kind: kindNumber, name: "Number", attr: a}
		}
		t.kind, t.name = kindNumberSet, "[]"+t.elem.name
	case a.Type == model.TypeBinarySet:
		t.kind, t.name = kindBytesSet, "[][]byte"
	default:
		if t.elem == nil || t.elem.kind != kindEnum {
			t.elem = &goType{kind: kindText, name: "string", attr: a}
		}
		t.kind, t.name = kindTextSet, "[]"+t.elem.name
	}
	return t
}

// ownerName is the name of what is declared for an attribute: the owner's and its
// own, which a member of a list or a map of any names lacks.
func ownerName(owner string, a *model.Attribute) string {
	if a.Name.Text == "" {
		return owner
	}
	return owner + exported(a.Name.Text)
}

func (g *generator) enumType(a *model.Attribute, owner string) *goType {
	e := &enum{name: g.names.take(ownerName(owner, a)), about: a.Name.Text}
	for _, c := range a.Domain.Values {
		word := "Empty"
		if c.Value.Text() != "" {
			word = exported(c.Value.Text())
			if len(words(c.Value.Text())) > 0 && word[0] == 'X' && exported("a"+c.Value.Text()) != "A"+word {
				word = word[1:] // the type's name stands before it, so that it may begin with a digit
			}
		}
		e.constants = append(e.constants, enumWord{g.names.take(e.name + word), c.Value.Text()})
	}
	g.enums = append(g.enums, e)
	return &goType{kind: kindEnum, name: e.name, attr: a, enum: e}
}

func (g *generator) objectType(t *goType, owner string) {
	o := &object{name: g.names.take(ownerName(owner, t.attr)), about: t.attr.Name.Text}
	t.kind, t.name, t.obj = kindObject, o.name, o
	g.objects = append(g.objects, o)
	o.fields = g.fields(t.attr.Domain.Attributes, o.name)
}

// fields are attributes as the fields of a struct.
func (g *generator) fields(attributes []*model.Attribute, owner string) []*field {
	names := scope{"MarshalItem": true, "Validate": true}
	var out []*field
	for _, a := range attributes {
		out = append(out, &field{attr: a, name: names.take(exported(a.Name.Text)), typ: g.typeOf(a, owner)})
	}
	return out
}

// timeLayout is the constant of the layout in which a time is written.
func timeLayout(a *model.Attribute) string {
	switch a.Type {
	case model.TypeMonth:
		return "layoutMonth"
	case model.TypeDate:
		return "layoutDate"
	}
	local := ""
	if a.Domain.NoZone {
		local = "Local"
	}
	switch a.Domain.Precision {
	case model.PrecisionMinute:
		return "layout" + local + "Minute"
	case model.PrecisionMilli:
		return "layout" + local + "Milli"
	case model.PrecisionMicro:
		return "layout" + local + "Micro"
	case model.PrecisionNano:
		return "layout" + local + "Nano"
	}
	return "layout" + local + "Second"
}

// timeReader is the function that reads a time.
func timeReader(a *model.Attribute) string {
	switch a.Type {
	case model.TypeMonth:
		return "asMonth"
	case model.TypeDate:
		return "asDate"
	case model.TypeEpoch:
		return "asEpoch"
	case model.TypeEpochMS:
		return "asEpochMS"
	}
	switch minute := a.Domain.Precision == model.PrecisionMinute; {
	case minute && a.Domain.NoZone:
		return "asLocalMinute"
	case minute:
		return "asMinute"
	case a.Domain.NoZone:
		return "asLocal"
	}
	return "asTime"
}

// reader is the function that reads a value of the type.
func (t *goType) reader() string {
	switch t.kind {
	case kindText, kindEnum:
		return "asText[" + t.name + "]"
	case kindInteger:
		return "asInt"
	case kindNumber:
		return "asNumber"
	case kindBool:
		return "asBool"
	case kindBytes:
		return "asBytes"
	case kindTime:
		return timeReader(t.attr)
	case kindAny:
		return "asValue"
	case kindList:
		return "asList(" + t.elem.reader() + ")"
	case kindValues:
		return "asValues"
	case kindMap:
		return "asMapOf(" + t.elem.reader() + ")"
	case kindValueMap:
		return "asMap"
	case kindObject:
		return "unmarshal" + t.name
	case kindTextSet:
		return "asTexts[" + t.elem.name + "]"
	case kindNumberSet:
		return "asNumbers(" + t.elem.reader() + ")"
	}
	return "asByteSets"
}

// written is the expression of the attribute value of a Go value; f is at hand.
func (t *goType) written(code, name string) string {
	switch t.kind {
	case kindText:
		return "str(" + code + ")"
	case kindEnum:
		return "str(string(" + code + "))"
	case kindInteger:
		return "num(strconv.FormatInt(" + code + ", 10))"
	case kindNumber:
		return fmt.Sprintf("num(f.number(%q, %s))", name, code)
	case kindBool:
		return "boolean(" + code + ")"
	case kindBytes:
		return "bin(" + code + ")"
	case kindTime:
		if t.epoch() {
			return "num(" + t.text(code, name) + ")"
		}
		return "str(" + t.text(code, name) + ")"
	case kindList:
		return fmt.Sprintf("list(%s, func(v %s) types.AttributeValue { return %s })", code, t.elem.name, t.elem.stored("v", name))
	case kindValues:
		return "types.AttributeValue(&types.AttributeValueMemberL{Value: " + code + "})"
	case kindMap:
		return fmt.Sprintf("mapOf(%s, func(v %s) types.AttributeValue { return %s })", code, t.elem.name, t.elem.stored("v", name))
	case kindValueMap:
		return "types.AttributeValue(&types.AttributeValueMemberM{Value: " + code + "})"
	case kindObject:
		return code + ".value(f)"
	case kindTextSet:
		return "strSet(" + t.folded(code) + ")"
	case kindNumberSet:
		return fmt.Sprintf("numSet(%s, func(v %s) string { return %s })", code, t.elem.name, t.elem.text("v", name))
	case kindBytesSet:
		return "binSet(" + code + ")"
	}
	return code
}

// stored is written of a value that is folded as it is stored.
func (t *goType) stored(code, name string) string { return t.written(t.foldedText(code), name) }

// foldedText folds a text where the attribute says so.
func (t *goType) foldedText(code string) string {
	if (t.kind == kindText || t.kind == kindEnum) && t.attr.Stored != "" {
		return string(t.attr.Stored) + "(" + code + ")"
	}
	return code
}

// folded folds the members of a set where the attribute says so.
func (t *goType) folded(code string) string {
	if items := t.attr.Domain.Items; items != nil && items.Stored != "" {
		return fmt.Sprintf("each(%s, %s[%s])", code, items.Stored, t.elem.name)
	}
	return code
}

// text is the expression of a value as it stands in a key; f is at hand.
func (t *goType) text(code, name string) string {
	switch t.kind {
	case kindText:
		return code
	case kindEnum:
		return "string(" + code + ")"
	case kindInteger:
		return "strconv.FormatInt(" + code + ", 10)"
	case kindNumber:
		return fmt.Sprintf("f.number(%q, %s)", name, code)
	case kindBool:
		return "strconv.FormatBool(" + code + ")"
	case kindTime:
		switch t.attr.Type {
		case model.TypeEpoch:
			return fmt.Sprintf("strconv.FormatInt(f.given(%q, %s).Unix(), 10)", name, code)
		case model.TypeEpochMS:
			return fmt.Sprintf("strconv.FormatInt(f.given(%q, %s).UnixMilli(), 10)", name, code)
		}
		return fmt.Sprintf("f.time(%q, %s, %s)", name, code, timeLayout(t.attr))
	}
	return fmt.Sprintf("f.textOf(%q, %s)", name, t.written(code, name))
}
