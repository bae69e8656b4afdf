package verify

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/value"
)

// explainRead says how a failure of a read comes about. What it says is worked
// out from the keys of the items and what the requests ask of them; when
// nothing known fits it only says what happened.
func (t *trial) explainRead(f *failure) explanation {
	if f.then {
		return t.explainThen(f)
	}
	switch f.kind {
	case refused:
		return t.explainRefused(f)
	case objected:
		return t.explainObjected(f)
	case extra:
		return t.explainExtra(f)
	case missing, surplus:
		return t.explainMissing(f)
	case miscount:
		return t.explainMiscount(f)
	case lacking:
		return t.explainLacking(f)
	case disorder:
		return t.explainDisorder(f)
	case ambiguous:
		return t.explainAmbiguous(f)
	case leak:
		return t.explainLeak(f)
	}
	return explanation{}
}

// miscounting is an item that is counted and does not match, or the opposite.
type miscounting struct {
	record *record
	read   bool
}

// miscounted are the items that a wrong count comes from.
func miscounted(f *failure) []miscounting {
	var out []miscounting
	for i := range f.records {
		r := f.records[i]
		match := slices.ContainsFunc(f.culprits, r.is)
		if read := readBy(testsOf(f.requests), r.item) != nil; read != match {
			out = append(out, miscounting{r, read})
		}
	}
	return out
}

// explainMiscount explains a count by the first item it comes from.
func (t *trial) explainMiscount(f *failure) explanation {
	wrong := miscounted(f)
	if len(wrong) == 0 {
		return explanation{cause: "miscount"}
	}
	g := *f
	g.culprits = []model.Instance{wrong[0].record.in}
	if !wrong[0].read {
		return t.explainMissing(&g)
	}
	g.got = []returnedItem{{record: wrong[0].record}}
	return t.explainExtra(&g)
}

// readBy is the first key condition that an item passes, nil when it passes none.
func readBy(tests [][]keyTest, item plan.Stored) []keyTest {
	for _, all := range tests {
		if _, fails := failing(all, item); !fails {
			if all == nil {
				return []keyTest{}
			}
			return all
		}
	}
	return nil
}

// templateOf is how an entity makes a key attribute.
func (t *trial) templateOf(e *model.Entity, key string) (model.Template, bool) {
	return encode.KeyTemplate(t.model.Table, e, key)
}

// keyWith is the key attribute, of those tested, whose template holds the
// attribute, with the position of its part.
func (t *trial) keyWith(e *model.Entity, a *model.Attribute, tests []keyTest) (key keyTest, template model.Template, part int, ok bool) {
	for _, k := range tests {
		template, made := t.templateOf(e, k.attribute)
		if !made {
			continue
		}
		if i := slices.IndexFunc(template.Parts, func(p model.Part) bool { return p.Attribute == a && p.Path.Top() }); i >= 0 {
			return k, template, i, true
		}
	}
	return keyTest{}, model.Template{}, 0, false
}

// lead is the text a template begins with, before its first attribute.
func lead(t model.Template) string {
	if len(t.Parts) > 0 && t.Parts[0].Attribute == nil && t.Parts[0].Random == 0 {
		return t.Parts[0].Literal
	}
	return ""
}

// delimiter is the text that follows a part in its template: "" at the end, or
// where another attribute follows at once.
func delimiter(t model.Template, part int) string {
	if part+1 < len(t.Parts) {
		return t.Parts[part+1].Literal
	}
	return ""
}

// joint is the first place in a template where two attributes of varying width
// stand side by side, nothing in between.
func joint(t model.Template) (left, right *model.Attribute) {
	for i := 0; i+1 < len(t.Parts); i++ {
		a, b := t.Parts[i], t.Parts[i+1]
		if a.Attribute != nil && b.Attribute != nil && !fixedWidth(a) {
			return a.Attribute, b.Attribute
		}
	}
	return nil, nil
}

// fixedWidth tells whether a part always takes the same number of characters.
func fixedWidth(p model.Part) bool {
	if n := len(p.Funcs); n > 0 {
		switch p.Funcs[n-1].Name {
		case expr.Pad, expr.Invert:
			return true
		}
		return p.Funcs[n-1].Name.IsPeriod()
	}
	switch a := p.Attribute; a.Type {
	case model.TypeUUID, model.TypeUUID7, model.TypeULID, model.TypeKSUID, model.TypeDate, model.TypeMonth:
		return true
	case model.TypeDatetime:
		return sortable(a)
	}
	return false
}

// sortable tells whether the texts of a datetime are in the order of time.
func sortable(a *model.Attribute) bool {
	return a.Type != model.TypeDatetime || a.Domain.Precision != model.PrecisionVariable && !a.Domain.AnyZone
}

// plainNumber tells whether a part puts a number into a text as it is.
func plainNumber(p model.Part, template model.Template) bool {
	return p.Attribute.Type.Kind() == value.Number && template.Whole() == nil &&
		!slices.ContainsFunc(p.Funcs, func(f expr.Func) bool { return f.Name == expr.Pad || f.Name == expr.Invert })
}

// padding is the template with a part padded, as a fix.
func padding(a *model.Attribute) string {
	digits := 10
	if high := a.Domain.Max; high.Exists() && !strings.ContainsAny(high.Text(), ".-") {
		digits = len(high.Text())
	}
	return fmt.Sprintf("{%s|pad(%d)}", a.Name.Text, digits)
}

// tight is a proposal to keep a text out of an attribute.
func tight(a *model.Attribute, d string) string {
	if a.Type.Kind() == value.String && a.Type == model.TypeString {
		return fmt.Sprintf("Declare %s so that it cannot contain %q (as `slug` or `uuid`, or with a `pattern`), or let it be the last part of its key.", a.Name.Text, d)
	}
	return fmt.Sprintf("Let %s be the last part of its key, or use a delimiter that it cannot contain.", a.Name.Text)
}

func quoted(key string, template model.Template) string {
	return fmt.Sprintf("`%s: %s`", key, template.Text)
}

// lie says where the key of an item lies with regard to a test.
func lie(item plan.Stored, k keyTest) string {
	return fmt.Sprintf("%s = %s", k.attribute, shownKey(item[k.attribute]))
}
