package pck

import (
	"strings"
	"testing"
)

// TestASCII checks that a byte above 0x7f is found at every position of texts of every length.
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
