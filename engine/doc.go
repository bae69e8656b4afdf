// Package engine is a DynamoDB that runs inside a Go process: for tests, and
// as an endpoint for any SDK.
//
//	db := engine.New()
//	defer db.Close()
//	client := db.Client()                       // *dynamodb.Client, no socket in between
//	http.ListenAndServe("127.0.0.1:8000", db)   // or over HTTP
//
// Package engine/endpoint serves a DB for less than net/http costs. [Open] keeps
// data in a folder. [WithFaults] makes a DB throttle, lag and leave things undone
// as the service does on a bad day.
//
// Limits, messages, the order of checks, consumed capacity and the order of
// results are those of the service, as far as they are documented or have been
// observed.
//
// # Inside
//
// A [DB] holds tables; each has a schema that never changes but is replaced.
// Items live in spaces of a store in key order: those of a table under a hash
// of their partition key and the key itself, the entries of an index likewise
// under the keys of the index and then of the table. So a Query is a range of
// keys, a Scan goes in the order of hashes, and a segment of a parallel Scan is
// a range of hashes.
//
// Writers lock the tables they write to, in the order of their names, decide,
// and apply one batch to the store. Readers take a snapshot and wait for no
// writer's decisions, at most for one batch to be applied. A transaction claims
// its items before it waits for anything, and who meets it is refused.
//
// What a DB knows beside items is in records of a catalogue, in a space of the
// same store, so that one batch changes both. A write is answered once the store
// has synced it, for which it waits without a lock.
//
// Every operation has a file. Requests are checked in the service's order:
// constraints on single members, expressions, the table, its keys, conditions.
package engine
