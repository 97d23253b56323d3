// Prometheus' own parser and engine: a command as JSON on each line of standard input, an answer on a line of standard output.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"log"
	"os"

	"github.com/prometheus/prometheus/promql/parser"
)

// command has one of: a query to parse, the series of the queries that follow, a query to evaluate.
type command struct {
	Parse  *string  `json:"parse"`
	Series []series `json:"series"`
	Query  *query   `json:"query"`
}

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// run answers commands until the input ends. Answers are written when no further command waits.
func run(input io.Reader, output io.Writer) error {
	queries := parser.NewParser(parser.Options{
		EnableExperimentalFunctions:  true,
		ExperimentalDurationExpr:     true,
		EnableExtendedRangeSelectors: true,
		EnableBinopFillModifiers:     true,
	})
	evaluator := newEvaluator(queries)
	in := bufio.NewReaderSize(input, 1<<16)
	out := bufio.NewWriterSize(output, 1<<16)
	encoder := json.NewEncoder(out)
	for {
		line, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) && len(line) == 0 {
			return out.Flush()
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		var one command
		if err := json.Unmarshal(line, &one); err != nil {
			return err
		}
		var answer any
		switch {
		case one.Parse != nil:
			answer = parse(queries, *one.Parse)
		case one.Query != nil:
			answer = evaluator.answer(*one.Query)
		default:
			if evaluator.data, err = newSamples(one.Series); err != nil {
				return err
			}
			continue
		}
		if err := encoder.Encode(answer); err != nil {
			return err
		}
		if in.Buffered() == 0 {
			if err := out.Flush(); err != nil {
				return err
			}
		}
	}
}
