package main

import "github.com/prometheus/prometheus/promql/parser"

// parsed has the canonical text and the type of a query, or the error.
type parsed struct {
	Text  string `json:"text"`
	Type  string `json:"type"`
	Error string `json:"error"`
}

func parse(queries parser.Parser, query string) parsed {
	expression, err := queries.ParseExpr(query)
	if err != nil {
		return parsed{Error: err.Error()}
	}
	return parsed{Text: expression.String(), Type: string(expression.Type())}
}
