package bench

import (
	"encoding"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"reflect"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"moonpack/bench/plain"
	"moonpack/bench/protobuf"
	"moonpack/game"
)

const stories = "../../data/hn-top-stories.json"

var bars = flag.Bool("bars", false, "measure what is promised, and fail where it does not hold")

// rival is a format: what it does n times, and how many bytes it makes.
type rival struct {
	name           string
	encode, decode func(n int) error
	size           int
}

// workload is a value in every format.
type workload struct {
	name string
	// What is promised: so many times as fast as encoding/json.
	encode, decode float64
	rivals         []rival
}

// All write into memory that they used before, but encoding/json, which cannot. All read into new values, on the stack where
// the compiler finds that they can be: so each has loops of its own, without interfaces between.
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
		{"Player", 40, 100, []rival{
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
		{"HackerNews", 9, 10, []rival{
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

// dataOf is a value's bytes in every format, each of which reads them back as the same.
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
	if !same(one, ours) || !same(other, theirs) || !proto.Equal(third.(proto.Message), message) || !same(fourth, theirs) {
		t.Fatal("what is read is not what was written")
	}
	return data
}

func fresh(value any) any {
	return reflect.New(reflect.TypeOf(value).Elem()).Interface()
}

// same compares by JSON, for which nil and empty lists that are left out are one.
func same(a, b any) bool {
	one, _ := json.Marshal(a)
	other, _ := json.Marshal(b)
	return string(one) == string(other)
}

func Benchmark(b *testing.B) {
	for _, work := range workloads(b) {
		for _, one := range work.rivals {
			b.Run(fmt.Sprintf("%s/encode/%s", work.name, one.name), func(b *testing.B) { repeat(b, one.encode) })
			b.Run(fmt.Sprintf("%s/decode/%s", work.name, one.name), func(b *testing.B) { repeat(b, one.decode) })
		}
	}
}

func repeat(b *testing.B, call func(n int) error) {
	b.ReportAllocs()
	if err := call(b.N); err != nil {
		b.Fatal(err)
	}
}

// TestSizes shows what the same values take.
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

// TestBars compares the best times of many short runs, in which rivals take turns: what else runs on the machine makes single
// runs slower, never faster.
func TestBars(t *testing.T) {
	if !*bars {
		t.Skip("only with -bars")
	}
	for _, work := range workloads(t) {
		for _, side := range []struct {
			name string
			bar  float64
			call func(rival) func(int) error
		}{
			{"encode", work.encode, func(one rival) func(int) error { return one.encode }},
			{"decode", work.decode, func(one rival) func(int) error { return one.decode }},
		} {
			best := make([]float64, len(work.rivals))
			for round := range rounds {
				for i := range work.rivals {
					at := (i + round) % len(work.rivals)
					if took := nanoseconds(t, side.call(work.rivals[at])); best[at] == 0 || took < best[at] {
						best[at] = took
					}
				}
			}
			for i, one := range work.rivals {
				t.Logf("%s %s %-9s %10.1f ns, %6.1f times ours", work.name, side.name, one.name, best[i], best[i]/best[0])
				if i > 0 && best[i] <= best[0] {
					t.Errorf("%s %s: %s is ahead", work.name, side.name, one.name)
				}
			}
			if ratio := best[len(best)-1] / best[0]; ratio < side.bar {
				t.Errorf("%s %s: %.1f times encoding/json, not %.0f", work.name, side.name, ratio, side.bar)
			}
		}
	}
}

const rounds = 200

// nanoseconds is how long a call takes, on the average of a run of at least half a millisecond.
func nanoseconds(t *testing.T, call func(n int) error) float64 {
	for n := 1; ; n *= 2 {
		begun := time.Now()
		if err := call(n); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(begun); took > 500*time.Microsecond {
			return float64(took.Nanoseconds()) / float64(n)
		}
	}
}
