package bench

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"google.golang.org/protobuf/proto"

	"moonpack/bench/plain"
	"moonpack/bench/protobuf"
	"moonpack/game"
)

const stories = "../../data/hn-top-stories.json"

// rival is a format: it encodes or decodes n times, and has the size of its message.
type rival struct {
	name           string
	encode, decode func(n int) error
	size           int
}

// workload is one value in every format.
type workload struct {
	name   string
	rivals []rival
}

// workloads returns the workloads. Every format writes into memory that it reuses, except encoding/json, which cannot. Every format
// reads into new values, on the stack if the compiler can prove that they stay there, so each has its own loops without interfaces.
func workloads(t testing.TB) []workload {
	player, plainPlayer, protoPlayer := Player()
	top, plainTop, protoTop, err := TopStories(stories)
	if err != nil {
		t.Fatal(err)
	}
	buffer := make([]byte, 0, 1<<18)
	data := dataOf(t, player, plainPlayer, protoPlayer)
	topData := dataOf(t, top, plainTop, protoTop)
	return []workload{
		{"Player", []rival{
			{"moonpack", func(n int) (err error) {
				for range n {
					_, err = player.AppendTo(buffer)
				}
				return err
			}, func(n int) (err error) {
				for range n {
					var v game.Player
					err = v.UnmarshalBinary(data[0])
				}
				return err
			}, len(data[0])},
			{"msgp", func(n int) (err error) {
				for range n {
					_, err = plainPlayer.MarshalMsg(buffer)
				}
				return err
			}, func(n int) (err error) {
				for range n {
					var v plain.Player
					_, err = v.UnmarshalMsg(data[1])
				}
				return err
			}, len(data[1])},
			{"protobuf", func(n int) (err error) {
				for range n {
					_, err = proto.MarshalOptions{}.MarshalAppend(buffer, protoPlayer)
				}
				return err
			}, func(n int) (err error) {
				for range n {
					var v protobuf.Player
					err = proto.Unmarshal(data[2], &v)
				}
				return err
			}, len(data[2])},
			{"json", func(n int) (err error) {
				for range n {
					_, err = json.Marshal(plainPlayer)
				}
				return err
			}, func(n int) (err error) {
				for range n {
					var v plain.Player
					err = json.Unmarshal(data[3], &v)
				}
				return err
			}, len(data[3])},
		}},
		{"HackerNews", []rival{
			{"moonpack", func(n int) (err error) {
				for range n {
					_, err = top.AppendTo(buffer)
				}
				return err
			}, func(n int) (err error) {
				for range n {
					var v game.TopStories
					err = v.UnmarshalBinary(topData[0])
				}
				return err
			}, len(topData[0])},
			{"msgp", func(n int) (err error) {
				for range n {
					_, err = plainTop.MarshalMsg(buffer)
				}
				return err
			}, func(n int) (err error) {
				for range n {
					var v plain.TopStories
					_, err = v.UnmarshalMsg(topData[1])
				}
				return err
			}, len(topData[1])},
			{"protobuf", func(n int) (err error) {
				for range n {
					_, err = proto.MarshalOptions{}.MarshalAppend(buffer, protoTop)
				}
				return err
			}, func(n int) (err error) {
				for range n {
					var v protobuf.TopStories
					err = proto.Unmarshal(topData[2], &v)
				}
				return err
			}, len(topData[2])},
			{"json", func(n int) (err error) {
				for range n {
					_, err = json.Marshal(plainTop)
				}
				return err
			}, func(n int) (err error) {
				for range n {
					var v plain.TopStories
					err = json.Unmarshal(topData[3], &v)
				}
				return err
			}, len(topData[3])},
		}},
	}
}

// dataOf returns a value's bytes in every format. It checks that every format reads an equal value from its own bytes.
func dataOf(t testing.TB, ours encoding.BinaryMarshaler, theirs interface{ MarshalMsg([]byte) ([]byte, error) }, message proto.Message) [][]byte {
	data := make([][]byte, 4)
	errs := make([]error, 8)
	data[0], errs[0] = ours.MarshalBinary()
	data[1], errs[1] = theirs.MarshalMsg(nil)
	data[2], errs[2] = proto.Marshal(message)
	data[3], errs[3] = json.Marshal(theirs)
	one, other, third, fourth := fresh(ours), fresh(theirs), fresh(message), fresh(theirs)
	errs[4] = one.(encoding.BinaryUnmarshaler).UnmarshalBinary(data[0])
	_, errs[5] = other.(interface{ UnmarshalMsg([]byte) ([]byte, error) }).UnmarshalMsg(data[1])
	errs[6] = proto.Unmarshal(data[2], third.(proto.Message))
	errs[7] = json.Unmarshal(data[3], fourth)
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	for i, read := range []any{one, other, third, fourth} {
		if !same(Plain(read), theirs) {
			t.Fatalf("%T, format %d: the value that was read differs", read, i)
		}
	}
	return data
}

func fresh(value any) any {
	return reflect.New(reflect.TypeOf(value).Elem()).Interface()
}

// same compares values by their JSON, where a nil list and an empty list are both left out.
func same(a, b any) bool {
	one, _ := json.Marshal(a)
	other, _ := json.Marshal(b)
	return string(one) == string(other)
}

// Benchmark is run by `npm run bench -- go`, each of its parts in a separate process.
func Benchmark(b *testing.B) {
	for _, work := range workloads(b) {
		for _, one := range work.rivals {
			b.Run(fmt.Sprintf("%s/encode/%s", work.name, one.name), func(b *testing.B) { repeat(b, one.encode, one.size) })
			b.Run(fmt.Sprintf("%s/decode/%s", work.name, one.name), func(b *testing.B) { repeat(b, one.decode, one.size) })
		}
	}
}

func repeat(b *testing.B, call func(n int) error, size int) {
	b.ReportAllocs()
	if err := call(b.N); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(size), "message-bytes")
}

// TestEquality checks that every format reads its own bytes, as dataOf does, and makes each timed call once.
func TestEquality(t *testing.T) {
	for _, work := range workloads(t) {
		for _, one := range work.rivals {
			if err := errors.Join(one.encode(1), one.decode(1)); err != nil {
				t.Errorf("%s: %s: %v", work.name, one.name, err)
			}
		}
	}
}

// TestSizes logs the sizes of the same values in every format, and checks that ours is the smallest.
func TestSizes(t *testing.T) {
	for _, work := range workloads(t) {
		for _, one := range work.rivals {
			t.Logf("%s: %s %d bytes", work.name, one.name, one.size)
			if one.size < work.rivals[0].size {
				t.Errorf("%s: %s takes less", work.name, one.name)
			}
		}
	}
	if top := workloads(t)[1].rivals[0].size; top != 94815 {
		t.Errorf("%d bytes, not 94,815", top)
	}
}
