package enginetest

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Parse reads a case file. Each line starts with a directive; an indented line
// continues the one before it; a line that starts with # is a comment.
//
//	fixture NAME         a set of tables for several cases of the file
//	case NAME            begins a case
//	why TEXT             the reason, with its source
//	operation NAME       what the case is about, if not its first request
//	not KIND REASON      a known difference of an endpoint
//	fatal KIND REASON    the same, and the case must not be tried there
//	use NAME             the tables of a fixture
//	table KEY            a table: "pk S" or "pk S, sk N"
//	gsi NAME KEY PROJ    a global index of it: "g owner S, at N INCLUDE a b";
//	                     "+" joins the attributes of a multi-attribute key
//	lsi NAME ATTR PROJ   a local index of it: "l at N KEYS_ONLY"
//	with JSON            further members of its CreateTable request
//	item JSON            an item of it
//	> OPERATION JSON     a request; TableName is $T unless it says otherwise
//	>? OPERATION JSON    a request to repeat until the answer is right
//	< JSON               its exact answer
//	<~ JSON              its answer, where lists have no order
//	<+ JSON              its answer holds at least this, lists have no order
//	! CODE: MESSAGE      the exception it gets instead; "! *" is any refusal
//	+ JSON               further members of that exception
//
// Variables and repetitions in any text are described at expand, the wildcards
// of answers at matcher.
func Parse(topic, text string) ([]Case, error) {
	p := parser{topic: topic, fixtures: map[string][]Table{}}
	for _, d := range directives(text) {
		if err := p.directive(d); err != nil {
			return nil, fmt.Errorf("%s: line %d: %s: %w", topic, d.line, d.name, err)
		}
	}
	for i := range p.cases {
		if err := p.finish(&p.cases[i]); err != nil {
			return nil, fmt.Errorf("%s: %w", p.cases[i].Name, err)
		}
	}
	return p.cases, nil
}

// directive is a logical line: its first word, the rest, and where it ends.
type directive struct {
	name, text string
	line, end  int
}

func directives(text string) []directive {
	var all []directive
	for i, line := range strings.Split(text, "\n") {
		switch trimmed := strings.TrimSpace(line); {
		case trimmed == "" || line[0] == '#':
		case (line[0] == ' ' || line[0] == '\t') && len(all) > 0:
			last := &all[len(all)-1]
			last.text = strings.TrimSpace(last.text + " " + trimmed)
			last.end = i + 1
		default:
			name, rest, _ := strings.Cut(trimmed, " ")
			all = append(all, directive{name, strings.TrimSpace(rest), i + 1, i + 1})
		}
	}
	return all
}

type parser struct {
	topic    string
	fixtures map[string][]Table
	cases    []Case
	// tables receives the table directives: the fixture's or the case's.
	tables  *[]Table
	fixture string
}

func (p *parser) directive(d directive) error {
	switch d.name {
	case "fixture":
		p.saveFixture()
		p.fixture, p.tables = d.text, &[]Table{}
		return nil
	case "case":
		p.saveFixture()
		p.cases = append(p.cases, Case{Name: p.topic + "/" + d.text})
		p.tables = &p.cases[len(p.cases)-1].Tables
		return nil
	case "table", "gsi", "lsi", "with", "item":
		return p.tableDirective(d)
	}
	if len(p.cases) == 0 || p.fixture != "" {
		return errors.New("belongs to a case")
	}
	return p.caseDirective(&p.cases[len(p.cases)-1], d)
}

func (p *parser) saveFixture() {
	if p.fixture != "" {
		p.fixtures[p.fixture] = *p.tables
		p.fixture = ""
	}
}

func (p *parser) tableDirective(d directive) error {
	if p.tables == nil {
		return errors.New("belongs to a fixture or a case")
	}
	if d.name == "table" {
		schema, err := parseSchema(d.text)
		*p.tables = append(*p.tables, Table{Schema: schema})
		return err
	}
	if len(*p.tables) == 0 {
		return errors.New("there is no table yet")
	}
	table := &(*p.tables)[len(*p.tables)-1]
	switch d.name {
	case "item":
		table.Items = append(table.Items, d.text)
		return nil
	case "with":
		table.Schema.Extra = d.text
		return nil
	}
	parseIndex := parseGlobal
	if d.name == "lsi" {
		parseIndex = parseLocal
	}
	index, err := parseIndex(d.text)
	table.Schema.Indexes = append(table.Schema.Indexes, index)
	return err
}

func (p *parser) caseDirective(c *Case, d directive) error {
	switch d.name {
	case "why":
		c.Reason = d.text
	case "operation":
		c.Operation = d.text
	case "not", "fatal":
		kind, reason, _ := strings.Cut(d.text, " ")
		c.NotOn = append(c.NotOn, Difference{Kind(kind), reason, d.name == "fatal"})
	case "use":
		tables, ok := p.fixtures[d.text]
		if !ok {
			return fmt.Errorf("no fixture %q; there are %v", d.text, slices.Sorted(maps.Keys(p.fixtures)))
		}
		for _, table := range tables { // a copy: the case may add to it
			table.Items = slices.Clone(table.Items)
			table.Schema.Indexes = slices.Clone(table.Schema.Indexes)
			c.Tables = append(c.Tables, table)
		}
	case ">", ">?":
		operation, body, _ := strings.Cut(d.text, " ")
		c.Steps = append(c.Steps, Step{Operation: operation, Request: strings.TrimSpace(body),
			Eventually: d.name == ">?", end: d.end})
	default:
		return answerDirective(c, d)
	}
	return nil
}

func answerDirective(c *Case, d directive) error {
	if len(c.Steps) == 0 {
		return errors.New("an answer without a request")
	}
	want := &c.Steps[len(c.Steps)-1].Want
	if d.name == "+" {
		if want.Code == "" {
			return errors.New("belongs after an exception")
		}
		want.Body, want.Match = d.text, Exact
		return nil
	}
	if want.Body != "" || want.Code != "" {
		return errors.New("a second answer to one request")
	}
	switch d.name {
	case "<":
		*want = Want{Body: d.text, Match: Exact}
	case "<~":
		*want = Want{Body: d.text, Match: Unordered}
	case "<+":
		*want = Want{Body: d.text, Match: Including}
	case "!":
		code, message, _ := strings.Cut(d.text, ":")
		*want = Want{Code: code, Message: strings.TrimSpace(message)}
	default:
		return errors.New("unknown directive")
	}
	return nil
}

func (p *parser) finish(c *Case) error {
	if len(c.Steps) == 0 {
		return errors.New("a case without requests")
	}
	if c.Reason == "" {
		return errors.New("a case without a reason")
	}
	if c.Operation == "" {
		c.Operation = c.Steps[0].Operation
	}
	return nil
}
