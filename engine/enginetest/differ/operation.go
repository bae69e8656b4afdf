package differ

import "strings"

// Operation is a request to both endpoints. Its body names the table $T.
type Operation struct {
	Name, Body string
	// AnyOrder says that the items of the answer come in no order.
	AnyOrder bool
	// AllPages reads on to the last page before answers are compared,
	// because where a page ends is not defined.
	AllPages bool
	// Spoiled says that something in the body is not what it should be.
	Spoiled bool
}

func (o Operation) writes() bool {
	switch o.Name {
	case "GetItem", "BatchGetItem", "TransactGetItems", "Query", "Scan":
		return false
	case "ExecuteStatement":
		return !o.asks("Statement", "SELECT")
	}
	return true
}

// asks reports whether the body has the parameter, with one of the values.
func (o Operation) asks(parameter string, values ...string) bool {
	_, rest, found := strings.Cut(o.Body, `"`+parameter+`":`)
	if !found || len(values) == 0 {
		return found
	}
	for _, value := range values {
		if strings.HasPrefix(rest, `"`+value) {
			return true
		}
	}
	return false
}
