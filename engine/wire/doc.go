// Package wire reads requests and writes answers in the protocol of DynamoDB:
// JSON 1.0 over HTTP. It knows what they look like, not what they mean.
//
// Item operations are read in one pass over the text, straight into the
// structs of package api; nothing is built that the engine does not keep.
// Control operations, where speed does not matter, go through encoding/json.
package wire
