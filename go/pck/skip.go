package pck

// SkipText skips text or bytes with their count. The text is not checked.
func SkipText(b []byte, i int) (int, *Error) {
	_, to, err := readSpan(b, i)
	return to, err
}

// SkipUvar skips a varint of 32 bits.
func SkipUvar(b []byte, i int) (int, *Error) {
	if next := varintEnd(b, i, 4); next > 0 {
		return next, nil
	}
	_, next, err := Uvar(b, i)
	return next, err
}

// SkipUvar64 skips a varint of 64 bits.
func SkipUvar64(b []byte, i int) (int, *Error) {
	if next := varintEnd(b, i, 9); next > 0 {
		return next, nil
	}
	_, next, err := Uvar64(b, i)
	return next, err
}

// SkipIndex skips the index of a name.
func SkipIndex(b []byte, i int, names uint32) (int, *Error) {
	if next := varintEnd(b, i, 4); next > 0 {
		return next, nil
	}
	_, next, err := NameIndex(b, i, names)
	return next, err
}

// varintEnd returns the end of a varint of at most most bytes, which is valid whatever its bits are; 0 for any other.
func varintEnd(b []byte, i, most int) int {
	for k, c := range b[i:min(len(b), i+most)] {
		if c < 0x80 {
			if c == 0 && k > 0 {
				return 0
			}
			return i + k + 1
		}
	}
	return 0
}

// SkipUvars skips n varints by the bytes that end one.
func SkipUvars(b []byte, i, n int, skip func(b []byte, i int) (int, *Error)) (int, *Error) {
	left := n
	for k := i; k < len(b); k++ {
		if left == 0 {
			return k, nil
		}
		left -= 1 - int(b[k]>>7)
	}
	if left == 0 {
		return len(b), nil
	}
	var err *Error
	for range n {
		if i, err = skip(b, i); err != nil {
			return i, err
		}
	}
	return i, nil
}

// SkipTexts skips n texts or byte strings.
func SkipTexts(b []byte, i, n int) (int, *Error) {
	var err *Error
	for range n {
		if i, err = SkipText(b, i); err != nil {
			return i, err
		}
	}
	return i, nil
}
