// Package keytext knows the texts that key templates can make: for a template
// and the declared domains of the attributes in it, the set of all keys, as a
// finite automaton.
//
// From it follows whether two templates can ever make the same key, whether
// two different items can under one template, and how long or short a key gets.
// What is not declared is taken to be as wide as the type allows.
package keytext
