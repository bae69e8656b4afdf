// Package cost works out what a table costs a month at its declared traffic and
// volumes: by access pattern and by index, in every capacity mode, with storage,
// backup, streams and replicas, and as declared growth goes on.
//
// Prices are a dated table in this package, which a file can override. Every
// figure rests on assumptions; an Estimate says all of them.
package cost
