package golden

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Arms has the wrappers of each union's arms, in the order of the schema.
type Arms map[reflect.Type][]reflect.Type

// converter converts values of emitted types to their JSON form and back.
type converter struct {
	doc  *Document
	arms Arms
	// isWrong marks values that must be refused: text may be invalid UTF-8.
	isWrong bool
	// lost is set if the JSON form has a null that the Go type cannot hold.
	lost *bool
}

// fill sets v, of an emitted type, to the value of its JSON form.
func (c converter) fill(t *Type, form any, v reflect.Value) {
	if form == nil {
		// The value is nil already, or the empty value that means absent.
		if c.lost != nil && v.Kind() == reflect.Struct {
			*c.lost = true
		}
		return
	}
	if t.Kind == "nullable" {
		// The value is a pointer, or the interface of a union.
		c.fill(t.Value, form, v)
		return
	}
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	switch t.Kind {
	case "bool":
		v.SetBool(form.(bool))
	case "u8", "u16", "u32", "uvar":
		v.SetUint(must(strconv.ParseUint(integer(form), 10, 32)))
	case "u64", "uvar64":
		v.SetUint(must(strconv.ParseUint(form.(string), 10, 64)))
	case "i8", "i16", "i32", "ivar":
		v.SetInt(must(strconv.ParseInt(integer(form), 10, 32)))
	case "i64", "ivar64":
		v.SetInt(must(strconv.ParseInt(form.(string), 10, 64)))
	case "f32", "f64":
		v.SetFloat(float(form))
	case "enumeration":
		v.SetUint(uint64(slices.Index(t.Names, form.(string))))
	case "utf8", "ascii":
		text := form.(string)
		if c.isWrong {
			// The JSON decoder turns a lone surrogate into U+FFFD.
			text = strings.ReplaceAll(text, "\ufffd", "\xff")
		}
		v.SetString(text)
	case "bytes":
		data := must(base64.StdEncoding.DecodeString(form.(string)))
		if v.Kind() == reflect.Slice {
			v.SetBytes(data)
		} else {
			reflect.Copy(v, reflect.ValueOf(data))
		}
	case "ref":
		c.fillStruct(t.Ref, form.(map[string]any), v)
	case "union":
		object := form.(map[string]any)
		place := slices.IndexFunc(t.Arms, func(arm Arm) bool { return arm.Name == object[t.Discriminator] })
		arm := reflect.New(c.arms[v.Type()][place].Elem())
		c.fillStruct(t.Arms[place].Struct, object, arm.Elem().Field(0))
		v.Set(arm)
	case "array":
		list := form.([]any)
		if v.Kind() == reflect.Slice {
			v.Set(reflect.MakeSlice(v.Type(), len(list), len(list)))
		}
		for i, item := range list {
			c.fill(t.Value, item, v.Index(i))
		}
	case "map":
		v.Set(reflect.MakeMap(v.Type()))
		for _, pair := range form.([]any) {
			key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			c.fill(t.Key, pair.([]any)[0], key)
			c.fill(t.Value, pair.([]any)[1], value)
			v.SetMapIndex(key, value)
		}
	default:
		panic("unknown type " + t.Kind)
	}
}

func (c converter) fillStruct(name string, object map[string]any, v reflect.Value) {
	for i, field := range c.doc.Structs[name].Fields {
		if form, ok := object[field.Name]; ok {
			c.fill(field.Type, form, v.Field(i))
		}
	}
}

// form returns the JSON form of v.
func (c converter) form(t *Type, v reflect.Value) any {
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	switch t.Kind {
	case "bool":
		return v.Bool()
	case "u8", "u16", "u32", "uvar":
		return json.Number(strconv.FormatUint(v.Uint(), 10))
	case "u64", "uvar64":
		return strconv.FormatUint(v.Uint(), 10)
	case "i8", "i16", "i32", "ivar":
		return json.Number(strconv.FormatInt(v.Int(), 10))
	case "i64", "ivar64":
		return strconv.FormatInt(v.Int(), 10)
	case "f32", "f64":
		return floatForm(v.Float())
	case "enumeration":
		return v.Interface().(fmt.Stringer).String()
	case "utf8", "ascii":
		return v.String()
	case "bytes":
		data := make([]byte, v.Len())
		reflect.Copy(reflect.ValueOf(data), v)
		return base64.StdEncoding.EncodeToString(data)
	case "ref":
		return c.structForm(t.Ref, v)
	case "union":
		arm := v.Elem()
		place := slices.Index(c.arms[v.Type()], arm.Type())
		object := c.structForm(t.Arms[place].Struct, arm.Elem().Field(0))
		object[t.Discriminator] = t.Arms[place].Name
		return object
	case "array":
		list := make([]any, v.Len())
		for i := range list {
			if item := v.Index(i); t.Value.Kind != "nullable" {
				list[i] = c.form(t.Value, item)
			} else if !item.IsNil() {
				list[i] = c.form(t.Value.Value, item)
			}
		}
		return list
	case "map":
		return c.mapForm(t, v)
	default:
		panic("unknown type " + t.Kind)
	}
}

func (c converter) mapForm(t *Type, v reflect.Value) any {
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int {
		switch {
		case a.CanUint() && a.Uint() < b.Uint(), a.CanInt() && a.Int() < b.Int():
			return -1
		case a.Kind() == reflect.String && a.String() < b.String():
			return -1
		}
		return 1
	})
	pairs := make([]any, len(keys))
	for i, key := range keys {
		value := v.MapIndex(key)
		var form any
		if t.Value.Kind != "nullable" {
			form = c.form(t.Value, value)
		} else if !value.IsNil() {
			form = c.form(t.Value.Value, value)
		}
		pairs[i] = []any{c.form(t.Key, key), form}
	}
	return pairs
}

func (c converter) structForm(name string, v reflect.Value) map[string]any {
	object := map[string]any{}
	for i, field := range c.doc.Structs[name].Fields {
		value := v.Field(i)
		if isAbsent(field, value) && field.omits("null") {
			object[field.Name] = nil
		} else {
			object[field.Name] = c.form(field.Type, value)
		}
	}
	return object
}

// isAbsent reports whether a value means that its field is absent.
func isAbsent(field *Field, v reflect.Value) bool {
	if field.omits("empty") {
		return v.Len() == 0
	}
	if field.omits("zero") {
		// IsZero is true for -0 too.
		return v.IsZero() && !(v.CanFloat() && math.Signbit(v.Float()))
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Interface:
		return v.IsNil()
	}
	return false
}

func integer(form any) string {
	return form.(json.Number).String()
}

func float(form any) float64 {
	if number, ok := form.(json.Number); ok {
		return must(number.Float64())
	}
	switch form.(string) {
	case "NaN":
		return math.NaN()
	case "Infinity":
		return math.Inf(1)
	case "-Infinity":
		return math.Inf(-1)
	}
	return math.Copysign(0, -1)
}

func floatForm(x float64) any {
	switch {
	case math.IsNaN(x):
		return "NaN"
	case math.IsInf(x, 1):
		return "Infinity"
	case math.IsInf(x, -1):
		return "-Infinity"
	case x == 0 && math.Signbit(x):
		return "-0"
	}
	return json.Number(strconv.FormatFloat(x, 'g', -1, 64))
}

// same compares JSON forms. Numbers are compared by value.
func same(a, b any) bool {
	switch a := a.(type) {
	case json.Number:
		other, ok := b.(json.Number)
		return ok && float(a) == float(other)
	case []any:
		other, ok := b.([]any)
		return ok && slices.EqualFunc(a, other, same)
	case map[string]any:
		other, ok := b.(map[string]any)
		if !ok || len(a) != len(other) {
			return false
		}
		for key, value := range a {
			if found, ok := other[key]; !ok || !same(value, found) {
				return false
			}
		}
		return true
	}
	return a == b
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
