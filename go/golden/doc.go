// Package golden holds emitted Go to the vectors: values and bytes both ways, and every error with its place.
//
// scripts/go.mjs emits code for the schemas of all vectors and tests it with this package. Values in their JSON form are
// turned into values of the emitted types by reflection, with the schema document beside: emitted code has no part in it.
package golden
