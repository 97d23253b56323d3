// Package game is the package that is emitted for schema.json: the types and methods in pck.go, which use the runtime in package
// pck. Its tests cover emitted code as a whole.
package game

// UserID is a type that the schema's user chose for a field.
type UserID uint64
