package golang

import (
	"fmt"
	"strconv"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

// val is a Go expression that has a value of the model. Where it is made into a
// text or an attribute value, a fault named f is at hand.
type val struct {
	code string
	name string // the attribute or parameter it is of, for messages
	typ  *goType
	// raw tells that the code is an attribute value as it is stored, of the type
	// typ.attr when it has one, and nil when it is absent.
	raw bool
	// literal is the value of one that is written in the model; code is not set then.
	literal value.Value
}

func rawVal(code, name string, a *model.Attribute) val {
	return val{code: code, name: name, raw: true, typ: &goType{kind: kindAny, name: "types.AttributeValue", attr: a}}
}

func literalVal(v value.Value) val { return val{literal: v, name: "the literal"} }

// textVal is a text that is of a type, for the functions that are applied to it.
func textVal(code, name string, t model.Type) val {
	return val{code: code, name: name, typ: &goType{kind: kindText, name: "string", attr: &model.Attribute{Type: t}}}
}

// text is the expression of the value as it stands in a key.
func (v val) text() string {
	switch {
	case v.literal.Exists():
		return strconv.Quote(literalText(v.literal))
	case v.raw:
		return fmt.Sprintf("f.textOf(%q, %s)", v.name, v.code)
	}
	return v.typ.text(v.code, v.name)
}

func literalText(v value.Value) string {
	if v.Kind() == value.Bool {
		return strconv.FormatBool(v.Truth())
	}
	return v.Text()
}

// written is the expression of the attribute value.
func (v val) written() string {
	switch {
	case v.literal.Exists():
		return literalCode(v.literal)
	case v.raw:
		return v.code
	case v.typ.kind == kindText && v.typ.attr.Type == model.TypeInteger: // a shard
		return "num(" + v.code + ")"
	}
	return v.typ.written(v.code, v.name)
}

// literalCode is a literal as an attribute value.
func literalCode(v value.Value) string {
	members := func() string {
		out := ""
		for i, m := range v.Items() {
			if i > 0 {
				out += ", "
			}
			switch v.Kind() {
			case value.List:
				out += literalCode(m)
			case value.BinarySet:
				out += fmt.Sprintf("[]byte(%q)", m.Text())
			default:
				out += strconv.Quote(m.Text())
			}
		}
		return out
	}
	switch v.Kind() {
	case value.Number:
		return fmt.Sprintf("num(%q)", v.Text())
	case value.Binary:
		return fmt.Sprintf("bin([]byte(%q))", v.Text())
	case value.Bool:
		return fmt.Sprintf("boolean(%t)", v.Truth())
	case value.Null:
		return "null()"
	case value.List:
		return "types.AttributeValue(&types.AttributeValueMemberL{Value: []types.AttributeValue{" + members() + "}})"
	case value.StringSet:
		return "strSet([]string{" + members() + "})"
	case value.NumberSet:
		return "types.AttributeValue(&types.AttributeValueMemberNS{Value: []string{" + members() + "}})"
	case value.BinarySet:
		return "binSet([][]byte{" + members() + "})"
	case value.Map:
		out := ""
		for _, f := range v.Fields() {
			out += strconv.Quote(f.Name) + ": " + literalCode(f.Value) + ", "
		}
		return "types.AttributeValue(&types.AttributeValueMemberM{Value: stored{" + out + "}})"
	}
	return fmt.Sprintf("str(%q)", v.Text())
}

// attr is the definition of what the value is of, nil when there is none.
func (v val) attr() *model.Attribute {
	if v.typ == nil {
		return nil
	}
	return v.typ.attr
}

// number is the value as a Number.
func (v val) number() string {
	switch {
	case v.literal.Exists():
		return fmt.Sprintf("Number(%q)", v.literal.Text())
	case v.raw:
		return fmt.Sprintf("f.numberOf(%q, %s)", v.name, v.code)
	case v.typ.kind == kindNumber:
		return v.code
	}
	return "Number(" + v.text() + ")"
}

// integer is the value as an int64.
func (v val) integer() string {
	switch {
	case v.literal.Exists():
		if _, whole := v.literal.Int(); whole {
			return "int64(" + v.literal.Text() + ")"
		}
	case !v.raw && v.typ.kind == kindInteger:
		return v.code
	}
	return fmt.Sprintf("f.whole(%q, %s)", v.name, v.number())
}

// moment is the value as a time.Time: a time, or that in an identifier which
// begins with one.
func (v val) moment() string {
	if !v.literal.Exists() && !v.raw && v.typ.kind == kindTime {
		return v.code
	}
	t := model.TypeDatetime
	if a := v.attr(); a != nil && a.Type.HasTime() {
		t = a.Type
	}
	switch t {
	case model.TypeULID:
		return fmt.Sprintf("f.ulidTime(%q, %s)", v.name, v.text())
	case model.TypeKSUID:
		return fmt.Sprintf("f.ksuidTime(%q, %s)", v.name, v.text())
	case model.TypeUUID7:
		return fmt.Sprintf("f.uuid7Time(%q, %s)", v.name, v.text())
	case model.TypeEpoch:
		return fmt.Sprintf("time.Unix(%s, 0)", v.integer())
	case model.TypeEpochMS:
		return fmt.Sprintf("time.UnixMilli(%s)", v.integer())
	}
	return fmt.Sprintf("f.read(%q, %s)", v.name, v.text())
}

// through is the value seen through template functions. Seeking tells that it is
// made to look for keys, not to store one.
func (v val) through(funcs []expr.Func, seeking bool) val {
	for _, f := range funcs {
		v = v.apply(f, seeking)
	}
	return v
}

func (v val) apply(f expr.Func, seeking bool) val {
	switch f.Name {
	case expr.Lower, expr.Upper:
		t := model.TypeString
		if a := v.attr(); a != nil {
			t = a.Type
		}
		return textVal(fmt.Sprintf("%s(%s)", f.Name, v.text()), v.name, t)
	case expr.Prefix:
		return textVal(fmt.Sprintf("prefix(%s, %d)", v.text(), f.N), v.name, model.TypeString)
	case expr.Pad, expr.Invert:
		return textVal(v.digits(f, seeking), v.name, model.TypeString)
	case expr.Shard:
		return textVal(fmt.Sprintf("shard(%s, %d)", v.text(), f.N), v.name, model.TypeInteger)
	case expr.Bucket:
		return textVal(fmt.Sprintf("bucket(%s, %d)", v.moment(), f.N), v.name, model.TypeString)
	}
	after := model.TypeString
	switch f.Name {
	case expr.Month:
		after = model.TypeMonth
	case expr.Day:
		after = model.TypeDate
	}
	return textVal(fmt.Sprintf("%s(%s)", f.Name, v.moment()), v.name, after)
}

// digits is a number of so many digits.
func (v val) digits(f expr.Func, seeking bool) string {
	if !seeking && !v.raw && v.typ != nil && v.typ.kind == kindInteger {
		return fmt.Sprintf("f.%s(%q, %s, %d)", f.Name, v.name, v.code, f.N)
	}
	verb := "digits"
	if seeking {
		verb = "within"
	}
	out := fmt.Sprintf("f.%s(%q, %s, %d)", verb, v.name, v.text(), f.N)
	if f.Name == expr.Invert {
		return "inverted(" + out + ")"
	}
	return out
}

// folded is the value as an attribute stores it.
func (v val) folded(a *model.Attribute) val {
	if a == nil || a.Stored == "" {
		return v
	}
	switch {
	case v.literal.Kind() == value.String, !v.raw && v.typ != nil && (v.typ.kind == kindText || v.typ.kind == kindEnum):
		return v.apply(expr.Func{Name: a.Stored}, false)
	}
	return v
}

// as is the value as a Go value of a type.
func (v val) as(t *goType) (string, error) {
	switch {
	case !v.literal.Exists() && !v.raw && v.typ.same(t):
		return v.code, nil
	case v.literal.Exists():
		return literalAs(v.literal, t)
	}
	switch t.kind {
	case kindText:
		return v.text(), nil
	case kindEnum:
		return t.name + "(" + v.text() + ")", nil
	case kindInteger:
		return v.integer(), nil
	case kindNumber:
		return v.number(), nil
	case kindTime:
		return v.moment(), nil
	case kindAny:
		return v.written(), nil
	}
	return "", fmt.Errorf("%s cannot be made into a %s", v.name, t.name)
}

// literalAs is a literal as a Go value of a type.
func literalAs(v value.Value, t *goType) (string, error) {
	switch {
	case t.kind == kindEnum && v.Kind() == value.String:
		for _, c := range t.enum.constants {
			if c.value == v.Text() {
				return c.name, nil
			}
		}
		return fmt.Sprintf("%s(%q)", t.name, v.Text()), nil
	case t.kind == kindText && v.Kind() == value.String:
		return strconv.Quote(v.Text()), nil
	case t.kind == kindInteger && v.Kind() == value.Number:
		if _, whole := v.Int(); whole {
			return v.Text(), nil
		}
	case t.kind == kindNumber && v.Kind() == value.Number:
		return fmt.Sprintf("Number(%q)", v.Text()), nil
	case t.kind == kindBool && v.Kind() == value.Bool:
		return strconv.FormatBool(v.Truth()), nil
	case t.kind == kindBytes && v.Kind() == value.Binary:
		return fmt.Sprintf("[]byte(%q)", v.Text()), nil
	case t.kind == kindTime:
		return val{literal: v, name: "the literal", typ: t}.moment(), nil
	case t.kind == kindObject && v.Kind() == value.Map:
		return fieldsLiteral(t.name, t.obj.fields, v.Field)
	case t.kind == kindBytesSet && v.Kind() == value.BinarySet, t.kind == kindValues && v.Kind() == value.List:
		return membersLiteral(v, t)
	case t.kind == kindAny:
		return literalCode(v), nil
	case t.kind == kindTextSet && v.Kind() == value.StringSet, t.kind == kindList && v.Kind() == value.List, t.kind == kindNumberSet && v.Kind() == value.NumberSet:
		return membersLiteral(v, t)
	case t.kind == kindValueMap && v.Kind() == value.Map:
		out := "map[string]types.AttributeValue{"
		for _, f := range v.Fields() {
			out += strconv.Quote(f.Name) + ": " + literalCode(f.Value) + ", "
		}
		return out + "}", nil
	case t.kind == kindMap && v.Kind() == value.Map:
		out := t.name + "{"
		for _, f := range v.Fields() {
			code, err := literalAs(f.Value, t.elem)
			if err != nil {
				return "", err
			}
			out += strconv.Quote(f.Name) + ": " + code + ", "
		}
		return out + "}", nil
	}
	return "", fmt.Errorf("the literal %s cannot be made into a %s", v, t.name)
}

// membersLiteral is a list or set as a Go slice.
func membersLiteral(v value.Value, t *goType) (string, error) {
	out := t.name + "{"
	for _, m := range v.Items() {
		code := literalCode(m)
		switch {
		case t.kind == kindBytesSet:
			code = fmt.Sprintf("[]byte(%q)", m.Text())
		case t.elem != nil:
			var err error
			if code, err = literalAs(m, t.elem); err != nil {
				return "", err
			}
		}
		out += code + ", "
	}
	return out + "}", nil
}
