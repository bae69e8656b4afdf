package request

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/value"
)

// PartiQL is a request as statements, one for each item that it writes or reads
// by key; those of a batch or transaction go into BatchExecuteStatement and
// ExecuteTransaction. The error says what PartiQL cannot say of it.
func PartiQL(t *model.Table, r plan.Request) (statements []string, err error) {
	if hasBinary(r) {
		return nil, errors.New("it writes no binary values; they come as parameters")
	}
	if len(r.Actions) == 0 {
		s, err := statement(t, r)
		if err != nil {
			return nil, err
		}
		return []string{s}, nil
	}
	for _, a := range r.Actions {
		if a.Projection == "" {
			a.Projection, a.Names = r.Projection, merged(a.Names, r.Names)
		}
		s, err := statement(t, a)
		if err != nil {
			return nil, err
		}
		statements = append(statements, s)
	}
	return statements, nil
}

// hasBinary tells whether a request holds binary values.
func hasBinary(r plan.Request) bool {
	for _, item := range []plan.Stored{r.Key, r.Item, r.Values} {
		for _, v := range item {
			if v.Kind() == value.Binary || v.Kind() == value.BinarySet {
				return true
			}
		}
	}
	return slices.ContainsFunc(r.Actions, hasBinary)
}

func merged(a, b map[string]string) map[string]string {
	out := maps.Clone(b)
	if out == nil {
		out = map[string]string{}
	}
	maps.Copy(out, a)
	return out
}

func statement(t *model.Table, r plan.Request) (string, error) {
	from := quoted(t.Name.Text)
	if r.Index != "" {
		from += "." + quoted(r.Index)
	}
	switch r.API {
	case plan.ExecuteStatement:
		return r.Statement, nil
	case plan.GetItem:
		return fmt.Sprintf("SELECT %s FROM %s WHERE %s", projection(r), from, keyText(t, r.Key)), nil
	case plan.Query, plan.Scan:
		return selection(t, r, from)
	case plan.PutItem:
		return insertion(t, r, from)
	case plan.UpdateItem:
		return change(t, r, from)
	case plan.DeleteItem:
		return "DELETE FROM " + from + " WHERE " + keyText(t, r.Key) + and(r), nil
	}
	return fmt.Sprintf("EXISTS(SELECT * FROM %s WHERE %s%s)", from, keyText(t, r.Key), and(r)), nil
}

// projection are the attributes asked for.
func projection(r plan.Request) string {
	if r.Projection == "" {
		return "*"
	}
	return filled(r, r.Projection)
}

func selection(t *model.Table, r plan.Request, from string) (string, error) {
	if r.Select == "COUNT" {
		return "", errors.New("it counts nothing that it does not also give to the caller")
	}
	out := fmt.Sprintf("SELECT %s FROM %s", projection(r), from)
	var where []string
	for _, text := range []string{r.KeyCondition, r.Filter} {
		if text != "" {
			where = append(where, filled(r, text))
		}
	}
	if len(where) == 2 && strings.Contains(where[1], " OR ") {
		where[1] = "(" + where[1] + ")"
	}
	if len(where) > 0 {
		out += " WHERE " + strings.Join(where, " AND ")
	}
	if r.Descending {
		keys := t.Keys()[1:]
		if x := t.Index(r.Index); x != nil {
			keys = x.SortKey
		}
		var order []string
		for _, k := range keys {
			order = append(order, quoted(k.Name)+" DESC")
		}
		out += " ORDER BY " + strings.Join(order, ", ")
	}
	return out, nil
}

// insertion is a put: INSERT fails where the item exists, which is what a put on
// that condition does, and no other.
func insertion(t *model.Table, r plan.Request, from string) (string, error) {
	if filled(r, r.Condition) != quoted(t.PartitionKey.Name)+" IS MISSING" {
		return "", errors.New("its INSERT fails where the item exists, and has no other condition")
	}
	return fmt.Sprintf("INSERT INTO %s VALUE %s", from, literalMap(r.Item)), nil
}

// change is an update: PartiQL's fails where the item does not exist.
func change(t *model.Table, r plan.Request, from string) (string, error) {
	if strings.Contains(r.Update, "if_not_exists(") {
		return "", errors.New("it has no if_not_exists")
	}
	out := "UPDATE " + from
	for _, section := range sections(r.Update) {
		verb, rest, _ := strings.Cut(section, " ")
		if verb == "ADD" || verb == "DELETE" {
			return "", fmt.Errorf("it has no %s for what may not be there yet", verb)
		}
		for _, action := range topLevel(rest) {
			out += fmt.Sprintf(" %s %s", verb, filled(r, action))
		}
	}
	if out == "UPDATE "+from {
		return "", errors.New("its UPDATE changes at least one attribute")
	}
	return out + " WHERE " + keyText(t, r.Key) + and(r), nil
}

var sectionWord = regexp.MustCompile(`\b(SET|REMOVE|ADD|DELETE) `)

// sections are the sections of an update expression, each with its word.
func sections(update string) (out []string) {
	starts := sectionWord.FindAllStringIndex(update, -1)
	for i, s := range starts {
		end := len(update)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		out = append(out, strings.TrimSpace(update[s[0]:end]))
	}
	return out
}

// topLevel splits a list at the commas that stand in no parentheses.
func topLevel(list string) (out []string) {
	depth, start := 0, 0
	for i, r := range list {
		switch r {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth == 0 {
				out = append(out, strings.TrimSpace(list[start:i]))
				start = i + 1
			}
		}
	}
	return append(out, strings.TrimSpace(list[start:]))
}

// and is the condition of a request as it follows the key.
func and(r plan.Request) string {
	if r.Condition == "" {
		return ""
	}
	text := filled(r, r.Condition)
	if strings.Contains(text, " OR ") {
		text = "(" + text + ")"
	}
	return " AND " + text
}

func keyText(t *model.Table, key plan.Stored) string {
	var out []string
	for _, k := range t.Keys() {
		out = append(out, quoted(k.Name)+" = "+literal(key[k.Name]))
	}
	return strings.Join(out, " AND ")
}

var (
	placeholder = regexp.MustCompile(`[#:][A-Za-z0-9_]+`)
	existence   = regexp.MustCompile(`attribute_(not_)?exists ?\(([^()]*)\)`)
	membership  = regexp.MustCompile(` IN \(([^()]*)\)`)
)

// filled is an expression in PartiQL's words, with names and values in place of
// placeholders.
func filled(r plan.Request, expression string) string {
	expression = existence.ReplaceAllStringFunc(expression, func(call string) string {
		parts := existence.FindStringSubmatch(call)
		if parts[1] != "" {
			return parts[2] + " IS MISSING"
		}
		return parts[2] + " IS NOT MISSING"
	})
	expression = membership.ReplaceAllString(expression, " IN [$1]")
	return placeholder.ReplaceAllStringFunc(expression, func(p string) string {
		if p[0] == '#' {
			return quoted(r.Names[p])
		}
		return literal(r.Values[p])
	})
}

// quoted is a name.
func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// literal is a value as PartiQL writes it.
func literal(v value.Value) string {
	switch v.Kind() {
	case value.String:
		return "'" + strings.ReplaceAll(v.Text(), "'", "''") + "'"
	case value.Number:
		return v.Text()
	case value.Bool:
		return fmt.Sprint(v.Truth())
	case value.List:
		return "[" + literals(v.Items()) + "]"
	case value.Map:
		item := plan.Stored{}
		for _, f := range v.Fields() {
			item[f.Name] = f.Value
		}
		return literalMap(item)
	case value.StringSet, value.NumberSet:
		return "<<" + literals(v.Items()) + ">>"
	}
	return "null"
}

func literals(all []value.Value) string {
	var out []string
	for _, v := range all {
		out = append(out, literal(v))
	}
	return strings.Join(out, ", ")
}

func literalMap(item plan.Stored) string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(item)) {
		out = append(out, "'"+strings.ReplaceAll(name, "'", "''")+"': "+literal(item[name]))
	}
	return "{" + strings.Join(out, ", ") + "}"
}
