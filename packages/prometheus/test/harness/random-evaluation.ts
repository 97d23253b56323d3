/** Random queries for comparisons of evaluators. The same seed gives the same queries. */
import { FIRST, METRICS } from "./random-series.ts";

type Random = (below: number) => number;

/** Returns a random query; it may have an error. */
export function randomQuery(random: Random): string {
  return random(12) === 0 ? scalar(random, 3) : vector(random, 3);
}

/** Returns a random query of any type: also a range, which only an instant query has, or a text. */
export function randomQueryOfAnyType(random: Random): string {
  if (random(30) === 0) return range(random, 2);
  return random(200) === 0 ? '"a\\n\u00e4"' : randomQuery(random);
}

function pick<T>(random: Random, choices: readonly T[]): T {
  return choices[random(choices.length)]!;
}

function number(random: Random): string {
  return pick(random, ["0", "1", "2", "-1", "0.5", "3.7", "10", "-0.25", "1e3", "NaN", "Inf", "-Inf", "0x1F", "5m"]);
}

function scalar(random: Random, depth: number): string {
  if (depth <= 0) return number(random);
  switch (random(8)) {
    case 0:
      return pick(random, ["time()", "time()", "pi()", "start()", "end()", "step()", "range()"]);
    case 1:
      return `scalar(${vector(random, depth - 1)})`;
    case 2:
      return `(${scalar(random, depth - 1)} ${arithmetic(random)} ${scalar(random, depth - 1)})`;
    case 3:
      return `${pick(random, ["max_of", "min_of"])}(${scalar(random, depth - 1)}, ${scalar(random, depth - 1)})`;
    case 4:
      return `(${scalar(random, depth - 1)} ${comparison(random)} bool ${scalar(random, depth - 1)})`;
    case 5:
      return `-${scalar(random, depth - 1)}`;
    default:
      return number(random);
  }
}

function arithmetic(random: Random): string {
  return pick(random, ["+", "-", "*", "/", "%", "^", "atan2"]);
}

function comparison(random: Random): string {
  return pick(random, ["==", "!=", "<", "<=", ">", ">="]);
}

function modifiers(random: Random): string {
  const offset = random(6) === 0 ? ` offset ${pick(random, ["1m", "-1m", "7m", "20s", "step()", "-90"])}` : "";
  if (random(8) > 0) return offset;
  const at = ` @ ${pick(random, ["start()", "end()", String(FIRST / 1000 + random(1500)), pick(random, ["0", "-1"]), "1700000500.25"])}`;
  return random(2) === 0 ? `${at}${offset}` : `${offset}${at}`;
}

function selector(random: Random): string {
  const conditions = pick(random, [
    "",
    "",
    "",
    '{job="x"}',
    '{job!="x"}',
    '{instance=~"1|2"}',
    '{instance=~"1.*"}',
    '{zone=""}',
    '{zone!~"z.*",job=~"x|y"}',
    '{instance!~"[12]"}',
  ]);
  if (random(8) === 0) return `{__name__=~"${pick(random, ["a_total|b_total", "[cd]", "a.*|c"])}"}`;
  return `${pick(random, [...METRICS, ...METRICS, "e_bucket", random(3) === 0 ? "missing" : "c"])}${conditions}`;
}

function range(random: Random, depth: number): string {
  const width = pick(random, [
    "1m",
    "5m",
    "20s",
    "2m30s",
    "15m",
    random(2) === 0 ? "1ms" : "3m",
    "30s",
    "(step() + 1m)",
    "90",
  ]);
  if (depth <= 0 || random(3) > 0) return `${selector(random)}[${width}]${modifiers(random)}`;
  const step = pick(random, ["", "30s", "1m", "17s", "2m", "(step() + 7s)"]);
  return `(${random(6) === 0 ? scalarVector(random, depth - 1) : vector(random, depth - 1)})[${width === "1ms" ? "4m" : width}:${step}]${modifiers(random)}`;
}

function scalarVector(random: Random, depth: number): string {
  return `vector(${scalar(random, depth - 1)})`;
}

const OVER_TIME = [
  ..."avg min max sum count stddev stdvar last first present absent mad ts_of_min ts_of_max ts_of_first ts_of_last".split(
    " ",
  ),
].map((name) => `${name}_over_time`);
const RANGES = [...OVER_TIME, ..."rate increase delta irate idelta changes resets deriv rate increase".split(" ")];
const NUMBERS =
  "abs ceil floor exp sqrt ln log2 log10 sgn deg rad sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh " +
  "round timestamp minute hour day_of_week day_of_month day_of_year days_in_month month year sort sort_desc absent";

function vector(random: Random, depth: number): string {
  if (depth <= 0) return `${selector(random)}${modifiers(random)}`;
  const inner = (): string => vector(random, depth - 1);
  switch (random(14)) {
    case 0:
    case 1:
    case 2:
      return `${pick(random, RANGES)}(${range(random, depth - 1)})`;
    case 3:
      return parameterRange(random, depth);
    case 4:
      return `${pick(random, NUMBERS.split(" "))}(${inner()})`;
    case 5:
    case 6:
    case 7:
      return aggregation(random, depth);
    case 8:
      return `(${inner()} ${pick(random, [arithmetic(random), comparison(random), `${comparison(random)} bool`])} ${scalar(random, depth - 1)})`;
    case 9:
      return `(${scalar(random, depth - 1)} ${pick(random, [arithmetic(random), comparison(random)])} ${inner()})`;
    case 10:
    case 11:
      return binary(random, depth);
    case 12:
      return special(random, depth);
    default:
      return random(3) === 0 ? `${pick(random, ["-", "-", "+"])}${inner()}` : `${selector(random)}${modifiers(random)}`;
  }
}

function parameterRange(random: Random, depth: number): string {
  const inner = range(random, depth - 1);
  return pick(random, [
    `quantile_over_time(${scalar(random, depth - 1)}, ${inner})`,
    `predict_linear(${inner}, ${scalar(random, depth - 1)})`,
    `double_exponential_smoothing(${inner}, 0.3, 0.${1 + random(9)})`,
  ]);
}

function grouping(random: Random): string {
  return pick(random, [
    "",
    "",
    "by (job) ",
    "by (job, instance) ",
    "without (instance) ",
    "by (zone) ",
    "without () ",
    "by (__name__) ",
    "by (le) ",
    "without (job, le) ",
    "by (__type__, job) ",
  ]);
}

function aggregation(random: Random, depth: number): string {
  const by = grouping(random);
  const inner = vector(random, depth - 1);
  const plain = pick(random, "sum avg min max count group stddev stdvar".split(" "));
  switch (random(9)) {
    case 8:
      return `${plain}(${inner}) ${by}`;
    case 0:
      return `${pick(random, ["topk", "bottomk", "limitk"])} ${by}(${pick(random, ["1", "2", "3", "100", "0", scalar(random, 1)])}, ${inner})`;
    case 1:
      return `quantile ${by}(${scalar(random, 1)}, ${inner})`;
    case 2:
      return `count_values ${by}("value", ${inner})`;
    case 3:
      return `limit_ratio ${by}(${pick(random, ["0.5", "-0.3", "1", "0.1"])}, ${inner})`;
    default:
      return `${plain} ${by}(${inner})`;
  }
}

function binary(random: Random, depth: number): string {
  const left = vector(random, depth - 1);
  const right = vector(random, depth - 1);
  if (random(4) === 0) {
    const on = pick(random, ["", "on (job) ", "ignoring (instance) ", "on () ", "on (__name__, job) "]);
    return `(${left} ${pick(random, ["and", "or", "unless"])} ${on}${right})`;
  }
  const operator = pick(random, [arithmetic(random), comparison(random), `${comparison(random)} bool`]);
  const match = pick(random, [
    "",
    "",
    "on (job, instance) ",
    "ignoring (zone) ",
    "on (job) group_left () ",
    "on (job) group_right (zone) ",
    "ignoring (instance, zone) group_left (zone) ",
    "on (job, instance) fill (0) ",
    "on (job) group_left () fill_right (3) ",
    "ignoring (zone) fill_left (1) ",
    "on (job) group_right () fill_left (2) ",
    "on () group_left () ",
    "on (job, instance) group_left (__name__) ",
    "on (instance) group_right (missing, zone) ",
    "ignoring (__name__, job) ",
  ]);
  return `(${left} ${operator} ${match}${right})`;
}

function special(random: Random, depth: number): string {
  const inner = vector(random, depth - 1);
  const hist = pick(random, ["e_bucket", "rate(e_bucket[5m])", "sum by (le) (e_bucket)", inner]);
  return pick(random, [
    `label_replace(${inner}, "${pick(random, ["zone", "job", "new", "__name__"])}", "${pick(random, ["$1", "q", "", "x_$1", "$1-$2", "$a$$", "$2"])}", "${pick(random, ["job", "instance", "__name__"])}", "${pick(random, ["(.*)", "x(.*)", "(1).*", "[^_]+_?(.*)", "(?P<a>.)(?i:.*)", ""])}")`,
    `label_join(${inner}, "new", "-", "job", "instance")`,
    `histogram_quantile(${scalar(random, 1)}, ${hist})`,
    `histogram_fraction(${scalar(random, 1)}, ${scalar(random, 1)}, ${hist})`,
    `histogram_quantiles(${hist}, "q", 0.5, 0.${random(10)})`,
    `clamp(${inner}, ${scalar(random, 1)}, ${scalar(random, 1)})`,
    `clamp_min(${inner}, ${scalar(random, 1)})`,
    `clamp_max(${inner}, ${scalar(random, 1)})`,
    `round(${inner}, ${scalar(random, 1)})`,
    `vector(${scalar(random, depth - 1)})`,
    `sort_by_label(${inner}, "instance")`,
    `sort_by_label_desc(${inner}, "zone", "instance")`,
    `info(${inner})`,
    `info(${inner}, {version=~"v[01]"})`,
    `info(${inner}, {__name__=~"target_info|c", job=~".+"})`,
    `timestamp(${selector(random)}${modifiers(random)})`,
    `timestamp(${inner})`,
    pick(random, ["minute()", "hour()", "day_of_week()", "year()", "days_in_month()"]),
    `absent(${selector(random)})`,
    `absent_over_time(${selector(random)}[${pick(random, ["1ms", "1m"])}])`,
    `(${inner} or ${scalarVector(random, depth)})`,
    `start_timestamp(${selector(random)})`,
    `histogram_${pick(random, ["avg", "count", "sum", "stddev", "stdvar"])}(${inner})`,
  ]);
}
