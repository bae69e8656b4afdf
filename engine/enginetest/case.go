// Package enginetest holds conformance cases for DynamoDB: small questions with
// the exact answer that AWS gives, and the reason for it. They run against any
// endpoint that an SDK client can reach: the embedded engine in process, over
// HTTP or on disk, DynamoDB Local, other emulators, and AWS itself.
//
// A case is data. Each lives in a text file of its topic under cases/, in the
// form described at Parse; Cases returns them all and Run checks them against
// an endpoint. Where an endpoint is known to differ from AWS, the case says so
// and why (see Difference), so that a difference is never just skipped: the
// case then has to fail there, until somebody removes the note.
package enginetest

import (
	"slices"
	"strings"
)

// Kind names a sort of endpoint in the notes about known differences.
type Kind string

// The kinds of endpoint that the cases know about. Any other name is fine for an
// endpoint that has no known differences.
const (
	AWS           Kind = "aws"
	DynamoDBLocal Kind = "dynamodb-local" // version 1.25.1
	Embedded      Kind = "dynmodel"
)

// Case is one question to DynamoDB: a table, some items, and a few requests
// with their exact answers.
type Case struct {
	// Name is topic/name, unique among all cases.
	Name string
	// Operation is the API operation that the case is about.
	Operation string
	// Reason says why DynamoDB answers as it does, with the source in brackets:
	// api and guide are AWS's API reference and Developer Guide; observed was
	// seen on AWS; field was reported against other emulators by those who had
	// relied on them; witness is what DynamoDB Local or dynalite do, where nothing else
	// is known.
	Reason string
	// Tables exist, active and filled, before the first step. The first is
	// called $T in requests and answers, the next $T2, and so on.
	Tables []Table
	Steps  []Step
	// NotOn lists the endpoints known to answer otherwise.
	NotOn []Difference
}

// Table is a fixture: a schema and its items, each as DynamoDB JSON.
type Table struct {
	Schema Schema
	Items  []string
}

// Difference is an endpoint's known deviation from AWS.
type Difference struct {
	Kind   Kind
	Reason string
	// Fatal marks a case that must not even be tried, because it would crash
	// or hang that endpoint.
	Fatal bool
}

// Step is one request and the answer expected.
type Step struct {
	// Operation is an API operation, or one of the runner's own: HTTP sends a
	// request as it stands, Concurrently sends many at once, Pass lets time
	// pass, like 25h.
	Operation string
	// Request is the body: JSON, unless the case is about broken JSON.
	Request string
	// Eventually repeats the request until the answer is the expected one.
	Eventually bool
	Want       Want

	// end is the line of the case file after which a recorded answer belongs.
	end int
}

// Want is an expected answer: a JSON body, or an exception.
type Want struct {
	// Body is the answer's JSON. In an exception it holds the members besides
	// the type and the message, and is empty if they do not matter.
	Body string
	// Match says how Body is compared.
	Match Match
	// Code is the exception's short name, empty for success. AnyRefusal stands
	// for every exception that blames the request.
	Code string
	// Message is the exception's exact text. Three dots at either end stand
	// for any text; an empty message is not compared.
	Message string
}

// AnyRefusal is the Code of a request that has to be refused, no matter how.
const AnyRefusal = "*"

// Match is a way of comparing an answer with the expected one.
type Match int

// The ways of comparing. Sets (SS, NS, BS) have no order in any of them.
const (
	Exact     Match = iota
	Unordered       // lists may come in any order
	Including       // the answer may have more members, lists any order
)

// Topic is the part of the name before the slash.
func (c Case) Topic() string {
	topic, _, _ := strings.Cut(c.Name, "/")
	return topic
}

// difference returns the known difference of an endpoint, or nil.
func (c Case) difference(kind Kind) *Difference {
	for i := range c.NotOn {
		if c.NotOn[i].Kind == kind {
			return &c.NotOn[i]
		}
	}
	return nil
}

func (c Case) isAboutHTTP() bool { return c.does("HTTP") }

func (c Case) needsClock() bool { return c.does("Pass") }

func (c Case) does(operation string) bool {
	return slices.ContainsFunc(c.Steps, func(s Step) bool { return s.Operation == operation })
}
