package wire

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/dynmodel/dynmodel/engine/api"
)

// ReadControl reads the request of a control operation into a struct of
// package api.
func ReadControl[In any](body []byte) (*In, error) {
	in := new(In)
	err := json.Unmarshal(body, in)
	var mismatch *json.UnmarshalTypeError
	switch {
	case err == nil:
		return in, nil
	case errors.As(err, &mismatch):
		return nil, api.Errorf(api.Serialization, "%s", mismatchText(mismatch))
	}
	return nil, api.Errorf(api.Serialization, "%s", err)
}

// mismatchText says in the service's words that JSON of one kind stands where
// another is expected.
func mismatchText(err *json.UnmarshalTypeError) string {
	kind, _, _ := strings.Cut(err.Value, " ")
	switch kind {
	case "array":
		return "Start of list found where not expected"
	case "object":
		return "Start of structure or map found where not expected"
	}
	token := map[string]string{"number": "NUMBER_VALUE", "string": "STRING_VALUE", "bool": "TRUE_VALUE"}[kind]
	switch err.Type.Kind().String() {
	case "string":
		return token + " cannot be converted to String"
	case "bool":
		return token + " cannot be converted to Boolean"
	case "int64":
		return token + " cannot be converted to Long"
	}
	return "Unexpected field type"
}

// AppendControl appends the answer of a control operation.
func AppendControl(dst []byte, out any) ([]byte, error) {
	text, err := json.Marshal(out)
	return append(dst, text...), err
}
