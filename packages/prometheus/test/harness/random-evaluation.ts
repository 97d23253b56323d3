/** Random series and queries for comparisons of evaluators. The same seed gives the same cases. */
import { Labels } from "@moonpack/prometheus";
import { type Point, STALE } from "./memory-source.ts";

type Random = (below: number) => number;

/** A series with points 15 seconds apart. */
export interface RandomSeries {
  readonly labels: Labels;
  readonly points: readonly Point[];
}

/** The time of the first sample. */
export const FIRST = 1_700_000_010_000;
/** The time between samples, in milliseconds. */
export const GAP = 15_000;
const POINTS = 90;
const METRICS = ["a_total", "b_total", "c", "d"];

/** Returns series of counters, gauges and a histogram, with gaps, staleness markers, NaN and infinite values. */
export function randomSeries(random: Random): RandomSeries[] {
  const series: RandomSeries[] = [];
  for (const name of METRICS)
    for (const job of ["x", "y"])
      for (const instance of ["1", "2", "10"]) {
        if (random(5) === 0) continue;
        const labels = Labels.of({ __name__: name, job, instance, ...(random(3) === 0 ? { zone: "z" } : {}) });
        series.push({ labels, points: name.endsWith("_total") ? counter(random) : gauge(random) });
      }
  for (const job of ["x", "y"]) {
    let below: Point[] = [];
    for (const le of ["0.1", "1", "10", "+Inf"]) {
      const own = counter(random);
      const points = own.map((point, i) => {
        const before = below[i];
        return typeof point === "number" && typeof before === "number" ? point + before : point;
      });
      below = points;
      if (random(15) !== 0) series.push({ labels: Labels.of({ __name__: "e_bucket", job, le }), points });
    }
    series.push({
      labels: Labels.of({ __name__: "target_info", job, instance: "1", version: `v${random(3)}` }),
      points: gauge(random),
    });
  }
  return series;
}

function points(random: Random, next: () => number): Point[] {
  const gaps = random(4);
  let isAway = false;
  return Array.from({ length: POINTS }, () => {
    if (random(25) < gaps) isAway = !isAway;
    if (isAway) return random(20) === 0 ? STALE : undefined;
    return random(12) < gaps ? undefined : random(60) === 0 ? STALE : next();
  });
}

function counter(random: Random): Point[] {
  let value = random(100);
  return points(random, () => {
    value = random(20) === 0 ? random(5) : value + random(50) / (1 + random(3));
    return value;
  });
}

function gauge(random: Random): Point[] {
  const isPlain = random(3) > 0;
  return points(random, () => {
    const kind = isPlain ? 9 : random(40);
    if (kind === 0) return Number.NaN;
    if (kind === 1) return random(2) === 0 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
    if (kind === 2) return 1e308 * (1 + random(1000) / 2000);
    return random(2) === 0 ? random(10) - 3 : (random(20_000) - 9000) / 7;
  });
}

/** Returns a random query; it may have an error. */
export function randomQuery(random: Random): string {
  return random(12) === 0 ? scalar(random, 3) : vector(random, 3);
}

function pick<T>(random: Random, choices: readonly T[]): T {
  return choices[random(choices.length)]!;
}

function number(random: Random): string {
  return pick(random, ["0", "1", "2", "-1", "0.5", "3.7", "10", "-0.25", "1e3", "NaN", "Inf", "-Inf"]);
}

function scalar(random: Random, depth: number): string {
  if (depth <= 0) return number(random);
  switch (random(8)) {
    case 0:
      return "time()";
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
  const offset = random(6) === 0 ? ` offset ${pick(random, ["1m", "-1m", "7m", "20s"])}` : "";
  if (random(8) > 0) return offset;
  return ` @ ${pick(random, ["start()", "end()", String(FIRST / 1000 + random(1500)), "0"])}${offset}`;
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
  return `${pick(random, [...METRICS, ...METRICS, "e_bucket", "missing"])}${conditions}`;
}

function range(random: Random, depth: number): string {
  const width = pick(random, ["1m", "5m", "20s", "2m30s", "15m", "1ms", "30s"]);
  if (depth <= 0 || random(3) > 0) return `${selector(random)}[${width}]${modifiers(random)}`;
  const step = pick(random, ["", "30s", "1m", "17s", "2m"]);
  return `(${vector(random, depth - 1)})[${width === "1ms" ? "4m" : width}:${step}]${modifiers(random)}`;
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
      return random(3) === 0 ? `-${inner()}` : `${selector(random)}${modifiers(random)}`;
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
  ]);
}

function aggregation(random: Random, depth: number): string {
  const by = grouping(random);
  const inner = vector(random, depth - 1);
  const plain = pick(random, "sum avg min max count group stddev stdvar".split(" "));
  switch (random(8)) {
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
    const on = pick(random, ["", "on (job) ", "ignoring (instance) ", "on () "]);
    return `(${left} ${pick(random, ["and", "or", "unless"])} ${on}${right})`;
  }
  const operator = pick(random, [arithmetic(random), comparison(random), `${comparison(random)} bool`]);
  const match = pick(random, [
    "",
    "",
    "on (job, instance) ",
    "ignoring (zone) ",
    "on (job) group_left ",
    "on (job) group_right (zone) ",
    "ignoring (instance, zone) group_left (zone) ",
    "on (job, instance) fill (0) ",
    "on (job) group_left fill_right (3) ",
    "ignoring (zone) fill_left (1) ",
    "on (job) group_right fill_left (2) ",
  ]);
  return `(${left} ${operator} ${match}${right})`;
}

function special(random: Random, depth: number): string {
  const inner = vector(random, depth - 1);
  const hist = pick(random, ["e_bucket", "rate(e_bucket[5m])", "sum by (le) (e_bucket)", inner]);
  return pick(random, [
    `label_replace(${inner}, "${pick(random, ["zone", "job", "new", "__name__"])}", "${pick(random, ["$1", "q", "", "x_$1"])}", "${pick(random, ["job", "instance", "__name__"])}", "${pick(random, ["(.*)", "x(.*)", "(1).*", "[^_]+_?(.*)"])}")`,
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
    `info(${inner})`,
    `timestamp(${selector(random)}${modifiers(random)})`,
    "minute()",
    `absent(${selector(random)})`,
  ]);
}
