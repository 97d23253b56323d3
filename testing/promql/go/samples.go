package main

import (
	"math"
	"sort"
	"strconv"

	"github.com/prometheus/prometheus/model/histogram"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/value"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb/chunkenc"
	"github.com/prometheus/prometheus/tsdb/chunks"
	"github.com/prometheus/prometheus/util/annotations"
)

// series has times in milliseconds, and values as texts: a number, or "stale" for a staleness marker.
type series struct {
	Labels map[string]string `json:"labels"`
	Times  []int64           `json:"times"`
	Values []string          `json:"values"`
}

// samples are series in memory, in the order of their labels.
type samples []storage.Series

func newSamples(all []series) (samples, error) {
	var data samples
	for _, one := range all {
		points := make([]chunks.Sample, len(one.Times))
		for i, time := range one.Times {
			number, err := numberOf(one.Values[i])
			if err != nil {
				return nil, err
			}
			points[i] = point{time, number}
		}
		data = append(data, storage.NewListSeries(labels.FromMap(one.Labels), points))
	}
	sort.Slice(data, func(i, j int) bool { return labels.Compare(data[i].Labels(), data[j].Labels()) < 0 })
	return data, nil
}

func numberOf(text string) (float64, error) {
	if text == "stale" {
		return math.Float64frombits(value.StaleNaN), nil
	}
	return strconv.ParseFloat(text, 64)
}

// queryable returns the data as a storage.
func (data samples) queryable() storage.Queryable {
	selected := func(_ bool, _ *storage.SelectHints, matchers ...*labels.Matcher) storage.SeriesSet {
		found := &set{at: -1}
		for _, one := range data {
			if meets(one.Labels(), matchers) {
				found.series = append(found.series, one)
			}
		}
		return found
	}
	return &storage.MockQueryable{MockQuerier: &storage.MockQuerier{SelectMockFunction: selected}}
}

func meets(own labels.Labels, matchers []*labels.Matcher) bool {
	for _, matcher := range matchers {
		if !matcher.Matches(own.Get(matcher.Name)) {
			return false
		}
	}
	return true
}

// set goes through selected series.
type set struct {
	series samples
	at     int
}

func (s *set) Next() bool                        { s.at++; return s.at < len(s.series) }
func (s *set) At() storage.Series                { return s.series[s.at] }
func (s *set) Err() error                        { return nil }
func (s *set) Warnings() annotations.Annotations { return nil }

// point is a sample without a histogram.
type point struct {
	time   int64
	number float64
}

func (p point) T() int64                      { return p.time }
func (p point) ST() int64                     { return 0 }
func (p point) F() float64                    { return p.number }
func (p point) H() *histogram.Histogram       { return nil }
func (p point) FH() *histogram.FloatHistogram { return nil }
func (p point) Type() chunkenc.ValueType      { return chunkenc.ValFloat }
func (p point) Copy() chunks.Sample           { return p }
