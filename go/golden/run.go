package golden

import (
	"bufio"
	"bytes"
	"encoding"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// Message is a pointer to an emitted struct.
type Message interface {
	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
	AppendTo(b []byte) ([]byte, error)
	Size() int
}

// Fault is an error in the form of the vectors.
type Fault struct {
	Code     string `json:"code"`
	Offset   int    `json:"offset"`
	NeedMore int    `json:"needMore"`
	// Path leads to the value that cannot be written.
	Path string `json:"path"`
}

// Suite is the emitted code that is tested.
type Suite struct {
	// New makes an empty root struct of each schema. It is nil for a schema that is not in the suite.
	New []func() Message
	// Arms are the wrappers of unions.
	Arms Arms
	// FaultOf converts an error. It returns false for an error of another type.
	FaultOf func(error) (Fault, bool)
}

// line is one line of a file of cases: a schema document, or a case of the schema before it.
type line struct {
	Schema *int            `json:"schema"`
	Doc    *Document       `json:"doc"`
	Kind   string          `json:"kind"`
	Bytes  string          `json:"bytes"`
	Value  json.RawMessage `json:"value"`
	Given  json.RawMessage `json:"given"`
	Error  Fault           `json:"error"`
}

// Run tests the cases of a file and returns their number.
func (s Suite) Run(t *testing.T, path string) int {
	file := must(os.Open(path))
	defer file.Close()
	reader := bufio.NewReader(file)
	schema := schemaRun{t: t, suite: s}
	for count := 0; ; {
		text, err := reader.ReadBytes('\n')
		if err == io.EOF {
			return count
		}
		var one line
		if err := json.Unmarshal(text, &one); err != nil {
			t.Fatal(err, string(text))
		}
		if one.Schema != nil {
			schema.make = s.New[*one.Schema]
			schema.converter = converter{doc: one.Doc, arms: s.Arms}
			if schema.make != nil {
				schema.used = schema.make()
			}
			continue
		}
		if schema.make == nil {
			continue
		}
		count++
		schema.test(&one, string(bytes.TrimSpace(text)))
	}
}

// schemaRun is the consecutive cases of one schema.
type schemaRun struct {
	t     *testing.T
	suite Suite
	make  func() Message
	converter
	// used is decoded into again and again. It must keep no old data.
	used Message
}

func (r *schemaRun) test(one *line, text string) {
	data := must(hex.DecodeString(one.Bytes))
	read := Message.UnmarshalBinary
	if one.Kind == "resolve" {
		read = readOlder
	}
	if one.Kind == "refused" {
		r.refused(must(parse(one.Value)), one.Error, text)
		return
	}
	if one.Error.Code != "" {
		r.rejected(data, one.Error, read, text)
		return
	}
	want := must(parse(one.Value))
	fresh := r.make()
	for _, message := range []Message{fresh, r.used} {
		if err := read(message, data); err != nil {
			r.t.Errorf("%v: %.1000s", err, text)
			return
		}
		if form := r.structForm(r.doc.Root, reflect.ValueOf(message).Elem()); !same(form, want) {
			got, _ := json.Marshal(form)
			r.t.Errorf("decoded %s: %.1000s", got, text)
		}
	}
	if one.Kind != "value" {
		return
	}
	r.encode(fresh, data, text)
	forms := []any{want}
	if one.Given != nil {
		forms = append(forms, must(parse(one.Given)))
	}
	for _, form := range forms {
		message := r.make()
		r.fillStruct(r.doc.Root, form.(map[string]any), reflect.ValueOf(message).Elem())
		r.encode(message, data, text)
	}
	r.prefixes(data, text)
}

func (r *schemaRun) encode(message Message, want []byte, text string) {
	before := []byte("before")
	got, err := message.AppendTo(before)
	if err != nil || !bytes.Equal(got, append(before, want...)) {
		r.t.Errorf("AppendTo: %x, %v: %.1000s", got, err, text)
	}
	got, err = message.MarshalBinary()
	if err != nil || !bytes.Equal(got, want) {
		r.t.Errorf("MarshalBinary: %x, %v: %.1000s", got, err, text)
	}
	if size := message.Size(); size != len(want) {
		r.t.Errorf("Size: %d, not %d: %.1000s", size, len(want), text)
	}
}

// readOlder reads a message from the bytes of an older schema.
func readOlder(message Message, data []byte) error {
	return message.(interface{ UnmarshalBinaryFromOld(b []byte) error }).UnmarshalBinaryFromOld(data)
}

func (r *schemaRun) rejected(data []byte, want Fault, read func(Message, []byte) error, text string) {
	fresh := r.make()
	for _, message := range []Message{fresh, r.used} {
		fault, ok := r.suite.FaultOf(read(message, data))
		if !ok || fault != want {
			r.t.Errorf("%v: %.1000s", fault, text)
		}
		if !reflect.ValueOf(message).Elem().IsZero() {
			r.t.Errorf("old data is left after an error: %.1000s", text)
		}
	}
}

// refused tests that a value is not written, and that the error has the code and the path.
func (r *schemaRun) refused(form any, want Fault, text string) {
	message := r.make()
	lost := false
	wrong := converter{doc: r.doc, arms: r.arms, isWrong: true, lost: &lost}
	wrong.fillStruct(r.doc.Root, form.(map[string]any), reflect.ValueOf(message).Elem())
	if lost {
		return
	}
	// A lone surrogate in JavaScript is an invalid byte in Go. An unknown name is a number in Go.
	want.Path = strings.ReplaceAll(want.Path, `\ud800`, `\ufffd`)
	want.Path = strings.ReplaceAll(want.Path, `["no such name"]`, `["?(4294967295)"]`)
	got, err := message.AppendTo([]byte("before"))
	fault, ok := r.suite.FaultOf(err)
	fault.Path = unknownName.ReplaceAllString(fault.Path, `["?(4294967295)"]`)
	if !ok || fault != want || string(got) != "before" {
		r.t.Errorf("AppendTo: %q, %+v, not %+v: %.1000s", got, fault, want, text)
	}
	if _, err := message.MarshalBinary(); err == nil {
		r.t.Errorf("MarshalBinary does not fail: %.1000s", text)
	}
	message.Size()
}

var unknownName = regexp.MustCompile(`\["[^"(]*\(4294967295\)"\]`)

// prefixes tests that no strict prefix of a message is valid.
func (r *schemaRun) prefixes(data []byte, text string) {
	step := 1 + len(data)/64
	for n := 0; n < len(data); n += step {
		fault, ok := r.suite.FaultOf(r.make().UnmarshalBinary(data[:n:n]))
		if !ok || fault.Code != "ERR_TRUNCATED" && fault.Code != "ERR_LIMIT_ELEMENTS" || fault.Offset > n {
			r.t.Errorf("%d bytes of it: %v: %.1000s", n, fault, text)
		}
	}
}

// FaultOf returns a function that converts errors of type E.
func FaultOf[E error](parts func(E) Fault) func(error) (Fault, bool) {
	return func(err error) (Fault, bool) {
		var one E
		if !errors.As(err, &one) {
			return Fault{}, false
		}
		return parts(one), true
	}
}
