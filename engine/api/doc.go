// Package api holds the requests and answers of DynamoDB as Go structs over
// the engine's own values, and the error they are refused with: the face of
// the engine that needs no SDK and no JSON.
//
// Names and meanings are those of the service's API reference. A pointer is a
// parameter whose absence differs from its zero value; an empty string is an
// absent enumeration.
package api
