package expr

import "strings"

// slip is a habit from another language, and how it is said here.
type slip struct {
	message, fix string
	end          int // where the offending text ends
}

// slip recognises the usual slips at the next token, which fits nothing.
func (p *parser) slip() (slip, bool) {
	t, next := p.peek(), p.peekAt(1)
	s := slip{end: t.end}
	adjacent := next.start == t.end && (next.kind == tokWord || next.kind == tokKeyword || next.kind == tokNumber)
	switch t.kind {
	case tokPunct:
		s.message, s.fix = punctSlip(t.text)
		if adjacent && strings.Contains(":#@", t.text) {
			s.end = next.end
			s.message, s.fix = placeholderSlip(t.text, p.in.Text[next.start:next.end])
		}
	case tokWord:
		s.message, s.fix = wordSlip(strings.ToUpper(t.text))
	case tokKeyword:
		if t.text == "NOT" && (next.isKeyword("IN") || next.isKeyword("BETWEEN")) {
			s.end = next.end
			s.message = "NOT stands before the whole condition"
			s.fix = "write NOT x " + next.text + " …"
		} else {
			s.message = "the keyword " + p.in.Text[t.start:t.end] + " does not fit here"
			s.fix = "an attribute of that name stands in backquotes: `" + p.in.Text[t.start:t.end] + "`"
		}
	}
	return s, s.message != ""
}

// punctSlip says what an operator of another language is called here.
func punctSlip(punct string) (message, fix string) {
	switch punct {
	case "==":
		return "== is not a comparison", "write ="
	case "!=":
		return "!= is not a comparison", "write <>"
	case "&&":
		return "&& does not join conditions", "write AND"
	case "||":
		return "|| does not join conditions", "write OR"
	case "!":
		return "! does not negate a condition", "write NOT"
	case "+=", "-=":
		return punct + " does not change an attribute", "write SET n = n " + punct[:1] + " 1"
	case "*", "/", "%":
		return "DynamoDB has no " + punct + "; it adds and subtracts", ""
	}
	return "", ""
}

// placeholderSlip is for `:name`, `#name` and `@name`.
func placeholderSlip(punct, name string) (message, fix string) {
	if punct == "#" {
		return "placeholders of names are not needed: attributes are named as they are", "write " + name
	}
	return "placeholders of values are not needed: the tool makes them", "write $" + name + " for a parameter, or the value itself"
}

// wordSlip is for operators of SQL, given in upper case.
func wordSlip(word string) (message, fix string) {
	switch word {
	case "LIKE", "ILIKE":
		return "DynamoDB has no " + word, "use begins_with(name, $prefix) or contains(name, $part)"
	case "IS":
		return "DynamoDB has no IS", "use attribute_exists(name) or attribute_not_exists(name)"
	case "XOR":
		return "DynamoDB has no XOR", "use AND, OR and NOT"
	}
	return "", ""
}
