import {
  type Expression,
  type LabelMatcher,
  MoonpackError,
  PROMETHEUS_ERROR_CODES,
  PrometheusError,
  parseMatchers,
  parseQuery,
  printQuery,
  type QueryPlace,
} from "@moonpack/prometheus";

const query: Expression = parseQuery("sum(rate(x[5m]))by(job)");
console.log(query.kind, query.valueType, printQuery(query)); // aggregation vector sum by (job) (rate(x[5m]))
const matchers: readonly LabelMatcher[] = parseMatchers('up{job!="a"}');
console.log(matchers.map(({ name, operator, value }) => name + operator + value).join(" ")); // job!=a __name__=up
const place: QueryPlace = { line: 1, column: 5 };
try {
  parseQuery("sum(");
} catch (error) {
  if (!(error instanceof PrometheusError)) throw error;
  console.log(error instanceof MoonpackError, error.code in PROMETHEUS_ERROR_CODES); // true true
  console.log(error.name, error.line === place.line, error.column === place.column); // PrometheusError true true
}
