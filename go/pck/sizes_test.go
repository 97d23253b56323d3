package pck

import (
	"math"
	"testing"
)

// TestSizes checks that sizes match the bytes that are written, for every number of bits.
func TestSizes(t *testing.T) {
	for bits := range 65 {
		for _, x := range []uint64{1<<bits - 1, 1 << bits, 1<<bits + 1} {
			if got, want := Uvar64Size(x), len(AppendUvar64(nil, x)); got != want {
				t.Errorf("%d: %d, not %d", x, got, want)
			}
			if x > math.MaxUint32 {
				continue
			}
			b := AppendUvar(nil, uint32(x))
			if got := UvarSize(uint32(x)); got != len(b) {
				t.Errorf("%d: %d, not %d", x, got, len(b))
			}
			if got, end, err := Uvar(b, 0); got != uint32(x) || end != len(b) || err != nil {
				t.Errorf("%d: %d, %d, %v", x, got, end, err)
			}
		}
	}
}

// TestUvars checks that a list has the same bytes as its numbers one by one, with and without room for all of them.
func TestUvars(t *testing.T) {
	var list []uint32
	var want []byte
	for bits := range 32 {
		x := uint32(1)<<bits | 1
		list = append(list, x, x>>1)
		want = AppendUvar(AppendUvar(want, x), x>>1)
	}
	for _, room := range []int{0, len(want), 1000} {
		if got := AppendUvars(make([]byte, 0, room), list); string(got) != string(want) {
			t.Errorf("room for %d: %x, not %x", room, got, want)
		}
	}
	got := make([]uint32, len(list))
	if end, err := Uvars(want, 0, got); end != len(want) || err != nil {
		t.Error(end, err)
	}
	for k, x := range list {
		if got[k] != x {
			t.Errorf("%d: %d, not %d", k, got[k], x)
		}
	}
}
