package pck

import (
	"cmp"
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"unicode/utf8"
	"unsafe"
)

// Extend returns b with n more bytes, which the caller then writes.
func Extend(b []byte, n int) []byte {
	if cap(b)-len(b) < n {
		b = slices.Grow(b, n)
	}
	return b[:len(b)+n]
}

// AppendUvar writes a uint32 as LEB128.
func AppendUvar(b []byte, x uint32) []byte {
	if x < 0x80 {
		return append(b, byte(x))
	}
	return appendLongUvar(b, x)
}

func appendLongUvar(b []byte, x uint32) []byte {
	if x < 1<<14 {
		return append(b, byte(x)|0x80, byte(x>>7))
	}
	if x >= 1<<28 {
		return append(b, byte(x)|0x80, byte(x>>7)|0x80, byte(x>>14)|0x80, byte(x>>21)|0x80, byte(x>>28))
	}
	n := UvarSize(x)
	w := splitSeptets(x, n)
	return append(b, byte(w), byte(w>>8), byte(w>>16), byte(w>>24))[:len(b)+n]
}

// splitSeptets returns a uint32 of at most 28 bits as n bytes of LEB128.
func splitSeptets(x uint32, n int) uint32 {
	// The shift is masked, so that the compiler adds no check of its size.
	return x&0x7f | x<<1&0x7f00 | x<<2&0x7f0000 | x<<3&0x7f000000 | 0x80808080&(1<<(uint(8*n-8)&31)-1)
}

// AppendUvars writes uint32s as LEB128.
func AppendUvars[T ~uint32](b []byte, list []T) []byte {
	at := len(b)
	if cap(b)-at < 5*len(list) {
		for _, x := range list {
			b = AppendUvar(b, uint32(x))
		}
		return b
	}
	b = b[:at+5*len(list)]
	for _, item := range list {
		x := uint32(item)
		if x >= 1<<28 {
			b = append(b[:at], byte(x)|0x80, byte(x>>7)|0x80, byte(x>>14)|0x80, byte(x>>21)|0x80, byte(x>>28))[:len(b)]
			at += 5
			continue
		}
		n := UvarSize(x)
		binary.LittleEndian.PutUint32(b[at:], splitSeptets(x, n))
		at += n
	}
	return b[:at]
}

// Zigzag returns the zigzag encoding of an int32.
func Zigzag(x int32) uint32 {
	return uint32(x)<<1 ^ uint32(x>>31)
}

// AppendUvar64 writes a uint64 as LEB128.
func AppendUvar64(b []byte, x uint64) []byte {
	return binary.AppendUvarint(b, x)
}

// AppendIvar64 writes an int64 as LEB128 with zigzag encoding.
func AppendIvar64(b []byte, x int64) []byte {
	return binary.AppendUvarint(b, zigzag64(x))
}

func zigzag64(x int64) uint64 {
	return uint64(x)<<1 ^ uint64(x>>63)
}

// UvarSize returns how many bytes AppendUvar writes.
func UvarSize(x uint32) int {
	// One byte for each 7 bits, rounded up, without a division: 9/64 is slightly more than 1/7.
	return int(uint(9*bits.Len32(x|1)+64) / 64)
}

// IvarSize returns how many bytes an int32 takes with zigzag encoding.
func IvarSize(x int32) int {
	return UvarSize(Zigzag(x))
}

// Uvar64Size returns how many bytes AppendUvar64 writes.
func Uvar64Size(x uint64) int {
	return int(uint(9*bits.Len64(x|1)+64) / 64)
}

// Ivar64Size returns how many bytes AppendIvar64 writes.
func Ivar64Size(x int64) int {
	return Uvar64Size(zigzag64(x))
}

// CountSize returns how many bytes a count takes.
func CountSize(n int) int {
	return UvarSize(uint32(n))
}

// TextSize returns how many bytes n bytes of text or data take with their count.
func TextSize(n int) int {
	return CountSize(n) + n
}

// F32Bits returns the bits of a float. Every NaN has the same bits.
func F32Bits(x float32) uint32 {
	if x != x {
		return 0x7fc00000
	}
	return math.Float32bits(x)
}

// F64Bits returns the bits of a float. Every NaN has the same bits.
func F64Bits(x float64) uint64 {
	if x != x {
		return 0x7ff8000000000000
	}
	return math.Float64bits(x)
}

// AppendFlag writes the byte 00 or 01.
func AppendFlag(b []byte, flag bool) []byte {
	if flag {
		return append(b, 1)
	}
	return append(b, 0)
}

// AppendZeros writes zero bytes for a number of bits, which the caller then sets.
func AppendZeros(b []byte, bits int) []byte {
	n := len(b)
	b = Extend(b, (bits+7)/8)
	clear(b[n:])
	return b
}

// AppendBools writes packed bools.
func AppendBools[T ~bool](b []byte, list []T) []byte {
	at := len(b)
	b = AppendZeros(b, len(list))
	for k, flag := range list {
		if flag {
			b[at+k>>3] |= 1 << (k & 7)
		}
	}
	return b
}

// AppendCount writes the number of elements.
func AppendCount(b []byte, n int) ([]byte, *Error) {
	if uint64(n) > math.MaxUint32 {
		return b, WriteError("ERR_OUT_OF_RANGE", "")
	}
	return AppendUvar(b, uint32(n)), nil
}

// AppendText writes UTF-8 text with its count.
func AppendText(b []byte, text string) ([]byte, *Error) {
	// The text is checked before it is copied: reading bytes that were just copied is slower.
	if !isASCII(bytesOf(text)) && !utf8.ValidString(text) {
		return b, WriteError("ERR_INVALID_UTF8", "")
	}
	if len(text) < 0x80 {
		at := len(b)
		b = Extend(b, 1+len(text))
		b[at] = byte(len(text))
		copy(b[at+1:], text)
		return b, nil
	}
	b, err := AppendCount(b, len(text))
	if err != nil {
		return b, err
	}
	return append(b, text...), nil
}

// bytesOf returns the bytes of text without copying them. They must not be changed.
func bytesOf(text string) []byte {
	return unsafe.Slice(unsafe.StringData(text), len(text))
}

// AppendASCII writes ASCII text with its count.
func AppendASCII(b []byte, text string) ([]byte, *Error) {
	b, err := AppendCount(b, len(text))
	if err != nil {
		return b, err
	}
	return appendIfASCII(b, text)
}

// AppendFixedASCII writes ASCII text of a fixed length.
func AppendFixedASCII(b []byte, text string, length int) ([]byte, *Error) {
	// ASCII is checked first: other text has another length in other languages.
	out, err := appendIfASCII(b, text)
	if err == nil && len(text) != length {
		return b, WriteError("ERR_OUT_OF_RANGE", "")
	}
	return out, err
}

func appendIfASCII(b []byte, text string) ([]byte, *Error) {
	if !isASCII(bytesOf(text)) {
		return b, WriteError("ERR_INVALID_ASCII", "")
	}
	return append(b, text...), nil
}

// AppendBytes writes bytes with their count.
func AppendBytes(b, data []byte) ([]byte, *Error) {
	b, err := AppendCount(b, len(data))
	if err != nil {
		return b, err
	}
	return append(b, data...), nil
}

// SortedKeys returns the keys of a map in the order in which they are written.
func SortedKeys[K cmp.Ordered, V any](m map[K]V) []K {
	keys := make([]K, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
