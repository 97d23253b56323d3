// Package golden tests emitted Go with the vectors: values and bytes in both directions, and every error with its position.
//
// scripts/go.mjs emits code for the schemas of all vectors and tests it with this package. Reflection and the schema document turn
// values in their JSON form into values of the emitted types, without any emitted code.
package golden
