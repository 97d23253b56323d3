// Parses queries with Prometheus' own parser: a JSON string on each line of standard input, an answer on each line of standard output.
package main

import (
	"bufio"
	"encoding/json"
	"log"
	"os"

	"github.com/prometheus/prometheus/promql/parser"
)

// answer has the canonical text and the type of a query, or the error.
type answer struct {
	Text  string `json:"text"`
	Type  string `json:"type"`
	Error string `json:"error"`
}

func main() {
	if err := run(); err != nil {
		log.Fatal(err)
	}
}

func run() error {
	queries := parser.NewParser(parser.Options{
		EnableExperimentalFunctions:  true,
		ExperimentalDurationExpr:     true,
		EnableExtendedRangeSelectors: true,
		EnableBinopFillModifiers:     true,
	})
	in := json.NewDecoder(bufio.NewReader(os.Stdin))
	out := bufio.NewWriter(os.Stdout)
	encoder := json.NewEncoder(out)
	for in.More() {
		var query string
		if err := in.Decode(&query); err != nil {
			return err
		}
		if err := encoder.Encode(parse(queries, query)); err != nil {
			return err
		}
	}
	return out.Flush()
}

func parse(queries parser.Parser, query string) answer {
	expression, err := queries.ParseExpr(query)
	if err != nil {
		return answer{Error: err.Error()}
	}
	return answer{Text: expression.String(), Type: string(expression.Type())}
}
