package main

import (
	"context"
	"strconv"
	"time"

	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"
)

// query has times in milliseconds. A step of 0 is for an instant query.
type query struct {
	Text  string `json:"text"`
	Start int64  `json:"start"`
	End   int64  `json:"end"`
	Step  int64  `json:"step"`
}

// result has the rows of a vector or a matrix, or the value of a scalar or a string, or the error. Numbers are their shortest exact texts.
type result struct {
	Type     string   `json:"type"`
	Rows     []series `json:"rows"`
	Value    string   `json:"value"`
	Warnings []string `json:"warnings"`
	Infos    []string `json:"infos"`
	Error    string   `json:"error"`
}

// evaluator evaluates queries over its data.
type evaluator struct {
	engine *promql.Engine
	data   samples
}

func newEvaluator(queries parser.Parser) *evaluator {
	return &evaluator{engine: promql.NewEngine(promql.EngineOpts{
		MaxSamples:               50_000_000,
		Timeout:                  20 * time.Second,
		LookbackDelta:            5 * time.Minute,
		NoStepSubqueryIntervalFn: func(int64) int64 { return 60_000 },
		EnableAtModifier:         true,
		EnableNegativeOffset:     true,
		EnableDelayedNameRemoval: true,
		Parser:                   queries,
	})}
}

func (e *evaluator) answer(one query) result {
	running, err := e.start(one)
	if err != nil {
		return result{Error: err.Error()}
	}
	defer running.Close()
	done := running.Exec(context.Background())
	if done.Err != nil {
		return result{Error: done.Err.Error()}
	}
	answer := result{Type: string(done.Value.Type()), Rows: []series{}}
	answer.Warnings, answer.Infos = done.Warnings.AsStrings(one.Text, 0, 0)
	switch value := done.Value.(type) {
	case promql.Matrix:
		for _, one := range value {
			row := series{Labels: one.Metric.Map()}
			for _, point := range one.Floats {
				row.Times = append(row.Times, point.T)
				row.Values = append(row.Values, textOf(point.F))
			}
			answer.Rows = append(answer.Rows, row)
		}
	case promql.Vector:
		for _, one := range value {
			answer.Rows = append(answer.Rows, series{one.Metric.Map(), []int64{one.T}, []string{textOf(one.F)}})
		}
	case promql.Scalar:
		answer.Value = textOf(value.V)
	case promql.String:
		answer.Value = value.V
	}
	return answer
}

func (e *evaluator) start(one query) (promql.Query, error) {
	ctx, data, start := context.Background(), e.data.queryable(), time.UnixMilli(one.Start)
	if one.Step == 0 {
		return e.engine.NewInstantQuery(ctx, data, nil, one.Text, start)
	}
	step := time.Duration(one.Step) * time.Millisecond
	return e.engine.NewRangeQuery(ctx, data, nil, one.Text, start, time.UnixMilli(one.End), step)
}

func textOf(number float64) string {
	return strconv.FormatFloat(number, 'g', -1, 64)
}
