// Package game is what is emitted for schema.json: the types and methods of pck.go stand on the runtime beside them. Its tests
// are those of emitted code as a whole.
package game

// UserID is a type of one's own for a field.
type UserID uint64
