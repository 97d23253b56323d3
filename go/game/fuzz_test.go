package game

import (
	"bytes"
	"errors"
	"testing"
)

// FuzzWorld: whatever the bytes are, they are a value whose bytes they are, or an error that lies within them.
func FuzzWorld(f *testing.F) {
	b, err := world().MarshalBinary()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) { whole(t, new(World), b) })
}

// FuzzTopStories is the same of a list of structs.
func FuzzTopStories(f *testing.F) {
	f.Add([]byte{1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, b []byte) { whole(t, new(TopStories), b) })
}

func whole(t *testing.T, m message, b []byte) {
	err := m.UnmarshalBinary(b)
	var fault *PCKError
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
	// Payloads of NaNs are not kept, so what is written is compared once it was read again.
	if len(again) != len(b) || m.UnmarshalBinary(again) != nil {
		t.Fatalf("%x, not %x", again, b)
	}
	if third, err := m.AppendTo(nil); err != nil || !bytes.Equal(third, again) {
		t.Fatalf("%x, not %x: %v", third, again, err)
	}
}
