import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { openSeries } from "@moonpack/series";
import { beforeAll, describe, expect, test } from "vitest";
import { bin, emptyFolder, moonpack, plainEnvironment } from "./run.js";
import { runSeries } from "./series-run.js";

const START = Date.parse("2026-01-31T12:00:00Z");
const folder = emptyFolder();
const at = (name: string) => join(folder, name);
const store = at("metrics");

/** Runs a command as a process, in the folder that holds the store `metrics`. */
async function series(...args: string[]): Promise<{ code: number | null; text: string; stderr: string }> {
  const { code, stdout, stderr } = await moonpack(["series", ...args], { cwd: folder });
  return { code, text: stdout.toString(), stderr };
}

/** The first host's load, with three decimals. */
const load = (i: number) => Math.round((1 + Math.sin(i / 30)) * 1000) / 1000;
const median = (values: number[]) => {
  values.sort((a, b) => a - b);
  return (values[(values.length - 1) >> 1]! + values[values.length >> 1]!) / 2;
};

/** The points of two hosts over an hour, an int64 metric, and special values. */
function points(): string {
  const lines: string[] = [];
  const add = (name: string, tags: object, timestamp: number, value: unknown) =>
    lines.push(JSON.stringify({ name, tags, timestamp, value }));
  for (let i = 0; i < 360; i++) {
    const time = START + i * 10_000;
    add("cpu.load", { host: "a1", dc: "x" }, time, load(i));
    // Twenty minutes without points.
    if (i < 120 || i >= 240) add("cpu.load", { host: "b2", dc: "y" }, time, i / 360);
  }
  for (const [i, value] of ["9223372036854775807", "-9223372036854775808", "0"].entries())
    add("net bytes", { host: 'a"1' }, START + i * 1000, value);
  for (const [i, value] of ["NaN", "-Infinity", 1e300].entries()) add("special", {}, START + i * 1000, value);
  return `${lines.join("\n")}\n{"name":"special","tags":{},"timestamp":${START + 3000},"value":-0}\n`;
}

const COUNT = 360 + 240 + 3 + 4;

beforeAll(async () => {
  writeFileSync(at("points.ndjson"), points());
  expect(await series("import", "metrics", "points.ndjson")).toEqual({
    code: 0,
    text: `${COUNT} points imported into metrics\n`,
    stderr: "",
  });
});

/** All points of a store, as NDJSON. */
async function exported(path: string): Promise<string> {
  const out = at("all.ndjson");
  expect(await runSeries("export", path, "--out", out)).toEqual({ code: 0, stdout: "", stderr: "" });
  return readFileSync(out, "utf8");
}

describe("export and import", () => {
  test.each(["ndjson", "csv", "line", "annotated-csv"])("%s is read back to the same store", async (format) => {
    const [out, copy] = [at(`points.${format}`), at(`from-${format}`)];
    const tags = format === "csv" ? ["--tags", "*"] : [];
    const named = format === "annotated-csv" ? ["--format", format] : [];
    expect(await runSeries("export", store, "--out", out, ...named)).toMatchObject({ code: 0, stdout: "" });
    expect(await runSeries("import", copy, out, ...tags, ...named)).toEqual({
      code: 0,
      stdout: `${COUNT} points imported into ${copy}\n`,
      stderr: "",
    });
    const text = await exported(copy);
    expect(text).toBe(await exported(store));
    expect(text).toContain('"value":"9223372036854775807"}');
  });

  test("a selector and times choose points; a file is replaced only when complete", async () => {
    writeFileSync(at("part.csv"), "old");
    const times = ["--from", "2026-01-31T12:00:10Z", "--to", "2026-01-31T12:00:30Z"];
    expect(await runSeries("export", store, 'cpu.load{host="a1"}', ...times, "-o", at("part.csv"))).toMatchObject({
      code: 0,
    });
    expect(readFileSync(at("part.csv"), "utf8")).toBe(
      `name,dc,host,timestamp,value\ncpu.load,x,a1,${START + 10_000},1.033\ncpu.load,x,a1,${START + 20_000},1.067\n`,
    );
    expect(await runSeries("export", store, "cpu.lod", "-o", at("part.csv"))).toEqual({
      code: 1,
      stdout: "",
      stderr: 'moonpack: no metric matches cpu.lod; the store has, for example, cpu.load{dc="x",host="a1"}\n',
    });
    expect(readFileSync(at("part.csv"), "utf8")).toMatch(/^name,/);
    expect(readdirSync(folder).filter((name) => name.endsWith(".part"))).toEqual([]);
  });

  test("points may be in several files of several formats", async () => {
    writeFileSync(at("one.lp"), "a b=1 1769860800000000000\n");
    writeFileSync(at("two.prom"), "a_b 2 5\n");
    expect(await runSeries("import", at("several"), at("one.lp"), at("two.prom"))).toMatchObject({ code: 0 });
    expect(await exported(at("several"))).toBe(
      '{"name":"a.b","tags":{},"timestamp":1769860800000,"value":1}\n{"name":"a_b","tags":{},"timestamp":5,"value":2}\n',
    );
  });
});

describe("invalid input", () => {
  const lines = at("lines.lp");
  const reason = `${lines}: ERR_OUT_OF_RANGE: the value "x" is not a number, line 2 column 10`;
  writeFileSync(lines, 'cpu load=1 5000000\ncpu load=x 5000000\ncpu load=2 6000000\ncpu msg="x"\n');

  test.each([
    [[], 2, /^moonpack: the format of standard input is unknown, since it is empty: add --format ndjson, csv, /, false],
    [["--format", "csv"], 1, /^moonpack: standard input: ERR_TRUNCATED: the input is empty, but CSV needs a /, false],
    [["--format", "ndjson"], 0, /^$/, true],
  ])("import of empty standard input, %j: exit %i", async (options, exit, text, makesStore) => {
    const store = `from-nothing-${exit}`;
    const { code, stdout, stderr } = await moonpack(["series", "import", store, ...options], {
      cwd: folder,
      input: "",
    });
    expect([code, stdout.toString()]).toEqual([exit, makesStore ? `0 points imported into ${store}\n` : ""]);
    expect(stderr).toMatch(text);
    expect(existsSync(join(folder, store))).toBe(makesStore);
  });

  test("import stops at the line, and keeps the lines before it", async () => {
    expect(await runSeries("import", at("stopped"), lines)).toEqual({
      code: 1,
      stdout: `1 point imported into ${at("stopped")} before the error\n`,
      stderr: `moonpack: ${reason}\n`,
    });
    expect(await exported(at("stopped"))).toBe('{"name":"cpu.load","tags":{},"timestamp":5,"value":1}\n');
  });

  test("--skip-invalid reports the lines and continues", async () => {
    expect(await runSeries("import", at("skipped"), lines, "--skip-invalid")).toEqual({
      code: 0,
      stdout: `2 points imported into ${at("skipped")}\n1 invalid record skipped\n1 string skipped: only numbers and booleans are points\n`,
      stderr: `moonpack: skipped: ${reason}\n`,
    });
  });

  test("behind a wrong quote of CSV nothing can be read: that is an error, whatever is skipped", async () => {
    const file = at("quote.csv");
    writeFileSync(file, 'name,timestamp,value\na,0,1\nb"c,1,1\n"a"x,2,1\na,3,1\n');
    const { code, stdout, stderr } = await runSeries("import", at("quote"), file, "--skip-invalid");
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: `1 point imported into ${at("quote")} before the error\n1 invalid record skipped\n`,
    });
    expect(stderr).toContain("line 3\n");
    expect(stderr).toMatch(/quotes in cells are doubled, line 4\n$/);
  });

  test("the same texts are other metrics in another file", async () => {
    writeFileSync(at("one.csv"), "name,host,dc,timestamp,value\ncpu load,a1,x,1000,1\n");
    writeFileSync(at("two.csv"), "name,dc,host,timestamp,value\ncpu load,a1,x,3000,2\n");
    writeFileSync(at("three.ndjson"), '{"name":"cpu load","timestamp":1000,"value":3}\n');
    writeFileSync(at("four.lp"), "cpu load=4 1769860800000000000\n");
    expect((await runSeries("import", at("texts"), at("one.csv"), at("two.csv"), "--tags", "*")).code).toBe(0);
    expect((await runSeries("import", at("texts"), at("three.ndjson"), at("four.lp"))).code).toBe(0);
    expect((await exported(at("texts"))).split("\n").sort()).toEqual([
      "",
      '{"name":"cpu load","tags":{"dc":"a1","host":"x"},"timestamp":3000,"value":2}',
      '{"name":"cpu load","tags":{"dc":"x","host":"a1"},"timestamp":1000,"value":1}',
      '{"name":"cpu load","tags":{},"timestamp":1000,"value":3}',
      '{"name":"cpu.load","tags":{},"timestamp":1769860800000,"value":4}',
    ]);
  });

  test("a metric behind the last row of a table is not said to have no points", async () => {
    const line = (name: string, i: number) => `{"name":"${name}","timestamp":${i},"value":1}\n`;
    writeFileSync(at("thousand.ndjson"), Array.from({ length: 1000 }, (_, i) => line("a", i)).join("") + line("b", 5));
    expect((await runSeries("import", at("thousand"), at("thousand.ndjson"))).code).toBe(0);
    const { text } = await series("query", "thousand", "{}");
    expect(text).not.toContain("no points");
    expect(text.trimEnd().split("\n").at(-1)).toContain(".. stopped after 1,000 rows");
  });

  test("only the first invalid lines are shown", async () => {
    writeFileSync(at("many.lp"), "x\n".repeat(50));
    const { code, stdout, stderr } = await runSeries("import", at("skipped"), at("many.lp"), "--skip-invalid");
    expect(code).toBe(0);
    expect(stdout).toContain("50 invalid records skipped, the first 20 are shown above\n");
    expect(stderr.match(/skipped:/g)).toHaveLength(20);
  });

  test("points that are ahead of the clock are refused, unless --max-ahead says so", async () => {
    const file = at("ahead.lp");
    writeFileSync(file, `cpu load=1 5000000\ncpu load=2 ${(Date.now() + 7 * 86_400_000) * 1e6}\n`);
    const place = `the first is in ${file}, line 2; check --unit, or raise --max-ahead`;
    expect(await runSeries("import", at("ahead"), file)).toEqual({
      code: 1,
      stdout: `1 point imported into ${at("ahead")}\n1 refused: too far ahead of the clock\n`,
      stderr: `moonpack: 1 not imported: more than 1 day ahead of the clock; ${place}\n`,
    });
    expect(await runSeries("import", at("ahead"), file, "--max-ahead", "2w")).toMatchObject({ code: 0, stderr: "" });
  });
});

describe("query", () => {
  test("points as a table", async () => {
    expect(
      (await series("query", "metrics", 'cpu.load{host="a1"}', "--limit", "2")).text,
    ).toBe(`cpu.load{dc="x",host="a1"}
time                      value
2026-01-31T12:00:00.000Z      1
2026-01-31T12:00:10.000Z  1.033
.. stopped by --limit 2
`);
  });

  test("points as NDJSON, newest first", async () => {
    const { text } = await series("query", "metrics", '{__name__=~"net.*|special"}', "--reverse", "--json");
    expect(text.split("\n").slice(2)).toEqual([
      `{"name":"net bytes","tags":{"host":"a\\"1"},"timestamp":${START},"value":"9223372036854775807"}`,
      `{"name":"special","tags":{},"timestamp":${START + 3000},"value":-0}`,
      `{"name":"special","tags":{},"timestamp":${START + 2000},"value":1e+300}`,
      `{"name":"special","tags":{},"timestamp":${START + 1000},"value":"-Infinity"}`,
      `{"name":"special","tags":{},"timestamp":${START},"value":"NaN"}`,
      "",
    ]);
  });

  test("aggregates of windows", async () => {
    const args = ["query", "metrics", 'cpu.load{host="a1"}', "--window", "30m", "--aggregate", "count,max,p50"];
    const half = (from: number) => Array.from({ length: 180 }, (_, i) => load(from + i));
    expect((await series(...args)).text).toBe(`cpu.load{dc="x",host="a1"}
start                     count  max     p50
2026-01-31T12:00:00.000Z    180    2   1.071
2026-01-31T12:30:00.000Z    180    2  ${median(half(180))}
`);
    const { text } = await series(...args, "--json");
    expect(JSON.parse(text.split("\n")[0]!)).toEqual({
      name: "cpu.load",
      tags: { host: "a1", dc: "x" },
      start: START,
      count: 180,
      max: Math.max(...half(0)),
      p50: median(half(0)),
    });
  });

  test("windows in a time zone, filled, newest first", async () => {
    const args = [
      "query",
      "metrics",
      'cpu.load{host="a1"}',
      "--window",
      "1d",
      "--time-zone",
      "Asia/Kolkata",
      "--aggregate",
      "count",
    ];
    const range = ["--from", "2026-01-30", "--to", "2026-02-02", "--fill", "null", "--reverse"];
    expect((await series(...args, ...range)).text).toBe(`cpu.load{dc="x",host="a1"}
start                          count
2026-02-01T00:00:00.000+05:30
2026-01-31T00:00:00.000+05:30    360
2026-01-30T00:00:00.000+05:30
`);
    const { text } = await series(...args, ...range, "--limit", "2", "--json");
    const starts = [Date.UTC(2026, 0, 31, 18, 30), Date.UTC(2026, 0, 30, 18, 30)];
    expect(
      text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual(
      starts.map((start, i) => ({
        name: "cpu.load",
        tags: { host: "a1", dc: "x" },
        start,
        count: i === 0 ? null : 360,
      })),
    );
    expect((await series(...args, "--from", "2026-01-31T12:00Z", "--limit", "1")).text).toContain(
      "2026-01-31T00:00:00.000+05:30",
    );
  });

  test("a time zone that is unknown", async () => {
    const { code, stderr } = await series(
      "query",
      "metrics",
      "cpu.load",
      "--window",
      "1d",
      "--time-zone",
      "Europe/Berln",
    );
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('"Europe/Berln" is not a known time zone: did you mean Europe/Berlin?'),
    ]);
  });
});

describe("chart", () => {
  test("in a pipe: without colours, a chart for each metric, 80 columns wide", async () => {
    const { code, text } = await series("chart", "metrics", "cpu.load");
    expect(code).toBe(0);
    expect(text).toMatch(/^cpu\.load {2}2026-01-31T12:00:00\.000Z to 2026-01-31T12:59:50\.001Z \(UTC\)\n/);
    expect(text).toContain('\ncpu.load{dc="y",host="b2"}\n');
    expect(text.match(/└┬─/g)).toHaveLength(2);
    expect(text).toMatch(/12:00 +12:15 +12:30 +12:45/);
    for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  });

  test("as SVG: a path for each metric, with a gap", async () => {
    const svg = at("load.svg");
    expect(await runSeries("chart", store, "cpu.load", "--svg", svg)).toEqual({ code: 0, stdout: "", stderr: "" });
    const text = readFileSync(svg, "utf8");
    const paths = [...text.matchAll(/<path class="line" stroke="[^"]+" d="([^"]+)"><title>/g)].map(([, path]) => path!);
    expect(paths.map((path) => path.match(/M/g)!.length)).toEqual([1, 2]);
    expect(text).toContain("<title>cpu.load{dc=&quot;x&quot;,host=&quot;a1&quot;}</title>");
    expect(text).not.toMatch(/NaN|Infinity|undefined/);
  });

  test("no points in that time", async () => {
    expect(await runSeries("chart", store, "cpu.load", "--to", "2020-01-01")).toEqual({
      code: 1,
      stdout: "",
      stderr: "moonpack: no points of cpu.load in this time\n",
    });
  });
});

test("stats and check: figures, and no damage", async () => {
  const { code, text } = await series("stats", "metrics", "--check");
  expect(code).toBe(0);
  expect(text).toMatch(/^metrics +4$/m);
  expect(text).toMatch(/^no damage/m);
  expect(JSON.parse((await series("stats", "metrics", "--json")).text)).toMatchObject({ metrics: 4, corrupt: 0 });
});

/** Changes one byte of the points in the first block. Returns the name of its file. */
function damageBlock(path: string): string {
  const [name] = readdirSync(join(path, "blocks"));
  const file = join(path, "blocks", name!);
  const bytes = readFileSync(file);
  bytes[20]! ^= 1;
  writeFileSync(file, bytes);
  return `blocks/${name}`;
}

test("damage: check lists it, reading stops at it, and the exit code is 1", async () => {
  const path = at("damaged");
  await runSeries("import", path, at("points.ndjson"));
  const key = damageBlock(path);
  const { code, text } = await series("check", "damaged");
  expect(code).toBe(1);
  expect(text).toMatch(new RegExp(`^blocks +${key} +.*`, "m"));
  expect(text).toMatch(/^1 entry is damaged$/m);
  const json = await series("check", "damaged", "--json");
  expect([json.code, JSON.parse(json.text)]).toMatchObject([1, { column: "blocks", key }]);
  const stats = await series("stats", "damaged", "--check", "--json");
  expect([stats.code, JSON.parse(stats.text)]).toMatchObject([1, { metrics: 4, damage: [{ key }] }]);
  const out = at("damaged.ndjson");
  const failed = await runSeries("export", path, "--out", out);
  expect(failed.code).toBe(1);
  expect(failed.stderr).toMatch(/^moonpack: \S+damaged: ERR_SERIES_CORRUPT: .*\n$/);
  expect(existsSync(out)).toBe(false);
});

test("migrate copies a store in a database into a store of files", async () => {
  const [old, to] = [at("database"), at("migrated")];
  expect(await runSeries("import", old, at("points.ndjson"), "--driver", "classic-level")).toMatchObject({ code: 0 });
  const { code, text, stderr } = await series("migrate", "database", "migrated");
  expect([code, text, stderr]).toEqual([
    0,
    `${COUNT} points of 4 metrics are in migrated, and equal to database\n`,
    "",
  ]);
  expect(await exported(to)).toBe(await exported(old));
  const again = await runSeries("migrate", old, to);
  expect(again.code).toBe(1);
  expect(again.stderr).toMatch(/^moonpack: \S+database: ERR_SERIES_STORE: a migration needs a new folder: .*\n$/);
  const missing = await runSeries("migrate", at("nowhere"), at("other"));
  expect(missing).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/cannot open the store \S+: no such folder\n$/),
  });
  expect(existsSync(at("other"))).toBe(false);
});

test("a store of another driver is recognized, and never opened with the wrong one", async () => {
  const path = at("level");
  expect(await runSeries("import", path, at("points.ndjson"), "--driver", "classic-level")).toMatchObject({ code: 0 });
  expect(await exported(path)).toBe(await exported(store));
  for (const [name, wrong, right] of [
    ["level", "rocksdb", "classic-level"],
    ["metrics", "classic-level", "files"],
  ])
    expect(await runSeries("stats", at(name!), "--driver", wrong!)).toEqual({
      code: 1,
      stdout: "",
      stderr: `moonpack: cannot open the store ${at(name!)} with ${wrong}: it was made with ${right}\n`,
    });
});

describe("stores that cannot be opened: one line, exit code 1", () => {
  test("another process writes to it; reading is possible", async () => {
    const other = await openSeries({ path: at("locked") });
    try {
      expect((await series("stats", "locked")).code).toBe(0);
      const { code, stderr } = await runSeries("import", at("locked"), at("points.ndjson"));
      expect(code).toBe(1);
      expect(stderr).toMatch(
        new RegExp(`^moonpack: \\S+locked: ERR_SERIES_LOCKED: the store is open in process ${process.pid} .*\n$`),
      );
    } finally {
      await other.close();
    }
  });

  test("there is none, and reading makes none", async () => {
    expect(await runSeries("stats", at("missing"))).toMatchObject({
      code: 1,
      stderr: `moonpack: cannot open the store ${at("missing")}: no such folder\n`,
    });
    expect(existsSync(at("missing"))).toBe(false);
    expect((await runSeries("stats", at("points.ndjson"))).stderr).toContain("it is a file, not a folder");
    const empty = emptyFolder();
    const { code, stderr } = await runSeries("check", empty);
    expect([code, readdirSync(empty)]).toEqual([1, []]);
    expect(stderr).toBe(`moonpack: cannot open the store ${empty}: the folder does not contain a store\n`);
  });

  test("a file that is missing, and a folder, make no store", async () => {
    expect(await runSeries("import", at("none"), at("none.csv"))).toEqual({
      code: 1,
      stdout: "",
      stderr: `moonpack: cannot read ${at("none.csv")}: no such file or folder\n`,
    });
    const elsewhere = emptyFolder();
    expect(await runSeries("import", at("none"), elsewhere, "--format", "csv")).toEqual({
      code: 1,
      stdout: "",
      stderr: `moonpack: cannot read ${elsewhere}: it is a folder, not a file\n`,
    });
    expect(existsSync(at("none"))).toBe(false);
  });
});

test.each([
  [["frob"], "unknown command 'frob'"],
  [["import"], "missing required argument 'path'"],
  [["import", "m", "a.txt"], "a.txt is unknown (known extensions: .ndjson .jsonl .csv .lp .line .prom .om, each"],
  [["import", "m", "a.xyz", "--format", "xml"], "Allowed choices are ndjson, csv, line, prometheus"],
  [["import", "m", "a.lp", "--tags", "a"], "--tags needs CSV: line says what is a name, a tag and a value"],
  [["import", "m", "a.lp", "--time-column", "a"], "--time-column needs CSV"],
  [["import", "m", "a.csv", "--time-column", "a", "--value-columns", "b,a"], "the column a is named twice"],
  [["import", "m", "a.csv", "--tags", "a", "--value-columns", "a"], "the column a is named twice"],
  [["import", "m", "a.lp", "--time-zone", "UTC"], "--time-zone needs csv or ndjson: the times of line are numbers"],
  [["import", "m", "a.csv", "--time-zone", "Europe/Berlon"], "--time-zone must be a time zone such as Europe/Berlin"],
  [["import", "m", "a.csv", "--delimiter", ";;"], "--delimiter must be one character, or tab, not ;;"],
  [["import", "m", "a.csv", "--time-format", "%Q"], "--time-format must be a format such as"],
  [["import", "m", "a.om", "--unit", "s"], "--unit does not apply to openmetrics: its timestamps are seconds"],
  [["import", "m", "a.prom", "--unit", "s"], "--unit does not apply to prometheus"],
  [["import", "m", "a.csv", "--unit", "h"], "Allowed choices are ns, us, ms, s"],
  [["import", "m", "a.csv", "--max-ahead", "soon"], "--max-ahead must be a duration"],
  [["query", "m"], "a selector is missing, or --promql with a query"],
  [["query", "m", "cpu", "--from", "yesterday"], "--from must be a time such as"],
  [["query", "m", "cpu", "--from", "now", "--to", "-1h"], "must be before --to"],
  [["query", "m", "cpu", "--aggregate", "avg"], "--aggregate needs --window"],
  [["query", "m", "cpu", "--window", "1m", "--aggregate", "mean"], "the aggregate mean is unknown"],
  [["query", "m", "cpu", "--window", "1m", "--aggregate", "p101"], "the aggregate p101 is unknown"],
  [
    ["query", "m", "cpu", "--window", "soon"],
    "--window must be a duration such as 30s, 5m, 1.5h, 7d, 2w, 1mo or 1y, not soon",
  ],
  [["query", "m", "cpu", "--window", "1mo"], "--window 1mo needs --time-zone, for example --time-zone UTC"],
  [["query", "m", "cpu", "--time-zone", "UTC"], "--time-zone needs --window"],
  [["query", "m", "cpu", "--fill", "null"], "--fill needs --window"],
  [["query", "m", "cpu", "--window", "1d", "--fill", "zero"], "Allowed choices are none, null, previous, linear"],
  [["query", "m", "cpu", "--limit", "0"], "--limit must be a whole number"],
  [["export", "m", "cpu", "--format", "tsdb-dump"], "Allowed choices are ndjson, csv, line, prometheus"],
  [["chart", "m", "cpu", "--aggregate", "avg,max"], "the aggregate avg,max is unknown"],
  [["stats", "m", "--driver", "sqlite"], "Allowed choices are files, rocksdb, classic-level"],
])("bad usage: exit 2 and the reason: %j", async (args, text) => {
  const { code, stdout, stderr } = await runSeries(...args);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(text);
  expect(stderr).not.toMatch(/^\s+at /m);
});

test("a wrong selector is shown with a caret", async () => {
  expect(await runSeries("query", store, "cpu.load{host=a1}")).toEqual({
    code: 2,
    stdout: "",
    stderr:
      "moonpack: expected a value in quotes after host= (at character 15)\n  cpu.load{host=a1}\n                ^\n",
  });
});

test.each([
  "",
  "import",
  "export",
  "list",
  "query",
  "chart",
  "stats",
  "check",
  "migrate",
])("series %s --help has examples that use it, its exit codes, and fits 80 columns", async (command) => {
  const { code, stdout } = await runSeries(...(command === "" ? [] : [command]), "--help");
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Usage: moonpack series /);
  expect(stdout).toContain("Exit codes:");
  expect(stdout.slice(stdout.indexOf("Examples:"))).toContain(`moonpack series ${command}`);
  expect(stdout).not.toContain("(default: false)");
  for (const line of stdout.split("\n").filter((one) => !one.startsWith("Guide: ")))
    expect(line.length).toBeLessThanOrEqual(80);
});

test.runIf(spawnSync("bash", ["--version"]).status === 0)("a reader that closes early is not an error", async () => {
  // More than a pipe holds.
  const lines = Array.from(
    { length: 20_000 },
    (_, i) => `{"name":"m","tags":{},"timestamp":${START + i},"value":${i}}\n`,
  );
  writeFileSync(at("many.ndjson"), lines.join(""));
  expect((await runSeries("import", at("many"), at("many.ndjson"))).code).toBe(0);
  for (const command of [
    "export many",
    "export many --format csv",
    "export many --format line",
    "query many m --json",
  ]) {
    const piped = `"${process.execPath}" "${bin}" series ${command} | head -c 3; exit "\${PIPESTATUS[0]}"`;
    const { status, stdout, stderr } = spawnSync("bash", ["-c", piped], { cwd: folder, env: plainEnvironment() });
    expect([command, status, stdout.length, stderr.toString()]).toEqual([command, 0, 3, ""]);
  }
});

const hasTerminal = spawnSync("script", ["--version"]).status === 0;

test.runIf(hasTerminal)("at a terminal: import asks for a file, and a chart has its size and colours", () => {
  const environment = { ...plainEnvironment(), TERM: "xterm" };
  delete (environment as Record<string, string>).NO_COLOR;
  const terminal = (command: string) =>
    spawnSync("script", ["-qec", `stty cols 60 rows 20; ${process.execPath} ${bin} series ${command}`, "/dev/null"], {
      cwd: folder,
      env: environment,
    });
  const { status, stdout } = terminal("import metrics");
  expect(stdout.toString()).toContain("moonpack: import needs a file or a pipe");
  expect(status).toBe(2);
  const chart = terminal("chart metrics cpu.load").stdout.toString();
  expect(chart).toContain("\x1b[31m");
  const plain = stripVTControlCharacters(chart).split(/\r?\n/);
  expect(plain.find((line) => line.includes("└"))).toHaveLength(60);
  expect(plain.length).toBeLessThanOrEqual(20);
});
