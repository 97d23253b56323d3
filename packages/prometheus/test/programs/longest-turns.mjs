// Measures the longest time for which a hostile request keeps the event loop: node longest-turns.mjs [PATTERN]
// Each case prints its longest turn and the whole, in milliseconds of this process' processor time, and how it ended.
import { createPrometheus, evaluate, formatQuery, Labels, parseQuery } from "@moonpack/prometheus";
import { memory, openSeries } from "@moonpack/series";

const pattern = new RegExp(process.argv[2] ?? "");
const SERIES = 100_000;
const END = 1_700_000_000_000;
const list = (count, of) => Array.from({ length: count }, (_, i) => of(i)).join(",");

/** The processor time of this process, in milliseconds: other processes do not count. */
function cpu() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Runs a task, and measures the turns of the event loop meanwhile. */
async function measure(name, task) {
  let longest = 0;
  let isDone = false;
  let last = cpu();
  const turn = () => {
    const now = cpu();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  await new Promise((resolve) => setTimeout(resolve, 5));
  longest = 0;
  const start = cpu();
  const end = await task().then(
    (text) => text ?? "ok",
    (error) => error.code ?? String(error),
  );
  const time = cpu() - start;
  isDone = true;
  turn();
  console.log(`${longest.toFixed(1).padStart(8)} ${time.toFixed(0).padStart(8)}  ${name}  ${end}`);
}

const series = await openSeries({ driver: memory(), now: () => END });
if (process.argv[2] === undefined || /store/.test(process.argv[2])) {
  const metrics = Array.from({ length: SERIES }, (_, i) => ({
    name: "requests",
    tags: { job: `job-${i % 10}`, instance: `host-${(i * 7919) % SERIES}.example.com:9100`, le: String(i % 20) },
  }));
  const set = await series.metricSet(metrics);
  for (let i = 3; i >= 0; i--)
    await series.writeScrape(
      END - i * 15_000,
      set,
      Float64Array.from(metrics, (_, at) => (at * 31) % 977),
    );
}
const prom = createPrometheus(series, { now: () => END });

/** The whole answer of the HTTP API: its status. */
async function answer(url, form) {
  const body = form === undefined ? undefined : (async function* () { yield new TextEncoder().encode(form); })(); // biome-ignore format: one line
  const headers = new Headers({ "content-type": "application/x-www-form-urlencoded" });
  const reply = await prom.answer({ method: form === undefined ? "GET" : "POST", url, headers, body });
  let bytes = 0;
  if (reply.body instanceof Uint8Array) bytes = reply.body.length;
  else for await (const chunk of reply.body) bytes += chunk.length;
  return `${reply.status}, ${bytes} bytes`;
}

const query = (text) => async () => answer("/api/v1/query", `time=${END / 1000}&query=${encodeURIComponent(text)}`);
const parse = (text) => async () => void parseQuery(text);

/** A series of 2,500,000 samples, and a source with it. */
const timestamps = new Float64Array(2_500_000).map((_, i) => END - (2_499_999 - i) * 1000);
const values = timestamps.map((_, i) => (i * 7919) % 1_000_003);
const long = {
  async *select() {
    yield { labels: Labels.of({ __name__: "x" }), timestamps, values };
  },
};
const over = (text) => async () => {
  await evaluate(parseQuery(text), { query: text, start: END, source: long });
};

const CASES = {
  "parse: 8,000 conditions": parse(`x{${list(8000, (i) => `a="${i}"`)}}`),
  "parse: 16,000 labels": parse(`sum by (${list(16_000, (i) => `a${i}`)}) (x)`),
  "parse: 75,000 labels": parse(`sum by (${list(75_000, (i) => `a${i}`)}) (x)`),
  "parse: a string of 250,000 escapes": parse(`label_join(x, "${"\\n".repeat(250_000)}", "a", "b")`),
  "parse: a duration of 500 KB": parse(`x[${"1s".repeat(250_000)}]`),
  "parse: optional letters": parse(`x{a=~"${"a?".repeat(2048)}"}`),
  "parse: repeated groups": parse(`x{a=~"${"(a+)+|".repeat(650)}b"}`),
  "parse: classes of Unicode": parse(`x{a=~"${"\\\\pL".repeat(115)}"}`),
  "parse: words": parse(`x{a=~"${Array.from({ length: 370 }, (_, i) => `host-${i}.*`).join("|")}"}`),
  "parse: repetitions": parse(`x{a=~"(.{0,1000}){1}(.{0,1000})(.{0,1000})(.{0,1000})"}`),
  "parse: a list of 40,000 texts": parse(`x{a=~"${Array.from({ length: 40_000 }, (_, i) => `a${i}`).join("|")}"}`),
  "format: deep and wide": async () => {
    const wide = `label_join(x, "a", ${list(1200, () => '"b"')})`;
    return String(formatQuery(parseQuery(`${"(".repeat(400)}${wide}${")".repeat(400)}`)).length);
  },
  "form: 1 MiB of parameters": async () => answer("/api/v1/query", "a&".repeat(520_000)),
  "form: 9,000 selectors": async () =>
    answer("/api/v1/series", list(9000, (i) => `match[]=a{i="${i}"}`).replaceAll(",", "&")),
  "subquery: a million steps": query("vector(1)[12d:1s]"),
  "subquery: a million dates": query("hour(vector(time()))[12d:1s]"),
  "subquery: a million powers": query("count_over_time((vector(1.1) ^ 0.5 ^ 0.3 + 1)[12d:1s])"),
  "subquery: counted values": query('count_values("v", vector(1))[12d:1s]'),
  "subquery: scalars": query(
    `sum_over_time(vector(${"scalar(vector(1)) + ".repeat(200)} 1)[12d:1s:])`.replace("1s:", "1s"),
  ),
  "window: a sum": over("sum_over_time(x[29d])"),
  "window: a slope": over("deriv(x[14d])"),
  "window: a quantile": over("quantile_over_time(0.9, x[7d])"),
  "window: a deviation": over("mad_over_time(x[7d])"),
  "window: a rate": over("rate(x[29d])"),
  "window: changes": over("changes(x[29d])"),
  "store: all series": query("requests"),
  "store: sort": query("sort(requests)"),
  "store: sort by label": query('sort_by_label(requests, "instance")'),
  "store: topk": query("topk(50000, requests)"),
  "store: limit_ratio": query("limit_ratio(0.5, requests)"),
  "store: count_values": query('count_values("v", requests)'),
  "store: quantile": query("quantile(0.9, requests)"),
  "store: sum by many labels": query(`sum by (instance, ${list(490, (i) => `l${i}`)}) (requests)`),
  "store: sum without": query("sum without (le) (requests)"),
  "store: label_replace": query('label_replace(requests, "a", "$1-$2", "instance", "(.*)-([0-9]+).*")'),
  "store: hostile label_replace": query(`label_replace(requests, "a", "$1", "instance", "(${".*".repeat(2000)})")`),
  "store: hostile selector": query(`requests{instance=~"${".*a.{0,500}b.{0,400}c|"}x"}`),
  "store: label_join": query(`label_join(requests, "a", "-", ${list(5000, () => '"job"')})`),
  "store: histogram_quantile": query("histogram_quantile(0.9, requests)"),
  "store: one to one": query("requests * requests"),
  "store: many to one": query("requests / on (job) group_left sum by (job) (requests)"),
  "store: or": query("requests or requests"),
  "store: and": query("requests and on (instance) requests"),
  "store: range": async () =>
    answer("/api/v1/query_range", `query=requests&start=${END / 1000 - 60}&end=${END / 1000}&step=5`),
  "store: series": async () => answer("/api/v1/series?match[]=requests"),
  "store: series in a range": async () => answer(`/api/v1/series?match[]=requests&start=${END / 1000 - 60}`),
  "store: values": async () => answer("/api/v1/label/instance/values"),
  "store: values of a selector": async () => answer("/api/v1/label/instance/values?match[]=requests"),
  "store: labels": async () => answer("/api/v1/labels?match[]=requests"),
  "store: 500 conditions": query(`requests{${list(500, (i) => `a!="${i}"`)}}`),
  "store: in JavaScript": async () => void (await prom.query("requests")),
  "store: findSeries": async () => void (await prom.findSeries({ match: "requests" })),
};

console.log(" longest    whole  case");
for (const [name, task] of Object.entries(CASES)) if (pattern.test(name)) await measure(name, task);
await series.close();
