package engine

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dynmodel/dynmodel/engine/api"
)

// The first checks of every request: the constraints that the service model
// puts on members. They come before anything that needs a table.

// checkName checks the name of an index, or of whatever else is named like one.
func checkName(member, name string) error {
	var pattern, length error
	if !inNamePattern(name) {
		pattern = api.Constraint(name, member, "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+")
	}
	switch {
	case len(name) < 3:
		length = api.Constraint(name, member, "Member must have length greater than or equal to 3")
	case len(name) > 255:
		length = api.Constraint(name, member, "Member must have length less than or equal to 255")
	}
	return api.First(pattern, length)
}

// requiredName checks a name that has to be there.
func requiredName(member string, name *string) error {
	if name == nil {
		return api.Required(member)
	}
	return checkName(member, *name)
}

// checkIndexName checks the name of an index, which has to be there.
func checkIndexName(member, name string) error {
	if name == "" {
		return api.Required(member)
	}
	return checkName(member, name)
}

// checkTableName checks what the service asks of the TableName of operations on
// tables before it looks at any other member.
func checkTableName(name *string) error {
	switch {
	case name == nil:
		return api.Invalid("The parameter 'TableName' is required but was not present in the request")
	case !isARN(*name) && (len(*name) < 3 || len(*name) > 255):
		return api.Invalid("TableName must be at least 3 characters long and at most 255 characters long")
	}
	return nil
}

// isARN reports whether a table is given by its ARN.
func isARN(name string) bool { return strings.HasPrefix(name, "arn:") && len(name) <= 1024 }

func inNamePattern(name string) bool {
	for _, c := range []byte(name) {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '.' || c == '-') {
			return false
		}
	}
	return name != ""
}

// tableName checks the name of a table that should be there; member is its
// place in the request.
func tableName(member string, name *string) error {
	switch {
	case name == nil:
		return api.Required(member)
	case isARN(*name) && !isTableARN(*name):
		return errTableARN(*name)
	case isARN(*name):
		return nil
	}
	return checkName(member, *name)
}

// oneOf checks an enumeration; values are in the order of the service's own
// message.
func oneOf(member, value string, values ...string) error {
	if value == "" || slices.Contains(values, value) {
		return nil
	}
	if value == api.Blank {
		value = ""
	}
	return api.Constraint(value, member, "Member must satisfy enum value set: ["+strings.Join(values, ", ")+"]")
}

func atLeast(member string, value *int64, least int64) error {
	if value != nil && *value < least {
		return api.Constraint(strconv.FormatInt(*value, 10), member, "Member must have value greater than or equal to "+strconv.FormatInt(least, 10))
	}
	return nil
}

func atMost(member string, value *int64, most int64) error {
	if value != nil && *value > most {
		return api.Constraint(strconv.FormatInt(*value, 10), member, "Member must have value less than or equal to "+strconv.FormatInt(most, 10))
	}
	return nil
}

// notNull checks that a required member is there.
func notNull[T any](member string, value *T) error {
	if value == nil {
		return api.Required(member)
	}
	return nil
}

// checkLength checks the length of a text or a list that is given; show is how the
// service writes it.
func checkLength(member, show string, length, least, most int) error {
	switch {
	case length < least:
		return api.Constraint(show, member, "Member must have length greater than or equal to "+strconv.Itoa(least))
	case length > most:
		return api.Constraint(show, member, "Member must have length less than or equal to "+strconv.Itoa(most))
	}
	return nil
}

// checkText checks a text that has to be there.
func checkText(member string, text *string, least, most int) error {
	if text == nil {
		return api.Required(member)
	}
	return checkLength(member, *text, len(*text), least, most)
}

// checkCount checks the number of elements of a list of structures.
func checkCount(member, shape string, n, most int) error {
	if n > 0 && n <= most {
		return nil
	}
	return checkLength(member, elementsOf(shape, n), n, 1, most)
}

// elementsOf is how the service, a Java program, writes a list of n structures.
// It writes all of them, and so does this for as many as any limit allows, with
// one to spare.
func elementsOf(shape string, n int) string {
	const most = 101
	list := make([]string, min(n, most))
	for i := range list {
		list[i] = elementOf(shape, i)
	}
	if n > most {
		list = append(list, "...")
	}
	return "[" + strings.Join(list, ", ") + "]"
}

// elementOf is how such a list has the structure with number i: the number
// behind the sign means nothing.
func elementOf(shape string, i int) string {
	return fmt.Sprintf("com.amazonaws.dynamodb.v20120810.%s@%x", shape, 0x1000+i)
}

// checkARN checks the ARN of a backup, export, import or stream, which has to be
// there.
func checkARN(member string, arn *string) error { return checkText(member, arn, 37, 1024) }

// optional checks a text that need not be there.
func optional(text *string, check func(text *string) error) error {
	if text == nil {
		return nil
	}
	return check(text)
}

// first returns the first error.
func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func checkReturnConsumedCapacity(value string) error {
	return oneOf("returnConsumedCapacity", value, "INDEXES", "TOTAL", "NONE")
}

func checkReturnMetrics(value string) error {
	return oneOf("returnItemCollectionMetrics", value, "SIZE", "NONE")
}

func checkReport(r api.Report) error {
	return api.First(
		checkReturnConsumedCapacity(r.ReturnConsumedCapacity),
		checkReturnMetrics(r.ReturnItemCollectionMetrics))
}

func checkConditionalOperator(value string) error {
	return oneOf("conditionalOperator", value, "OR", "AND")
}

func checkReturnOnFailure(member, value string) error {
	return oneOf(member, value, "ALL_OLD", "NONE")
}
