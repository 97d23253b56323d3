package pck

import (
	"strconv"
	"unicode/utf8"
)

// Error describes a message that is not valid, or a value that cannot be written.
type Error struct {
	// Code is stable and the same in every language: ERR_TRUNCATED and so on.
	Code string
	// Offset is the position of the offending item in the message. 0 for a value that cannot be written.
	Offset int
	// NeedMore is the least number of bytes that are missing from a truncated message, else 0.
	NeedMore int
	// Path leads to the value that cannot be written: $.items[3].title. It is empty for an error of reading.
	Path string
}

// Error returns the code, and the path or position.
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

// In puts the path of the enclosing value before the path of e.
func (e *Error) In(path string) *Error {
	e.Path = path + e.Path
	return e
}

// ReadError returns an error for the item at an offset of a message.
func ReadError(code string, offset int) *Error {
	return &Error{Code: code, Offset: offset}
}

// WriteError returns an error for the value at a path.
func WriteError(code, path string) *Error {
	return &Error{Code: code, Path: path}
}

// truncated returns an error for an item that needs more bytes than are left.
func truncated(offset, needMore int) *Error {
	return &Error{Code: "ERR_TRUNCATED", Offset: offset, NeedMore: needMore}
}

// IndexStep returns the step of a path to an element.
func IndexStep(k int) string {
	return "[" + strconv.Itoa(k) + "]"
}

// KeyStep returns the step of a path to the value of a number key.
func KeyStep[T ~uint8 | ~uint16 | ~uint32 | ~int8 | ~int16 | ~int32](key T) string {
	return "[" + strconv.FormatInt(int64(key), 10) + "]"
}

// KeyStepI64 returns the step of a path to the value of a signed key of 64 bits, which is text in JSON.
func KeyStepI64(key int64) string {
	return `["` + strconv.FormatInt(key, 10) + `"]`
}

// KeyStepU64 returns the step of a path to the value of an unsigned key of 64 bits, which is text in JSON.
func KeyStepU64(key uint64) string {
	return `["` + strconv.FormatUint(key, 10) + `"]`
}

// KeyStepText returns the step of a path to the value of a text key, quoted as in JSON. Invalid UTF-8 becomes U+FFFD.
func KeyStepText(key string) string {
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
