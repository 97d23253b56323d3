package game

import (
	"bytes"
	"encoding/hex"
	"errors"
	"math"
	"reflect"
	"strings"
	"sync"
	"testing"

	"moonpack/pck"
)

// message has the methods of every emitted struct.
type message interface {
	AppendTo(b []byte) ([]byte, error)
	MarshalBinary() ([]byte, error)
	UnmarshalBinary(b []byte) error
	Size() int
}

func player() *Player {
	return &Player{
		Health:     100,
		Jumping:    true,
		Position:   Position{X: 10, Y: 20},
		Attributes: Attributes{Str: 100, Agi: 50, Int: 10},
	}
}

func world() *World {
	note, level, delta := "né", uint8(3), int64(-5)
	return &World{
		UserID:   math.MaxUint64,
		Owner:    player(),
		Mood:     Mood2fast,
		Moods:    map[Mood]float32{MoodInRage: 1.5, MoodCalm: float32(math.Inf(-1))},
		Shape:    &ShapeGroup{Group{Shapes: []Shape{&ShapeCircle{Circle{Radius: 2}}, &ShapeGroup{}}}},
		Hash:     [4]byte{1, 2, 3, 4},
		Code:     "abc",
		Grid:     [][2]int16{{-1, 2}, {3, -4}},
		Switches: []bool{true, false, true, true, false, false, false, false, true},
		Notes:    map[string]*string{"b": &note, "a": nil},
		Deltas:   []*int64{nil, &delta},
		Data:     []byte{},
		Level:    &level,
		Ratio:    math.Copysign(0, -1),
		Label:    "x",
		Next: &World{
			Owner: &Player{},
			Shape: &ShapeCircle{},
			Code:  "xyz",
		},
	}
}

func marshal(t *testing.T, m message) []byte {
	t.Helper()
	b, err := m.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestPlayerHasTheBytesOfTheSpecification(t *testing.T) {
	if got := hex.EncodeToString(marshal(t, player())); got != "0164320ac8011428" {
		t.Error(got)
	}
}

func TestWorldReadsBack(t *testing.T) {
	b := marshal(t, world())
	got := &World{Level: new(uint8), Next: world(), Label: "old", Data: []byte("old")}
	if err := got.UnmarshalBinary(b); err != nil {
		t.Fatal(err)
	}
	// A list without elements is read as an empty list, which equals nil here.
	if again := marshal(t, got); !bytes.Equal(again, b) {
		t.Errorf("%x, not %x", again, b)
	}
	if got.Size() != 0 && got.Size() != len(b) {
		t.Error("Size", got.Size())
	}
	if *got.Level != 3 || got.Data == nil || got.Mood.String() != "2fast" || got.Notes["a"] != nil || !math.Signbit(got.Ratio) {
		t.Errorf("%+v", got)
	}
	next := got.Next
	if next.Data != nil || next.Level != nil || next.Ratio != 0 || next.Label != "" || next.Next != nil {
		t.Errorf("old data is left: %+v", next)
	}
}

func TestValuesShareNoMemoryWithMessages(t *testing.T) {
	b := marshal(t, world())
	var first, second World
	if first.UnmarshalBinary(b) != nil || second.UnmarshalBinary(b) != nil {
		t.Fatal()
	}
	clear(b)
	if !reflect.DeepEqual(marshal(t, &first), marshal(t, &second)) || *first.Notes["b"] != "né" || first.Label != "x" {
		t.Error("the value changed with the message")
	}
	kept := first.Grid
	if first.UnmarshalBinary(marshal(t, &World{Owner: player(), Shape: &ShapeCircle{}, Code: "abc", Grid: [][2]int16{{9, 9}}})) != nil {
		t.Fatal()
	}
	if kept[0] != [2]int16{-1, 2} {
		t.Error("the list changed with the next message")
	}
}

func TestEveryStrictPrefixIsRejected(t *testing.T) {
	b := marshal(t, world())
	for n := range b {
		var got World
		err := got.UnmarshalBinary(b[:n:n])
		var fault *pck.Error
		if !errors.As(err, &fault) || fault.Code != "ERR_TRUNCATED" && fault.Code != "ERR_LIMIT_ELEMENTS" {
			t.Fatal(n, err)
		}
		if !reflect.DeepEqual(got, World{}) {
			t.Fatal(n, "part of a value is left")
		}
	}
}

func TestValuesThatCannotBeWritten(t *testing.T) {
	invalid := "\xff"
	for _, one := range []struct {
		code, path string
		change     func(w *World)
	}{
		{"ERR_UNSUPPORTED_TYPE", "$.owner", func(w *World) { w.Owner = nil }},
		{"ERR_UNSUPPORTED_TYPE", "$.shape", func(w *World) { w.Shape = nil }},
		{"ERR_UNSUPPORTED_TYPE", "$.shape", func(w *World) { w.Shape = (*ShapeCircle)(nil) }},
		{"ERR_UNSUPPORTED_TYPE", "$.shape.shapes[1]", func(w *World) { w.Shape.(*ShapeGroup).Value.Shapes[1] = nil }},
		{"ERR_OUT_OF_RANGE", "$.mood", func(w *World) { w.Mood = 3 }},
		{"ERR_OUT_OF_RANGE", `$.moods["Mood(9)"]`, func(w *World) { w.Moods[9] = 0 }},
		{"ERR_OUT_OF_RANGE", "$.code", func(w *World) { w.Code = "ab" }},
		{"ERR_INVALID_ASCII", "$.code", func(w *World) { w.Code = "aé" }},
		{"ERR_INVALID_ASCII", "$.next.label", func(w *World) { w.Next.Label = "\x80" }},
		{"ERR_INVALID_UTF8", `$.notes["b"]`, func(w *World) { w.Notes["b"] = &invalid }},
		{"ERR_INVALID_UTF8", `$.notes["\n\"\ufffd"]`, func(w *World) { w.Notes["\n\"\xff"] = nil }},
	} {
		w := world()
		one.change(w)
		b := []byte("before")
		got, err := w.AppendTo(b)
		var fault *pck.Error
		if !errors.As(err, &fault) || fault.Code != one.code || fault.Path != one.path {
			t.Errorf("%v, not %s at %s", err, one.code, one.path)
		}
		if string(got) != "before" {
			t.Errorf("%s: %x", one.code, got)
		}
		if _, err := w.MarshalBinary(); err == nil {
			t.Error("MarshalBinary does not fail")
		}
	}
}

func TestValuesThatContainThemselves(t *testing.T) {
	w := world()
	w.Next = w
	group := &ShapeGroup{}
	group.Value.Shapes = []Shape{group, group}
	if w.Size() != 0 || (&World{Owner: player(), Shape: group}).Size() != 0 {
		t.Error("the size is not 0")
	}
	for _, m := range []message{w, &group.Value} {
		_, err := m.AppendTo(nil)
		var fault *pck.Error
		if !errors.As(err, &fault) || fault.Code != "ERR_LIMIT_DEPTH" || strings.Count(fault.Path, ".") < 250 {
			t.Error(err)
		}
	}
}

func TestNilReceivers(t *testing.T) {
	var none *Player
	if _, err := none.AppendTo(nil); err == nil || err.Error() != "pck: ERR_UNSUPPORTED_TYPE at $" {
		t.Error(err)
	}
	if none.Size() != 0 {
		t.Error(none.Size())
	}
	for _, b := range [][]byte{nil, {0, 1}, make([]byte, 7)} {
		if err := none.UnmarshalBinary(b); err == nil || err.Error() != "pck: ERR_INVALID_ARGUMENT at $" {
			t.Error(err)
		}
	}
}

func TestErrorsHavePositions(t *testing.T) {
	err := new(Player).UnmarshalBinary([]byte{0, 1})
	if err == nil || err.Error() != "pck: ERR_TRUNCATED at byte 2, 1 more needed" {
		t.Error(err)
	}
	if err := new(Player).UnmarshalBinary(make([]byte, 9)); err == nil || err.Error() != "pck: ERR_TRAILING_BYTES at byte 7" {
		t.Error(err)
	}
}

func TestConcurrentUse(t *testing.T) {
	w := world()
	data := marshal(t, w)
	var group sync.WaitGroup
	for range 4 {
		group.Add(1)
		go func() {
			defer group.Done()
			for range 20 {
				b, err := w.MarshalBinary()
				if err != nil || !bytes.Equal(b, data) || new(World).UnmarshalBinary(data) != nil {
					t.Error("the result differs", err)
				}
			}
		}()
	}
	group.Wait()
}

func TestSmallStructsAllocateNothing(t *testing.T) {
	p, b := player(), make([]byte, 0, 64)
	data := marshal(t, p)
	allocations := testing.AllocsPerRun(100, func() {
		if _, err := p.AppendTo(b); err != nil {
			t.Fatal(err)
		}
		if err := p.UnmarshalBinary(data); err != nil {
			t.Fatal(err)
		}
	})
	if allocations != 0 {
		t.Error(allocations)
	}
}

func TestForgedCountsAllocateNothing(t *testing.T) {
	forged := []byte{0xff, 0xff, 0xff, 0xff, 0x0f}
	allocations := testing.AllocsPerRun(100, func() {
		if new(TopStories).UnmarshalBinary(forged) == nil {
			t.Fatal("it is read")
		}
	})
	if allocations > 2 { // the struct and the error
		t.Error(allocations)
	}
}
