package pck

import (
	"strconv"
	"unicode/utf8"
)

// Error is a message that cannot be read, or a value that cannot be written.
type Error struct {
	// Code is stable: ERR_TRUNCATED and so on, the same in every language.
	Code string
	// Offset is the first byte of the offending item in a message that is read.
	Offset int
	// NeedMore is how many bytes are missing at least where a message is cut short, else 0.
	NeedMore int
	// Path is where the offending value lies in what is written: $.items[3].title. Empty for a message that is read.
	Path string
}

// Error describes what is wrong, and where.
func (e *Error) Error() string {
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
func (e *Error) In(path string) *Error {
	e.Path = path + e.Path
	return e
}

// Fail is an error at an offset of a message.
func Fail(code string, offset int) *Error {
	return &Error{Code: code, Offset: offset}
}

// Refuse is an error of a value that lies at this path.
func Refuse(code, path string) *Error {
	return &Error{Code: code, Path: path}
}

func truncated(offset, needMore int) *Error {
	return &Error{Code: "ERR_TRUNCATED", Offset: offset, NeedMore: needMore}
}

// Index is the step of a path to an element.
func Index(k int) string {
	return "[" + strconv.Itoa(k) + "]"
}

// Key is the step of a path to the value of a key that is a number.
func Key[T ~uint8 | ~uint16 | ~uint32 | ~int8 | ~int16 | ~int32](key T) string {
	return "[" + strconv.FormatInt(int64(key), 10) + "]"
}

// KeyI64 is the step of a path to the value of a signed key of 64 bits, which JSON has as text.
func KeyI64(key int64) string {
	return `["` + strconv.FormatInt(key, 10) + `"]`
}

// KeyU64 is the step of a path to the value of an unsigned key of 64 bits, which JSON has as text.
func KeyU64(key uint64) string {
	return `["` + strconv.FormatUint(key, 10) + `"]`
}

// KeyText is the step of a path to the value of a key that is text, as JSON has it. What is no UTF-8 is U+FFFD there.
func KeyText(key string) string {
	const hex = "0123456789abcdef"
	step := []byte(`["`)
	for i := 0; i < len(key); i++ {
		switch c := key[i]; {
		case c == '"' || c == '\\':
			step = append(step, '\\', c)
		case c == '\b':
			step = append(step, `\b`...)
		case c == '\t':
			step = append(step, `\t`...)
		case c == '\n':
			step = append(step, `\n`...)
		case c == '\f':
			step = append(step, `\f`...)
		case c == '\r':
			step = append(step, `\r`...)
		case c < 0x20:
			step = append(step, `\u00`...)
			step = append(step, hex[c>>4], hex[c&15])
		case c < utf8.RuneSelf:
			step = append(step, c)
		default:
			r, size := utf8.DecodeRuneInString(key[i:])
			if r == utf8.RuneError && size == 1 {
				step = append(step, `\ufffd`...)
			} else {
				step = append(step, key[i:i+size]...)
			}
			i += size - 1
		}
	}
	return string(append(step, `"]`...))
}
