package golden

import (
	"reflect"
	"strconv"
	"testing"
)

// TestSize tests that values of a type take the memory that the emitter counts for them on 64-bit machines.
func TestSize[T any](t *testing.T, want int) {
	of := reflect.TypeFor[T]()
	if got := int(of.Size()); strconv.IntSize == 64 && got != want {
		t.Errorf("%v takes %d bytes, not %d", of, got, want)
	}
}
