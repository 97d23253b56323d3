// Package pck is the runtime of emitted PCK code: it reads and writes the items of a message, and has the error type.
//
// The format is specified in docs/pck-format.md. Functions that read take a message and the position of an item, and return the
// value and the position after it. Functions that write append to a slice. No function keeps state between calls.
package pck
