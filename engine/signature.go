package engine

import (
	"bytes"
	"net/http"
	"net/url"
	"strings"

	"github.com/dynmodel/dynmodel/engine/api"
)

// Whether a request is signed at all, and in the form of a signature, is checked
// in the words of the service; not by whom, since there is nobody to ask.

const (
	signatureScheme = "AWS4-"
	queryAlgorithm  = "X-Amz-Algorithm"
)

// signatureParameters are those that a signature has to have.
var signatureParameters = [...]string{"Credential", "Signature", "SignedHeaders"}

// checkSigned asks for a signature, in the header or in the query of the URL.
func checkSigned(r *http.Request) error {
	a, inHeader := r.Header["Authorization"]
	query := r.URL.Query()
	switch inQuery := query.Has(queryAlgorithm); {
	case inHeader && inQuery:
		return api.Errorf(api.InvalidSignature, "Found both '%s' as a query-string param and 'Authorization' as HTTP header.", queryAlgorithm)
	case inQuery:
		return checkQuerySignature(query)
	case !inHeader || !strings.HasPrefix(a[0], signatureScheme):
		return api.Errorf(api.MissingAuthenticationToken, "Request is missing Authentication Token")
	}
	return checkHeaderSignature(a[0], r.Header)
}

func checkQuerySignature(query url.Values) error {
	var faults []string
	for _, name := range []string{queryAlgorithm, "X-Amz-Credential", "X-Amz-Signature", "X-Amz-SignedHeaders", "X-Amz-Date"} {
		if query.Get(name) == "" {
			faults = append(faults, "AWS query-string parameters must include '"+name+"'.")
		}
	}
	if faults == nil {
		return nil
	}
	return api.Errorf(api.IncompleteSignature, "%s Re-examine the query-string parameters.", strings.Join(faults, " "))
}

func checkHeaderSignature(signature string, h http.Header) error {
	var faults []string
	for _, name := range signatureParameters {
		if !hasParameter([]byte(signature), name) {
			faults = append(faults, "Authorization header requires '"+name+"' parameter.")
		}
	}
	if h["X-Amz-Date"] == nil && h["Date"] == nil {
		faults = append(faults, "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header.")
	}
	if faults == nil {
		return nil
	}
	return api.Errorf(api.IncompleteSignature, "%s Authorization=%s", strings.Join(faults, " "), signature)
}

// IsSignature reports whether text is a whole signature, as the header
// Authorization has it.
func IsSignature(text []byte) bool {
	if !bytes.HasPrefix(text, []byte(signatureScheme)) {
		return false
	}
	for _, name := range signatureParameters {
		if !hasParameter(text, name) {
			return false
		}
	}
	return true
}

// hasParameter reports whether a signature has a parameter that is not empty.
func hasParameter(signature []byte, name string) bool {
	for rest := signature; ; {
		at := bytes.Index(rest, []byte(name))
		if at < 0 {
			return false
		}
		rest = rest[at+len(name):]
		if len(rest) > 1 && rest[0] == '=' && rest[1] != ',' && rest[1] != ' ' {
			return true
		}
	}
}
