package golden

import "reflect"

// Used returns a value that holds old data, which reading must overwrite.
func Used[T any]() *T {
	value := new(T)
	use(reflect.ValueOf(value).Elem())
	return value
}

// use fills v with old data. Pointers and interfaces stay nil, since their values could nest without end.
func use(v reflect.Value) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(1)
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(-1)
	case reflect.Float32, reflect.Float64:
		v.SetFloat(0.5)
	case reflect.String:
		v.SetString("old")
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.Zero(v.Type().Key()), reflect.Zero(v.Type().Elem()))
	case reflect.Array:
		for i := range v.Len() {
			use(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			use(v.Field(i))
		}
	}
}
