package game

import (
	"bytes"
	"encoding/binary"
	"errors"
	"runtime"
	"testing"

	"moonpack/pck"
)

// sheet returns the bytes of a Sheet that has the same field as like, with this count and these elements.
func sheet(t *testing.T, like *Sheet, count int, elements []byte) []byte {
	return append(binary.AppendUvarint(marshal(t, like)[:1], uint64(count)), elements...)
}

// taken returns the memory that reading m allocates.
func taken(m message, b []byte) (uint64, error) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := m.UnmarshalBinary(b)
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc, err
}

func TestMemoryOfHostileMessages(t *testing.T) {
	const n = 2 << 20
	rows, notes, shapes := &Sheet{Rows: make([]Row, 1)}, &Sheet{Notes: make([]map[string]string, 1)}, &Sheet{Shapes: make([]Shape, 1)}
	knot := marshal(t, &Sheet{Knot: new(Knot)})[:1]
	for name, b := range map[string][]byte{
		"structs with absent fields":    sheet(t, rows, n, make([]byte, n)),
		"maps with one pair":            sheet(t, notes, n/3, bytes.Repeat([]byte{1, 0, 0}, n/3)),
		"nil unions":                    sheet(t, shapes, 8*n, make([]byte, n)),
		"nested structs that are large": append(knot, bytes.Repeat([]byte{1, 1}, 250)...),
	} {
		size, err := taken(new(Sheet), b)
		var fault *pck.Error
		if !errors.As(err, &fault) || fault.Code != "ERR_LIMIT_ELEMENTS" {
			t.Errorf("%s: %v", name, err)
		}
		if most := uint64(2*pck.FreeRoom + 2*64*len(b)); size > most {
			t.Errorf("%s: %d bytes took %d, more than %d", name, len(b), size, most)
		}
	}
}

func TestMemoryOfValidMessages(t *testing.T) {
	// Each byte of these rows makes 96 bytes of memory; this many fit into FreeRoom.
	rows := make([]Row, 100_000)
	b := marshal(t, &Sheet{Rows: rows, Notes: []map[string]string{{"key": "value"}, {}}})
	if err := new(Sheet).UnmarshalBinary(b); err != nil {
		t.Error(err)
	}
	// More than FreeRoom, but these rows have enough bytes to pay for it.
	rows = make([]Row, 500_000)
	for i := range rows {
		rows[i].A = []string{"name"}
	}
	if err := new(Sheet).UnmarshalBinary(marshal(t, &Sheet{Rows: rows})); err != nil {
		t.Error(err)
	}
	if err := new(Sheet).UnmarshalBinary(marshal(t, &Sheet{Knot: new(Knot)})); err != nil {
		t.Error(err)
	}
}

func TestMemoryErrorsHaveAnOffset(t *testing.T) {
	var fault *pck.Error
	if err := new(Sheet).UnmarshalBinary(sheet(t, &Sheet{Shapes: make([]Shape, 1)}, 1<<24, make([]byte, 1<<21))); !errors.As(err, &fault) || fault.Offset != 1 {
		t.Error(err)
	}
}
