package pck

import (
	"encoding/binary"
	"math"
	"math/bits"
	"unicode/utf8"
	"unsafe"
)

// MaxDepth is the greatest depth of structs and containers. The root has depth 1.
const MaxDepth = 512

// BlockError returns the error of the first invalid item in a truncated block of items of these sizes. If bits is above 0, the block
// begins with a bit store of that many bits.
func BlockError(b []byte, i, bits int, sizes ...int) *Error {
	if bits > 0 {
		next, err := SkipBits(b, i, bits)
		if err != nil {
			return err
		}
		i = next
	}
	for _, size := range sizes {
		if len(b)-i < size {
			return truncated(i, i+size-len(b))
		}
		i += size
	}
	return nil
}

// ListError returns the error of a truncated list of items of one size.
func ListError(b []byte, i, size int) *Error {
	rest := (len(b) - i) % size
	return truncated(len(b)-rest, size-rest)
}

// Uvar reads a uint32 as LEB128.
func Uvar(b []byte, i int) (uint32, int, *Error) {
	if i < len(b) && b[i] < 0x80 {
		return uint32(b[i]), i + 1, nil
	}
	return longUvar(b, i)
}

// longUvar reads a uint32 of two or more bytes, or reports that there is no byte.
func longUvar(b []byte, i int) (uint32, int, *Error) {
	if len(b)-i >= 8 {
		w := binary.LittleEndian.Uint64(b[i:])
		if last := ^w & 0x8080808080; last != 0 {
			at := bits.TrailingZeros64(last) - 7
			w &= 1<<(at+8) - 1
			if w>>at != 0 && w <= 0x0fffffffff {
				return joinSeptets(w), i + at>>3 + 1, nil
			}
		}
	}
	return slowUvar(b, i)
}

// joinSeptets joins the 7-bit groups of a varint to a uint32. The caller finds the length by the first clear high bit: a branch
// for each byte would be mispredicted where lengths vary.
func joinSeptets(w uint64) uint32 {
	return uint32(w&0x7f | w>>1&0x3f80 | w>>2&0x1fc000 | w>>3&0xfe00000 | w>>4&0xf0000000)
}

// Uvars reads uint32s as LEB128 into list.
func Uvars[T ~uint32](b []byte, i int, list []T) (int, *Error) {
	for k := range list {
		if len(b)-i >= 8 {
			w := binary.LittleEndian.Uint64(b[i:])
			if w&0x80 == 0 {
				list[k] = T(w & 0x7f)
				i++
				continue
			}
			if last := ^w & 0x8080808080; last != 0 {
				at := bits.TrailingZeros64(last) - 7
				w &= 1<<(at+8) - 1
				if w>>at != 0 && w <= 0x0fffffffff {
					list[k] = T(joinSeptets(w))
					i += at>>3 + 1
					continue
				}
			}
		}
		x, next, err := Uvar(b, i)
		if err != nil {
			return i, err
		}
		list[k] = T(x)
		i = next
	}
	return i, nil
}

// slowUvar reads a uint32 byte by byte: near the end of a message, and to report what is not valid.
func slowUvar(b []byte, i int) (uint32, int, *Error) {
	var x uint32
	for k, c := range b[i:] {
		if k == 4 && c > 0x0f {
			return 0, i, ReadError("ERR_OUT_OF_RANGE", i)
		}
		x |= uint32(c&0x7f) << (7 * k)
		if c == 0 && k > 0 {
			return 0, i, ReadError("ERR_NOT_SHORTEST", i)
		}
		if c < 0x80 {
			return x, i + k + 1, nil
		}
	}
	return 0, i, truncated(i, 1)
}

// Ivar reads an int32 as LEB128 with zigzag encoding.
func Ivar(b []byte, i int) (int32, int, *Error) {
	if i < len(b) && b[i] < 0x80 {
		return int32(b[i]>>1) ^ -int32(b[i]&1), i + 1, nil
	}
	return longIvar(b, i)
}

func longIvar(b []byte, i int) (int32, int, *Error) {
	x, next, err := longUvar(b, i)
	return int32(x>>1) ^ -int32(x&1), next, err
}

// Uvar64 reads a uint64 as LEB128.
func Uvar64(b []byte, i int) (uint64, int, *Error) {
	var x uint64
	for k, c := range b[i:] {
		if k == 9 && c > 1 {
			return 0, i, ReadError("ERR_OUT_OF_RANGE", i)
		}
		x |= uint64(c&0x7f) << (7 * k)
		if c < 0x80 {
			if c == 0 && k > 0 {
				return 0, i, ReadError("ERR_NOT_SHORTEST", i)
			}
			return x, i + k + 1, nil
		}
	}
	return 0, i, truncated(i, 1)
}

// Ivar64 reads an int64 as LEB128 with zigzag encoding.
func Ivar64(b []byte, i int) (int64, int, *Error) {
	x, next, err := Uvar64(b, i)
	return int64(x>>1) ^ -int64(x&1), next, err
}

// SkipBytes skips a fixed number of bytes.
func SkipBytes(b []byte, i, size int) (int, *Error) {
	if len(b)-i < size {
		return i, truncated(i, i+size-len(b))
	}
	return i + size, nil
}

// F32 returns the float in 4 bytes.
func F32(b []byte) float32 {
	return math.Float32frombits(binary.LittleEndian.Uint32(b))
}

// F64 returns the float in 8 bytes.
func F64(b []byte) float64 {
	return math.Float64frombits(binary.LittleEndian.Uint64(b))
}

// NameIndex reads the index of a name or of a union's arm, which must be less than the number of names.
func NameIndex(b []byte, i int, names uint32) (uint32, int, *Error) {
	x, next, err := Uvar(b, i)
	if err == nil && x >= names {
		return 0, i, ReadError("ERR_UNKNOWN_INDEX", i)
	}
	return x, next, err
}

// Flag reads a byte that is 00 or 01.
func Flag(b []byte, i int) (bool, int, *Error) {
	if i >= len(b) {
		return false, i, truncated(i, 1)
	}
	if b[i] > 1 {
		return false, i, ReadError("ERR_INVALID_PADDING", i)
	}
	return b[i] == 1, i + 1, nil
}

// SkipBits skips count bits and checks that the spare bits after them are 0.
func SkipBits(b []byte, i, count int) (int, *Error) {
	next, err := SkipBytes(b, i, (count+7)/8)
	if err == nil && count&7 != 0 && b[next-1]>>(count&7) != 0 {
		return i, ReadError("ERR_INVALID_PADDING", i)
	}
	return next, err
}

// Bit returns bit k of the bits that begin at a position.
func Bit(b []byte, at, k int) bool {
	return b[at+k>>3]>>(k&7)&1 != 0
}

// Bools reads packed bools into list.
func Bools[T ~bool](b []byte, i int, list []T) (int, *Error) {
	next, err := SkipBits(b, i, len(list))
	if err != nil {
		return i, err
	}
	for k := range list {
		list[k] = T(Bit(b, i, k))
	}
	return next, nil
}

// Count reads the number of elements, each of at least minSize bytes. These bytes, and the bytes that open containers still need,
// must fit into the rest of the message, so an invented count allocates nothing.
func Count(b []byte, i, reserved, minSize int) (int, int, *Error) {
	n, next, err := Uvar(b, i)
	if err != nil {
		return 0, i, err
	}
	left := len(b) - next - reserved
	if left < 0 || uint64(n)*uint64(minSize) > uint64(left) {
		return 0, i, ReadError("ERR_LIMIT_ELEMENTS", i)
	}
	return int(n), next, nil
}

// BitCount reads the number of elements that take at least one bit each, with the same checks.
func BitCount(b []byte, i, reserved int) (int, int, *Error) {
	n, next, err := Uvar(b, i)
	if err != nil {
		return 0, i, err
	}
	left := len(b) - next - reserved
	if left < 0 || (uint64(n)+7)/8 > uint64(left) {
		return 0, i, ReadError("ERR_LIMIT_ELEMENTS", i)
	}
	return int(n), next, nil
}

// readSpan reads a count of bytes and returns where these bytes begin and end.
func readSpan(b []byte, i int) (from, to int, err *Error) {
	n, from, err := Uvar(b, i)
	if err != nil {
		return i, i, err
	}
	if left := len(b) - from; uint64(n) > uint64(left) {
		// An int of 32 bits may not hold the number of missing bytes.
		return i, i, truncated(i, int(min(uint64(n)-uint64(left), math.MaxInt)))
	}
	return from, from + int(n), nil
}

// Text reads UTF-8 text with its count.
func Text(b []byte, i int) (string, int, *Error) {
	if i < len(b) && int(b[i]) < min(0x80, len(b)-i) {
		// Short ASCII text, the usual case, without another call.
		text := b[i+1 : i+1+int(b[i])]
		if isASCII(text) {
			return string(text), i + 1 + len(text), nil
		}
	}
	from, to, err := readSpan(b, i)
	if err != nil {
		return "", i, err
	}
	if !isUTF8(b[from:to]) {
		return "", i, ReadError("ERR_INVALID_UTF8", i)
	}
	return string(b[from:to]), to, nil
}

// TextView reads UTF-8 text with its count. The string is a view of b, whose bytes must not change while the string is in use.
func TextView(b []byte, i int) (string, int, *Error) {
	from, to, err := readSpan(b, i)
	if err != nil {
		return "", i, err
	}
	if !isUTF8(b[from:to]) {
		return "", i, ReadError("ERR_INVALID_UTF8", i)
	}
	return stringView(b[from:to]), to, nil
}

// ASCII reads ASCII text with its count.
func ASCII(b []byte, i int) (string, int, *Error) {
	from, to, err := asciiSpan(b, i)
	return string(b[from:to]), to, err
}

// ASCIIView reads ASCII text with its count, as a view of b.
func ASCIIView(b []byte, i int) (string, int, *Error) {
	from, to, err := asciiSpan(b, i)
	return stringView(b[from:to]), to, err
}

func asciiSpan(b []byte, i int) (from, to int, err *Error) {
	from, to, err = readSpan(b, i)
	if err == nil && !isASCII(b[from:to]) {
		return i, i, ReadError("ERR_INVALID_ASCII", i)
	}
	return from, to, err
}

// FixedASCII reads ASCII text of a fixed length.
func FixedASCII(b []byte, i, length int) (string, int, *Error) {
	next, err := fixedSpan(b, i, length)
	return string(b[i:next]), next, err
}

// FixedASCIIView reads ASCII text of a fixed length, as a view of b.
func FixedASCIIView(b []byte, i, length int) (string, int, *Error) {
	next, err := fixedSpan(b, i, length)
	return stringView(b[i:next]), next, err
}

func fixedSpan(b []byte, i, length int) (int, *Error) {
	next, err := SkipBytes(b, i, length)
	if err == nil && !isASCII(b[i:next]) {
		return i, ReadError("ERR_INVALID_ASCII", i)
	}
	return next, err
}

// isUTF8 is utf8.Valid with a faster path for ASCII.
func isUTF8(b []byte) bool {
	return isASCII(b) || utf8.Valid(b)
}

func isASCII(b []byte) bool {
	n := len(b)
	if n < 8 {
		return isShortASCII(b)
	}
	// The last word may overlap the previous one, so no byte is checked alone.
	all := binary.LittleEndian.Uint64(b[n-8:])
	for len(b) >= 16 {
		all |= binary.LittleEndian.Uint64(b) | binary.LittleEndian.Uint64(b[8:])
		b = b[16:]
	}
	if len(b) >= 8 {
		all |= binary.LittleEndian.Uint64(b)
	}
	return all&0x8080808080808080 == 0
}

// isShortASCII checks less than 8 bytes without a loop. Some bytes may be checked twice.
func isShortASCII(b []byte) bool {
	n := len(b)
	if n >= 4 {
		return (binary.LittleEndian.Uint32(b)|binary.LittleEndian.Uint32(b[n-4:]))&0x80808080 == 0
	}
	return n == 0 || b[0]|b[n/2]|b[n-1] < 0x80
}

// stringView returns the bytes as a string without copying them.
func stringView(b []byte) string {
	return unsafe.String(unsafe.SliceData(b), len(b))
}

// Bytes reads bytes with their count. It returns a copy, which is never nil.
func Bytes(b []byte, i int) ([]byte, int, *Error) {
	from, to, err := readSpan(b, i)
	if err != nil {
		return nil, i, err
	}
	return append([]byte{}, b[from:to]...), to, nil
}

// Pointer returns a pointer to x, for defaults of fields that may be nil.
func Pointer[T any](x T) *T {
	return &x
}
