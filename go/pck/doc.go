// Package pck is what emitted PCK code stands on: reading and writing the items of a message, and the one error type.
//
// The format is docs/pck-format.md. Functions that read take a message and the position of an item, and answer its value and
// the position after it; functions that write append to a slice. None keeps anything between calls.
package pck
