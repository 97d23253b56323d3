package golden

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Document is a schema document.
type Document struct {
	Root    string             `json:"root"`
	Structs map[string]*Struct `json:"structs"`
}

// Struct is a struct of a document.
type Struct struct {
	Fields []*Field `json:"fields"`
}

// Field is a field of a struct.
type Field struct {
	Name string   `json:"name"`
	Type *Type    `json:"type"`
	Omit []string `json:"omit"`
}

// omits reports whether the field has a flag.
func (f *Field) omits(flag string) bool {
	for _, one := range f.Omit {
		if one == flag {
			return true
		}
	}
	return false
}

// Arm is an arm of a union: its name and the name of its struct.
type Arm struct {
	Name, Struct string
}

// Type is a type of a document.
type Type struct {
	Kind          string
	Length        int
	Names         []string
	Ref           string
	Arms          []Arm
	Discriminator string
	Key, Value    *Type
}

// UnmarshalJSON reads a type: "u8", {"array": "u8", "length": 3} and so on.
func (t *Type) UnmarshalJSON(text []byte) error {
	if text[0] == '"' {
		return json.Unmarshal(text, &t.Kind)
	}
	parts := map[string]json.RawMessage{}
	if err := json.Unmarshal(text, &parts); err != nil {
		return err
	}
	if err := unmarshalPart(parts, "length", &t.Length); err != nil {
		return err
	}
	t.Discriminator = "kind"
	if err := unmarshalPart(parts, "discriminator", &t.Discriminator); err != nil {
		return err
	}
	for kind, part := range parts {
		t.Kind = kind
		switch kind {
		case "bytes", "ascii":
			return json.Unmarshal(part, &t.Length)
		case "enumeration":
			return json.Unmarshal(part, &t.Names)
		case "ref":
			return json.Unmarshal(part, &t.Ref)
		case "array", "nullable":
			return json.Unmarshal(part, &t.Value)
		case "map":
			pair := []*Type{}
			err := json.Unmarshal(part, &pair)
			t.Key, t.Value = pair[0], pair[1]
			return err
		case "union":
			arms := [][2]string{}
			err := json.Unmarshal(part, &arms)
			for _, arm := range arms {
				t.Arms = append(t.Arms, Arm{arm[0], arm[1]})
			}
			return err
		}
	}
	return fmt.Errorf("unknown type %s", text)
}

func unmarshalPart(parts map[string]json.RawMessage, name string, value any) error {
	part, ok := parts[name]
	if !ok {
		return nil
	}
	delete(parts, name)
	return json.Unmarshal(part, value)
}

// parse reads JSON and keeps numbers as text.
func parse(text []byte) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var value any
	err := decoder.Decode(&value)
	return value, err
}
