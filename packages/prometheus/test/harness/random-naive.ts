/** Random queries that the naive evaluator knows. */

type Random = (below: number) => number;

function pick<T>(random: Random, choices: readonly T[]): T {
  return choices[random(choices.length)]!;
}

const RANGES = (
  "rate increase delta idelta changes resets sum_over_time avg_over_time count_over_time min_over_time max_over_time " +
  "last_over_time first_over_time stdvar_over_time"
).split(" ");

function moved(random: Random): string {
  const offset = random(4) === 0 ? ` offset ${pick(random, ["1m", "-45s", "400s"])}` : "";
  return random(6) === 0 ? ` @ ${pick(random, ["start()", "end()", "1700000500", "1700001000.5"])}${offset}` : offset;
}

function selector(random: Random): string {
  const name = pick(random, ["a_total", "b_total", "c", "d"]);
  return `${name}${pick(random, ["", "", '{job="x"}', '{instance=~"1.*"}', '{zone!="z"}', '{job!~"y|z",instance!=""}'])}`;
}

function range(random: Random, depth: number): string {
  const width = pick(random, ["30s", "1m", "5m", "20s", "1000ms", "8m10s"]);
  if (depth < 1 || random(3) > 0) return `${selector(random)}[${width}]${moved(random)}`;
  return `(${naiveQuery(random, depth - 1)})[${pick(random, ["2m", "5m"])}:${pick(random, ["30s", "1m", "25s", ""])}]${moved(random)}`;
}

/** Returns a random query for an instant vector. */
export function naiveQuery(random: Random, depth = 3): string {
  if (depth < 1) return `${selector(random)}${moved(random)}`;
  const inner = (): string => naiveQuery(random, depth - 1);
  switch (random(9)) {
    case 0:
    case 1:
      return `${pick(random, RANGES)}(${range(random, depth - 1)})`;
    case 2:
    case 3:
      return `${pick(random, ["sum", "avg", "count", "min", "max"])} ${pick(random, ["", "by (job) ", "without (zone, job) "])}(${inner()})`;
    case 4:
      return `(${inner()} ${pick(random, ["+", "-", "*", "/", ">", "<= bool", "=="])} ${pick(random, ["2", "time()", "-0.5"])})`;
    case 5:
      return `(${pick(random, ["7", "(1 + 2)"])} ${pick(random, ["-", "/", ">", "<="])} ${inner()})`;
    case 6: {
      // Sums are unique by their labels.
      const on = pick(random, ["", "on (job) "]);
      return `(sum by (job) (${inner()}) ${pick(random, ["+", "*", "-"])} ${on}max by (job) (${inner()}))`;
    }
    case 7:
      return `(${inner()} ${pick(random, ["and", "or", "unless"])} ${pick(random, ["", "on (job) ", "ignoring (zone) "])}${inner()})`;
    default:
      return random(2) === 0 ? `${pick(random, ["abs", "floor", "sqrt"])}(${inner()})` : `-${inner()}`;
  }
}
