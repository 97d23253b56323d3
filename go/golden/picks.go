package golden

import (
	"bufio"
	"encoding"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"reflect"
	"sort"
	"strconv"
	"strings"
	"testing"
)

// pickCase is a message and what a type of some fields holds of it.
type pickCase struct {
	Pick  int    `json:"pick"`
	Bytes string `json:"bytes"`
	// Value is the text of the value; empty for an error.
	Value string `json:"value"`
	// Error is the error; its code is empty if any error will do.
	Error Fault `json:"error"`
}

// RunPicks tests the cases of a file and returns their number. picks makes an empty value of each pick; nil skips one.
func RunPicks(t *testing.T, path string, picks []func() encoding.BinaryUnmarshaler, faultOf func(error) (Fault, bool)) int {
	file := must(os.Open(path))
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<26)
	count := 0
	for ; lines.Scan(); count++ {
		var one pickCase
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			t.Fatal(err)
		}
		value := picks[one.Pick]()
		err := value.UnmarshalBinary(must(hex.DecodeString(one.Bytes)))
		got := textOf(reflect.ValueOf(value).Elem())
		if one.Value != "" {
			if err != nil || got != one.Value {
				t.Errorf("%s, %v: %.3000s", got, err, lines.Text())
			}
			continue
		}
		fault, isOurs := faultOf(err)
		if !isOurs || (one.Error.Code != "" && fault != one.Error) {
			t.Errorf("%v: %.3000s", err, lines.Text())
		}
		if !reflect.ValueOf(value).Elem().IsZero() {
			t.Errorf("not empty after an error: %.3000s", lines.Text())
		}
	}
	return count
}

// textOf returns a value as text. What may stand for an absent value is "_": nil, zero, and empty.
func textOf(v reflect.Value) string {
	if name, isName := v.Interface().(fmt.Stringer); isName && v.Kind() == reflect.Uint32 {
		return quotedHex(name.String())
	}
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() {
			return "_"
		}
		return "<" + textOf(v.Elem().Elem().Field(0)) + ">"
	case reflect.Pointer:
		if v.IsNil() {
			return "_"
		}
		return textOf(v.Elem())
	case reflect.Bool:
		return strconv.FormatBool(v.Bool())
	case reflect.String:
		return quotedHex(v.String())
	case reflect.Float32, reflect.Float64:
		return number(strconv.FormatUint(math.Float64bits(v.Float()), 16))
	case reflect.Slice, reflect.Array:
		if v.Len() == 0 {
			return "_"
		}
		items := make([]string, v.Len())
		for k := range items {
			items[k] = textOf(v.Index(k))
		}
		return "[" + strings.Join(items, ",") + "]"
	case reflect.Map:
		if v.Len() == 0 {
			return "_"
		}
		var pairs []string
		for _, key := range v.MapKeys() {
			pairs = append(pairs, textOf(key)+":"+textOf(v.MapIndex(key)))
		}
		sort.Strings(pairs)
		return "(" + strings.Join(pairs, ",") + ")"
	case reflect.Struct:
		fields := make([]string, v.NumField())
		for k := range fields {
			fields[k] = textOf(v.Field(k))
		}
		return "{" + strings.Join(fields, ",") + "}"
	}
	return number(fmt.Sprint(v.Interface()))
}

func number(text string) string {
	if text == "0" {
		return "_"
	}
	return text
}

func quotedHex(text string) string {
	if text == "" {
		return "_"
	}
	return `"` + hex.EncodeToString([]byte(text)) + `"`
}
