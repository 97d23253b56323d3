package pck

import (
	"strings"
	"testing"
)

// TestASCII: a byte that is none is found at every place of texts of every length.
func TestASCII(t *testing.T) {
	for n := range 70 {
		text := []byte(strings.Repeat("a", n))
		if !isASCII(text) {
			t.Error(n)
		}
		for k := range text {
			text[k] = 0x80
			if isASCII(text) {
				t.Error(n, k)
			}
			text[k] = 0x7f
		}
	}
}
