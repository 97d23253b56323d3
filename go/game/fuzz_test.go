package game

import (
	"bytes"
	"errors"
	"testing"

	"moonpack/pck"
)

// FuzzWorld checks that any bytes either are the bytes of a value, or give an error with an offset within them.
func FuzzWorld(f *testing.F) {
	b, err := world().MarshalBinary()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) { whole(t, new(World), b) })
}

// FuzzTopStories does the same with a list of structs.
func FuzzTopStories(f *testing.F) {
	f.Add([]byte{1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, b []byte) { whole(t, new(TopStories), b) })
}

func whole(t *testing.T, m message, b []byte) {
	err := m.UnmarshalBinary(b)
	var fault *pck.Error
	if errors.As(err, &fault) {
		if fault.Offset < 0 || fault.Offset > len(b) || fault.NeedMore < 0 || (fault.NeedMore > 0) != (fault.Code == "ERR_TRUNCATED") {
			t.Fatalf("%v: %x", err, b)
		}
		return
	}
	again, err := m.AppendTo(nil)
	if err != nil {
		t.Fatalf("%v: %x", err, b)
	}
	// The payload of a NaN is not kept, so bytes are compared after reading them again.
	if len(again) != len(b) || m.UnmarshalBinary(again) != nil {
		t.Fatalf("%x, not %x", again, b)
	}
	if third, err := m.AppendTo(nil); err != nil || !bytes.Equal(third, again) {
		t.Fatalf("%x, not %x: %v", third, again, err)
	}
}
