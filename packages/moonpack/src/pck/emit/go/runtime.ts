/** The Go runtime that emitted code carries beside it. Written by scripts/go-runtime.mjs from go/pck. */

/** The packages that it imports. */
export const RUNTIME_IMPORTS: readonly string[] = [
  "cmp",
  "encoding/binary",
  "math",
  "math/bits",
  "slices",
  "strconv",
  "unicode/utf8",
  "unsafe",
];

/** Its declarations. */
export const RUNTIME = `// PCKError is a message that cannot be read, or a value that cannot be written.
type PCKError struct {
	// Code is stable: ERR_TRUNCATED and so on, the same in every language.
	Code string
	// Offset is the first byte of the offending item in a message that is read.
	Offset int
	// NeedMore is how many bytes are missing at least where a message is cut short, else 0.
	NeedMore int
	// Path is where the offending value lies in what is written: $.items[3].title. Empty for a message that is read.
	Path string
}

// PCKError describes what is wrong, and where.
func (e *PCKError) Error() string {
	if e.Path != "" {
		return "pck: " + e.Code + " at " + e.Path
	}
	text := "pck: " + e.Code + " at byte " + strconv.Itoa(e.Offset)
	if e.NeedMore > 0 {
		text += ", " + strconv.Itoa(e.NeedMore) + " more needed"
	}
	return text
}

// In says that the value lies at this path below another one.
func (e *PCKError) In(path string) *PCKError {
	e.Path = path + e.Path
	return e
}

// pckFail is an error at an offset of a message.
func pckFail(code string, offset int) *PCKError {
	return &PCKError{Code: code, Offset: offset}
}

// pckRefuse is an error of a value that lies at this path.
func pckRefuse(code, path string) *PCKError {
	return &PCKError{Code: code, Path: path}
}

func pckTruncated(offset, needMore int) *PCKError {
	return &PCKError{Code: "ERR_TRUNCATED", Offset: offset, NeedMore: needMore}
}

// pckIndex is the step of a path to an element.
func pckIndex(k int) string {
	return "[" + strconv.Itoa(k) + "]"
}

// pckKey is the step of a path to the value of a key that is a number.
func pckKey[T ~uint8 | ~uint16 | ~uint32 | ~int8 | ~int16 | ~int32](key T) string {
	return "[" + strconv.FormatInt(int64(key), 10) + "]"
}

// pckKeyI64 is the step of a path to the value of a signed key of 64 bits, which JSON has as text.
func pckKeyI64(key int64) string {
	return \`["\` + strconv.FormatInt(key, 10) + \`"]\`
}

// pckKeyU64 is the step of a path to the value of an unsigned key of 64 bits, which JSON has as text.
func pckKeyU64(key uint64) string {
	return \`["\` + strconv.FormatUint(key, 10) + \`"]\`
}

// pckKeyText is the step of a path to the value of a key that is text, as JSON has it. What is no UTF-8 is U+FFFD there.
func pckKeyText(key string) string {
	const hex = "0123456789abcdef"
	step := []byte(\`["\`)
	for i := 0; i < len(key); i++ {
		switch c := key[i]; {
		case c == '"' || c == '\\\\':
			step = append(step, '\\\\', c)
		case c == '\\b':
			step = append(step, \`\\b\`...)
		case c == '\\t':
			step = append(step, \`\\t\`...)
		case c == '\\n':
			step = append(step, \`\\n\`...)
		case c == '\\f':
			step = append(step, \`\\f\`...)
		case c == '\\r':
			step = append(step, \`\\r\`...)
		case c < 0x20:
			step = append(step, \`\\u00\`...)
			step = append(step, hex[c>>4], hex[c&15])
		case c < utf8.RuneSelf:
			step = append(step, c)
		default:
			r, size := utf8.DecodeRuneInString(key[i:])
			if r == utf8.RuneError && size == 1 {
				step = append(step, \`\\ufffd\`...)
			} else {
				step = append(step, key[i:i+size]...)
			}
			i += size - 1
		}
	}
	return string(append(step, \`"]\`...))
}

// pckMaxDepth is how deep structs and containers may be nested; the root is 1.
const pckMaxDepth = 512

// pckCutShort is the error of a block of items of these sizes that is longer than what is left: that of the first item which is
// wrong. The block may begin with a store of so many bits; 0 for none.
func pckCutShort(b []byte, i, bits int, sizes ...int) *PCKError {
	if bits > 0 {
		next, err := pckBits(b, i, bits)
		if err != nil {
			return err
		}
		i = next
	}
	for _, size := range sizes {
		if len(b)-i < size {
			return pckTruncated(i, i+size-len(b))
		}
		i += size
	}
	return nil
}

// pckCutShortEach is the error of a list of items of one size that is longer than what is left.
func pckCutShortEach(b []byte, i, size int) *PCKError {
	rest := (len(b) - i) % size
	return pckTruncated(len(b)-rest, size-rest)
}

// pckUvar reads a uint32 as LEB128.
func pckUvar(b []byte, i int) (uint32, int, *PCKError) {
	if i < len(b) && b[i] < 0x80 {
		return uint32(b[i]), i + 1, nil
	}
	return pckLongUvar(b, i)
}

// pckLongUvar reads what pckUvar does not: two bytes or more, or none.
func pckLongUvar(b []byte, i int) (uint32, int, *PCKError) {
	if len(b)-i >= 8 {
		w := binary.LittleEndian.Uint64(b[i:])
		if last := ^w & 0x8080808080; last != 0 {
			at := bits.TrailingZeros64(last) - 7
			w &= 1<<(at+8) - 1
			if w>>at != 0 && w <= 0x0fffffffff {
				return pckSeptets(w), i + at>>3 + 1, nil
			}
		}
	}
	return pckSlowUvar(b, i)
}

// pckSeptets is the uint32 of the bytes of a varint. Its length is found by the first high bit that is not set: a branch for each
// byte would be guessed wrongly where lengths differ.
func pckSeptets(w uint64) uint32 {
	return uint32(w&0x7f | w>>1&0x3f80 | w>>2&0x1fc000 | w>>3&0xfe00000 | w>>4&0xf0000000)
}

// pckUvars reads uint32s as LEB128 into list.
func pckUvars[T ~uint32](b []byte, i int, list []T) (int, *PCKError) {
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
					list[k] = T(pckSeptets(w))
					i += at>>3 + 1
					continue
				}
			}
		}
		x, next, err := pckUvar(b, i)
		if err != nil {
			return i, err
		}
		list[k] = T(x)
		i = next
	}
	return i, nil
}

// pckSlowUvar reads a uint32 near the end of a message, and says what is wrong with one.
func pckSlowUvar(b []byte, i int) (uint32, int, *PCKError) {
	var x uint32
	for k, c := range b[i:] {
		if k == 4 && c > 0x0f {
			return 0, i, pckFail("ERR_OUT_OF_RANGE", i)
		}
		x |= uint32(c&0x7f) << (7 * k)
		if c == 0 && k > 0 {
			return 0, i, pckFail("ERR_NOT_SHORTEST", i)
		}
		if c < 0x80 {
			return x, i + k + 1, nil
		}
	}
	return 0, i, pckTruncated(i, 1)
}

// pckIvar reads an int32 as zigzagged LEB128.
func pckIvar(b []byte, i int) (int32, int, *PCKError) {
	if i < len(b) && b[i] < 0x80 {
		return int32(b[i]>>1) ^ -int32(b[i]&1), i + 1, nil
	}
	return pckLongIvar(b, i)
}

func pckLongIvar(b []byte, i int) (int32, int, *PCKError) {
	x, next, err := pckLongUvar(b, i)
	return int32(x>>1) ^ -int32(x&1), next, err
}

// pckUvar64 reads a uint64 as LEB128.
func pckUvar64(b []byte, i int) (uint64, int, *PCKError) {
	var x uint64
	for k, c := range b[i:] {
		if k == 9 && c > 1 {
			return 0, i, pckFail("ERR_OUT_OF_RANGE", i)
		}
		x |= uint64(c&0x7f) << (7 * k)
		if c < 0x80 {
			if c == 0 && k > 0 {
				return 0, i, pckFail("ERR_NOT_SHORTEST", i)
			}
			return x, i + k + 1, nil
		}
	}
	return 0, i, pckTruncated(i, 1)
}

// pckIvar64 reads an int64 as zigzagged LEB128.
func pckIvar64(b []byte, i int) (int64, int, *PCKError) {
	x, next, err := pckUvar64(b, i)
	return int64(x>>1) ^ -int64(x&1), next, err
}

// pckItem reads the position after a fixed number of bytes.
func pckItem(b []byte, i, size int) (int, *PCKError) {
	if len(b)-i < size {
		return i, pckTruncated(i, i+size-len(b))
	}
	return i + size, nil
}

// pckF32 is the float of 4 bytes.
func pckF32(b []byte) float32 {
	return math.Float32frombits(binary.LittleEndian.Uint32(b))
}

// pckF64 is the float of 8 bytes.
func pckF64(b []byte) float64 {
	return math.Float64frombits(binary.LittleEndian.Uint64(b))
}

// pckPlace reads the place of a name in a list of so many names.
func pckPlace(b []byte, i int, names uint32) (uint32, int, *PCKError) {
	x, next, err := pckUvar(b, i)
	if err == nil && x >= names {
		return 0, i, pckFail("ERR_UNKNOWN_INDEX", i)
	}
	return x, next, err
}

// pckFlag reads a byte that is 00 or 01.
func pckFlag(b []byte, i int) (bool, int, *PCKError) {
	if i >= len(b) {
		return false, i, pckTruncated(i, 1)
	}
	if b[i] > 1 {
		return false, i, pckFail("ERR_INVALID_PADDING", i)
	}
	return b[i] == 1, i + 1, nil
}

// pckBits reads the position after so many bits, of which spare ones are 0.
func pckBits(b []byte, i, count int) (int, *PCKError) {
	next, err := pckItem(b, i, (count+7)/8)
	if err == nil && count&7 != 0 && b[next-1]>>(count&7) != 0 {
		return i, pckFail("ERR_INVALID_PADDING", i)
	}
	return next, err
}

// pckBit is one of the bits that begin at a position.
func pckBit(b []byte, at, k int) bool {
	return b[at+k>>3]>>(k&7)&1 != 0
}

// pckBools reads packed bools into list.
func pckBools[T ~bool](b []byte, i int, list []T) (int, *PCKError) {
	next, err := pckBits(b, i, len(list))
	if err != nil {
		return i, err
	}
	for k := range list {
		list[k] = T(pckBit(b, i, k))
	}
	return next, nil
}

// pckCount reads how many elements follow, of at least so many bytes each. What the containers around it owe must fit behind it
// too: so a count that was made up costs nothing.
func pckCount(b []byte, i, owed, least int) (int, int, *PCKError) {
	n, next, err := pckUvar(b, i)
	if err != nil {
		return 0, i, err
	}
	left := len(b) - next - owed
	if left < 0 || uint64(n)*uint64(least) > uint64(left) {
		return 0, i, pckFail("ERR_LIMIT_ELEMENTS", i)
	}
	return int(n), next, nil
}

// pckBitCount is pckCount of elements that begin with a bit each.
func pckBitCount(b []byte, i, owed int) (int, int, *PCKError) {
	n, next, err := pckUvar(b, i)
	if err != nil {
		return 0, i, err
	}
	left := len(b) - next - owed
	if left < 0 || (uint64(n)+7)/8 > uint64(left) {
		return 0, i, pckFail("ERR_LIMIT_ELEMENTS", i)
	}
	return int(n), next, nil
}

// pckSpan reads a count and answers where so many bytes begin and end.
func pckSpan(b []byte, i int) (from, to int, err *PCKError) {
	n, from, err := pckUvar(b, i)
	if err != nil {
		return i, i, err
	}
	if left := len(b) - from; uint64(n) > uint64(left) {
		// On small machines an int may not hold what is missing.
		return i, i, pckTruncated(i, int(min(uint64(n)-uint64(left), math.MaxInt)))
	}
	return from, from + int(n), nil
}

// pckText reads UTF-8 with its count.
func pckText(b []byte, i int) (string, int, *PCKError) {
	if i < len(b) && int(b[i]) < min(0x80, len(b)-i) {
		// Short text, as most is, without another call.
		text := b[i+1 : i+1+int(b[i])]
		if pckIsASCII(text) {
			return string(text), i + 1 + len(text), nil
		}
	}
	from, to, err := pckSpan(b, i)
	if err != nil {
		return "", i, err
	}
	if !pckIsUTF8(b[from:to]) {
		return "", i, pckFail("ERR_INVALID_UTF8", i)
	}
	return string(b[from:to]), to, nil
}

// pckTextView reads UTF-8 with its count. The string is a pckView of b, which nobody may change while it is in use.
func pckTextView(b []byte, i int) (string, int, *PCKError) {
	from, to, err := pckSpan(b, i)
	if err != nil {
		return "", i, err
	}
	if !pckIsUTF8(b[from:to]) {
		return "", i, pckFail("ERR_INVALID_UTF8", i)
	}
	return pckView(b[from:to]), to, nil
}

// pckASCII reads pckASCII with its count.
func pckASCII(b []byte, i int) (string, int, *PCKError) {
	from, to, err := pckAsciiSpan(b, i)
	return string(b[from:to]), to, err
}

// pckASCIIView reads pckASCII with its count, as a pckView of b.
func pckASCIIView(b []byte, i int) (string, int, *PCKError) {
	from, to, err := pckAsciiSpan(b, i)
	return pckView(b[from:to]), to, err
}

func pckAsciiSpan(b []byte, i int) (from, to int, err *PCKError) {
	from, to, err = pckSpan(b, i)
	if err == nil && !pckIsASCII(b[from:to]) {
		return i, i, pckFail("ERR_INVALID_ASCII", i)
	}
	return from, to, err
}

// pckFixedASCII reads pckASCII of a fixed length.
func pckFixedASCII(b []byte, i, length int) (string, int, *PCKError) {
	next, err := pckFixedSpan(b, i, length)
	return string(b[i:next]), next, err
}

// pckFixedASCIIView reads pckASCII of a fixed length, as a pckView of b.
func pckFixedASCIIView(b []byte, i, length int) (string, int, *PCKError) {
	next, err := pckFixedSpan(b, i, length)
	return pckView(b[i:next]), next, err
}

func pckFixedSpan(b []byte, i, length int) (int, *PCKError) {
	next, err := pckItem(b, i, length)
	if err == nil && !pckIsASCII(b[i:next]) {
		return i, pckFail("ERR_INVALID_ASCII", i)
	}
	return next, err
}

// pckIsUTF8 is utf8.Valid, which is slower for pckASCII.
func pckIsUTF8(b []byte) bool {
	return pckIsASCII(b) || utf8.Valid(b)
}

func pckIsASCII(b []byte) bool {
	n := len(b)
	if n < 8 {
		return pckIsShortASCII(b)
	}
	// The last word may overlap the one before: so none is looked at byte by byte.
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

// pckIsShortASCII looks at less than 8 bytes, without a loop: some of them may be looked at twice.
func pckIsShortASCII(b []byte) bool {
	n := len(b)
	if n >= 4 {
		return (binary.LittleEndian.Uint32(b)|binary.LittleEndian.Uint32(b[n-4:]))&0x80808080 == 0
	}
	return n == 0 || b[0]|b[n/2]|b[n-1] < 0x80
}

// pckView is the text of bytes that nobody changes.
func pckView(b []byte) string {
	return unsafe.String(unsafe.SliceData(b), len(b))
}

// pckBytes reads a copy of bytes with their count; it is never nil.
func pckBytes(b []byte, i int) ([]byte, int, *PCKError) {
	from, to, err := pckSpan(b, i)
	if err != nil {
		return nil, i, err
	}
	return append([]byte{}, b[from:to]...), to, nil
}

// pckPointer is a pointer to x: for defaults of fields that may be nil.
func pckPointer[T any](x T) *T {
	return &x
}

// pckExtend makes b longer by n bytes, which the caller then writes.
func pckExtend(b []byte, n int) []byte {
	if cap(b)-len(b) < n {
		b = slices.Grow(b, n)
	}
	return b[:len(b)+n]
}

// pckAppendUvar writes a uint32 as LEB128.
func pckAppendUvar(b []byte, x uint32) []byte {
	if x < 0x80 {
		return append(b, byte(x))
	}
	return pckAppendLongUvar(b, x)
}

func pckAppendLongUvar(b []byte, x uint32) []byte {
	if x < 1<<14 {
		return append(b, byte(x)|0x80, byte(x>>7))
	}
	if x >= 1<<28 {
		return append(b, byte(x)|0x80, byte(x>>7)|0x80, byte(x>>14)|0x80, byte(x>>21)|0x80, byte(x>>28))
	}
	n := pckUvarSize(x)
	w := pckSpread(x, n)
	return append(b, byte(w), byte(w>>8), byte(w>>16), byte(w>>24))[:len(b)+n]
}

// pckSpread is a uint32 of less than 28 bits as n bytes of LEB128.
func pckSpread(x uint32, n int) uint32 {
	// What is shifted by is masked, so that the compiler need not look how large it is.
	return x&0x7f | x<<1&0x7f00 | x<<2&0x7f0000 | x<<3&0x7f000000 | 0x80808080&(1<<(uint(8*n-8)&31)-1)
}

// pckAppendUvars writes uint32s as LEB128.
func pckAppendUvars[T ~uint32](b []byte, list []T) []byte {
	at := len(b)
	if cap(b)-at < 5*len(list) {
		for _, x := range list {
			b = pckAppendUvar(b, uint32(x))
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
		n := pckUvarSize(x)
		binary.LittleEndian.PutUint32(b[at:], pckSpread(x, n))
		at += n
	}
	return b[:at]
}

// pckZigzag is the uint32 that stands for an int32 as a varint.
func pckZigzag(x int32) uint32 {
	return uint32(x)<<1 ^ uint32(x>>31)
}

// pckAppendUvar64 writes a uint64 as LEB128.
func pckAppendUvar64(b []byte, x uint64) []byte {
	return binary.AppendUvarint(b, x)
}

// pckAppendIvar64 writes an int64 as zigzagged LEB128.
func pckAppendIvar64(b []byte, x int64) []byte {
	return binary.AppendUvarint(b, pckZigzag64(x))
}

func pckZigzag64(x int64) uint64 {
	return uint64(x)<<1 ^ uint64(x>>63)
}

// pckUvarSize is how many bytes pckAppendUvar writes.
func pckUvarSize(x uint32) int {
	// A byte for each 7 bits begun, without a division: 9/64 is a little more than 1/7.
	return int(uint(9*bits.Len32(x|1)+64) / 64)
}

// pckIvarSize is how many bytes a zigzagged varint takes.
func pckIvarSize(x int32) int {
	return pckUvarSize(pckZigzag(x))
}

// pckUvar64Size is how many bytes pckAppendUvar64 writes.
func pckUvar64Size(x uint64) int {
	return int(uint(9*bits.Len64(x|1)+64) / 64)
}

// pckIvar64Size is how many bytes pckAppendIvar64 writes.
func pckIvar64Size(x int64) int {
	return pckUvar64Size(pckZigzag64(x))
}

// pckCountSize is how many bytes a count takes.
func pckCountSize(n int) int {
	return pckUvarSize(uint32(n))
}

// pckTextSize is how many bytes text or bytes with their count take.
func pckTextSize(n int) int {
	return pckCountSize(n) + n
}

// pckF32Bits are the bits of a float; every NaN has the same.
func pckF32Bits(x float32) uint32 {
	if x != x {
		return 0x7fc00000
	}
	return math.Float32bits(x)
}

// pckF64Bits are the bits of a float; every NaN has the same.
func pckF64Bits(x float64) uint64 {
	if x != x {
		return 0x7ff8000000000000
	}
	return math.Float64bits(x)
}

// pckAppendFlag writes a byte 00 or 01.
func pckAppendFlag(b []byte, flag bool) []byte {
	if flag {
		return append(b, 1)
	}
	return append(b, 0)
}

// pckAppendZeros writes the bytes of so many bits, which the caller then sets.
func pckAppendZeros(b []byte, bits int) []byte {
	n := len(b)
	b = pckExtend(b, (bits+7)/8)
	clear(b[n:])
	return b
}

// pckAppendBools writes packed bools.
func pckAppendBools[T ~bool](b []byte, list []T) []byte {
	at := len(b)
	b = pckAppendZeros(b, len(list))
	for k, flag := range list {
		if flag {
			b[at+k>>3] |= 1 << (k & 7)
		}
	}
	return b
}

// pckAppendCount writes how many elements follow.
func pckAppendCount(b []byte, n int) ([]byte, *PCKError) {
	if uint64(n) > math.MaxUint32 {
		return b, pckRefuse("ERR_OUT_OF_RANGE", "")
	}
	return pckAppendUvar(b, uint32(n)), nil
}

// pckAppendText writes UTF-8 with its count.
func pckAppendText(b []byte, text string) ([]byte, *PCKError) {
	// The text is looked at where it is: what was just copied would have to be waited for.
	if !pckIsASCII(pckBytesOf(text)) && !utf8.ValidString(text) {
		return b, pckRefuse("ERR_INVALID_UTF8", "")
	}
	if len(text) < 0x80 {
		at := len(b)
		b = pckExtend(b, 1+len(text))
		b[at] = byte(len(text))
		copy(b[at+1:], text)
		return b, nil
	}
	b, err := pckAppendCount(b, len(text))
	if err != nil {
		return b, err
	}
	return append(b, text...), nil
}

// pckBytesOf are the bytes of text, which nobody may change.
func pckBytesOf(text string) []byte {
	return unsafe.Slice(unsafe.StringData(text), len(text))
}

// pckAppendASCII writes pckASCII with its count.
func pckAppendASCII(b []byte, text string) ([]byte, *PCKError) {
	b, err := pckAppendCount(b, len(text))
	if err != nil {
		return b, err
	}
	return pckAppendIfASCII(b, text)
}

// pckAppendFixedASCII writes pckASCII of a fixed length.
func pckAppendFixedASCII(b []byte, text string, length int) ([]byte, *PCKError) {
	// pckText that is no pckASCII has another length in other languages.
	out, err := pckAppendIfASCII(b, text)
	if err == nil && len(text) != length {
		return b, pckRefuse("ERR_OUT_OF_RANGE", "")
	}
	return out, err
}

func pckAppendIfASCII(b []byte, text string) ([]byte, *PCKError) {
	if !pckIsASCII(pckBytesOf(text)) {
		return b, pckRefuse("ERR_INVALID_ASCII", "")
	}
	return append(b, text...), nil
}

// pckAppendBytes writes bytes with their count.
func pckAppendBytes(b, data []byte) ([]byte, *PCKError) {
	b, err := pckAppendCount(b, len(data))
	if err != nil {
		return b, err
	}
	return append(b, data...), nil
}

// pckSortedKeys are the keys of a map in the order in which they are written.
func pckSortedKeys[K cmp.Ordered, V any](m map[K]V) []K {
	keys := make([]K, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
`;
