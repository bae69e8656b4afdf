package expr

import (
	"strconv"
	"strings"
	"time"
)

// maxNumber is the largest number a template function takes. Pad and invert
// make digits, of which DynamoDB's numbers have 38; a prefix lies within a
// partition key's 2048 bytes; every shard is a request of its own.
func (n FuncName) maxNumber() int {
	switch n {
	case Pad, Invert:
		return 38
	case Prefix:
		return 2048
	case Shard:
		return maxShards
	case Bucket:
		return maxBucket
	}
	return 0
}

// maxBucket bounds bucket(n), in minutes: a year.
const maxBucket = 366 * 24 * 60

// maxShards bounds shard(n) and random(n), since a read asks for each of them.
const maxShards = 10_000

// TakesNumber tells whether the function is written with a number: pad(3).
func (n FuncName) TakesNumber() bool { return n.maxNumber() > 0 }

// numberWanted asks for the number that the function takes, before an example.
func (n FuncName) numberWanted() string {
	if n == Bucket {
		return "a length of time, as in "
	}
	return "a number, as in "
}

// sample is a number for examples.
func (n FuncName) sample() string {
	if n == Bucket {
		return "15m"
	}
	return "3"
}

// IsTemplate tells whether it is a function of templates, which the tool
// computes; DynamoDB computes the others.
func (n FuncName) IsTemplate() bool {
	switch n {
	case Lower, Upper, Pad, Invert, Prefix, Shard:
		return true
	}
	return n.IsPeriod()
}

// isValueFunc tells DynamoDB's own functions that have a value.
func isValueFunc(n FuncName) bool { return n == Size || n == IfNotExists || n == ListAppend }

// call reads a function of operands. One that takes a number is called with it
// last: pad(line, 3).
func (p *parser) call() Operand {
	name := p.take()
	f := Func{Name: FuncName(name.text)}
	p.take() // the bracket
	switch {
	case f.Name.IsTemplate():
		arg := p.operand()
		if f.Name.TakesNumber() {
			p.expect(",", "and "+f.Name.numberWanted()+name.text+"(name, "+f.Name.sample()+")")
			f.N = p.funcNumber(f.Name)
		}
		p.expect(")", "at the end of "+name.text+"(…)")
		return &Call{At: p.span(name.start), Func: f, Args: []Operand{arg}}
	case isValueFunc(f.Name):
		call := &Call{Func: f, Args: p.operands(name.text + "(…)")}
		call.At = p.span(name.start)
		p.checkCall(call)
		return call
	}
	p.unknownFunc(name)
	return nil
}

// funcNumber reads the number a template function takes.
func (p *parser) funcNumber(f FuncName) int {
	if f == Bucket {
		return p.minutes()
	}
	return p.numberUpTo(string(f), f.maxNumber())
}

// minutes reads the length of a bucket.
func (p *parser) minutes() int {
	t := p.peek()
	if t.kind == tokDuration {
		d, ok := p.duration().(*Duration)
		if ok && d.Length > 0 && d.Length%time.Minute == 0 && d.Length <= maxBucket*time.Minute {
			return int(d.Length / time.Minute)
		}
	}
	p.failAt(t, "", "bucket takes a length of time in whole minutes, such as 15m or 6h, up to 366d")
	return 0
}

func (p *parser) numberUpTo(name string, limit int) int {
	t := p.peek()
	n, err := strconv.Atoi(t.text)
	if t.kind != tokNumber || err != nil || n < 1 || n > limit {
		p.failAt(t, "", "%s takes a whole number from 1 to %d", name, limit)
		return 0
	}
	p.take()
	return n
}

// checkCall checks what DynamoDB demands of its functions' operands.
func (p *parser) checkCall(c *Call) {
	if p.problem != nil {
		return
	}
	if c.Func.Name != Size && !p.inSet {
		p.failSpan(c.At, "", "%s stands in SET only", c.Func.Name)
		return
	}
	wanted := 2
	if c.Func.Name == Size {
		wanted = 1
	}
	if len(c.Args) != wanted {
		p.failSpan(c.At, "", "%s takes %s, not %d", c.Func.Name, countOf(wanted, "operand"), len(c.Args))
		return
	}
	if _, ok := c.Args[0].(*Attr); !ok && c.Func.Name == IfNotExists {
		p.failSpan(c.Args[0].Span(), "", "if_not_exists asks about an attribute")
	}
}

// unknownFunc reports a function that has no value, with the one meant.
func (p *parser) unknownFunc(name token) {
	lower := strings.ToLower(name.text)
	switch {
	case isTest(name):
		p.failAt(name, "join conditions with AND and OR", "%s is a condition and has no value", name.text)
	case isTest(token{kind: tokWord, text: lower}), FuncName(lower).IsTemplate(), isValueFunc(FuncName(lower)):
		p.failAt(name, "write "+lower, "functions are written in lower case")
	default:
		p.failAt(name, meantFunc(lower), "there is no function %s", clip(name.text))
	}
}

// meantFunc says how functions of other languages are written here.
func meantFunc(lower string) string {
	switch lower {
	case "now":
		return "the current time is $now"
	case "random":
		return "random(n) stands in templates only"
	case "starts_with", "startswith", "beginswith":
		return "write begins_with(name, $prefix)"
	case "length", "len":
		return "write size(name)"
	case "exists":
		return "write attribute_exists(name)"
	case "not_exists", "missing":
		return "write attribute_not_exists(name)"
	}
	return "there are attribute_exists, attribute_not_exists, attribute_type, begins_with, contains, size, and in SET if_not_exists and " +
		"list_append; of templates lower, upper, pad, invert, year, month, week, day, hour, minute, bucket, prefix and shard"
}

// countOf writes a number and what is counted.
func countOf(n int, what string) string {
	if n == 1 {
		return "one " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}
