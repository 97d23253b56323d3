/** Imports through the command, into real stores: what no format may lose without a word. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { runSeries, type SeriesRun } from "./series-run.js";

const folder = mkdtempSync(join(tmpdir(), "moonpack-import-"));
afterAll(() => rmSync(folder, { recursive: true }));

let stores = 0;

/** Imports a text from a file of a name into a new store. Returns the run, and all points as `name tags time value`. */
async function imported(
  name: string,
  text: string,
  ...options: readonly string[]
): Promise<SeriesRun & { points: string[] }> {
  const [file, store, out] = [name, `store${++stores}`, `out${stores}.ndjson`].map((name) => join(folder, name));
  writeFileSync(file!, text);
  const run = await runSeries("import", store!, file!, ...options);
  if (!existsSync(store!)) return { ...run, points: [] };
  await runSeries("export", store!, "--out", out!);
  const lines = readFileSync(out!, "utf8").split("\n").slice(0, -1);
  const points = lines.map((line) => {
    const { name, tags, timestamp, value } = JSON.parse(line) as Record<string, unknown>;
    return `${name} ${JSON.stringify(tags)} ${timestamp} ${value}`;
  });
  return { ...run, points };
}

describe("labels of Prometheus", () => {
  test("line feeds are stored as other characters: no two labels become one", async () => {
    const text = [
      String.raw`a{l="x\ny"} 1 5`,
      String.raw`a{l="x\\ny"} 2 5`,
      'a{l="x\ue00ay"} 3 5',
      String.raw`{"b\nc",l="\n"} 4 5`,
      "",
    ].join("\n");
    expect(await imported("labels.prom", text)).toMatchObject({
      code: 0,
      points: [
        'a {"l":"x\ue00ay"} 5 1',
        String.raw`a {"l":"x\\ny"} 5 2`,
        'a {"l":"x\ue0ff\ue00ay"} 5 3',
        'b\ue00ac {"l":"\ue00a"} 5 4',
      ],
    });
  });

  test("in other formats control characters are an error, as in a store", async () => {
    const { code, stderr } = await imported("c.ndjson", '{"name":"a\\nb","timestamp":5,"value":1}\n');
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining("ERR_INVALID_METRIC: the name has a control character"),
    ]);
  });
});

describe("the tag of staleness markers", () => {
  const markers = ['a {"__stale__":"1"} 5 1'];

  test("a label of this name has another tag, and is exported as it was", async () => {
    const text = 'a{__stale__="1"} 2 5\na{x="__stale__"} 3 5\n';
    for (const [name, options] of [
      ["stale.prom", []],
      ["stale.om", []],
      ["stale.jsonl", ["--format", "victoriametrics"]],
      ["stale.txt", ["--format", "tsdb-dump"]],
    ] as const) {
      const texts: Readonly<Record<string, string>> = {
        "stale.om": 'a{__stale__="1"} 2 0.005\na{x="__stale__"} 3 0.005\n# EOF\n',
        "stale.jsonl":
          '{"metric":{"__name__":"a","__stale__":"1"},"values":[2],"timestamps":[5]}\n{"metric":{"__name__":"a","x":"__stale__"},"values":[3],"timestamps":[5]}\n',
        "stale.txt": '{__name__="a", __stale__="1"} 2 5\n{__name__="a", x="__stale__"} 3 5\n',
      };
      const { code, points } = await imported(name, texts[name] ?? text, ...options);
      expect([code, points], name).toEqual([0, ['a {"\ue0ff__stale__":"1"} 5 2', 'a {"x":"__stale__"} 5 3']]);
    }
    const out = join(folder, "stale-out.prom");
    expect(await runSeries("export", join(folder, `store${stores}`), "--out", out)).toMatchObject({ code: 0 });
    expect(readFileSync(out, "utf8").split("\n").sort()).toEqual(["", ...text.trimEnd().split("\n")]);
  });

  test("what export wrote is a marker again; the formats of Prometheus have none", async () => {
    const { code, points } = await imported("markers.lp", "a,__stale__=1,__name__=a value=1 5000000\n");
    expect([code, points]).toEqual([0, markers]);
    const store = join(folder, `store${stores}`);
    for (const name of ["m.ndjson", "m.csv", "m.lp"]) {
      const out = join(folder, name);
      expect(await runSeries("export", store, "--out", out), name).toMatchObject({ code: 0 });
      const tags = name === "m.csv" ? ["--tags", "*"] : [];
      expect((await imported(name, readFileSync(out, "utf8"), ...tags)).points, name).toEqual(markers);
    }
    const out = join(folder, "m.prom");
    expect(await runSeries("export", store, "--out", out)).toMatchObject({ code: 0 });
    expect(readFileSync(out, "utf8")).toBe("");
  });

  test.each([
    ["bad.ndjson", '{"name":"a","tags":{"__stale__":"2"},"timestamp":5,"value":1}\n', []],
    ["bad.csv", "name,__stale__,timestamp,value\na,x,5,1\n", ["--tags", "*"]],
    ["bad.lp", "a,__stale__=yes b=1 5000000\n", []],
  ])("other values are refused: %s", async (name, text, options) => {
    const { code, stderr, points } = await imported(name, text, ...options);
    expect([code, points]).toEqual([1, []]);
    expect(stderr).toContain("ERR_INVALID_METRIC: the tag __stale__ is for staleness markers, whose value is 1, line ");
  });
});

describe("an import that fails before its first point", () => {
  test.each([
    ["header.csv", "a,b\n1,2\n", []],
    ["empty.csv", "", []],
    ["first.ndjson", "{\n", []],
    ["not.csv", "a,b\n", ["--format", "annotated-csv"]],
  ])("makes no store: %s", async (name, text, options) => {
    const [file, store] = [join(folder, name), join(folder, "deep", name)];
    writeFileSync(file, text);
    expect(await runSeries("import", store, file, ...options)).toMatchObject({ code: 1, stdout: "" });
    expect(existsSync(join(folder, "deep"))).toBe(false);
    // A folder that was there is left as it was.
    mkdirSync(`${store}-there`, { recursive: true });
    expect(await runSeries("import", `${store}-there`, file, ...options)).toMatchObject({ code: 1 });
    expect(readdirSync(`${store}-there`)).toEqual([]);
    rmSync(join(folder, "deep"), { recursive: true });
  });

  test("one without points makes a store", async () => {
    const [file, store] = [join(folder, "none.ndjson"), join(folder, "none")];
    writeFileSync(file, "\n");
    expect(await runSeries("import", store, file)).toMatchObject({ code: 0 });
    expect(await runSeries("stats", store)).toMatchObject({ code: 0 });
  });
});

describe("the unit of timestamps", () => {
  const seconds = 1_700_000_000;

  test("OpenMetrics has seconds, and its exemplars are counted", async () => {
    const text = `# TYPE a counter\na_total 1 ${seconds} # {trace="4f"} 0.5\na_total 2 ${seconds + 15}\n# EOF\n`;
    const { code, stdout, points } = await imported("om.prom", text);
    expect([code, points]).toEqual([0, [`a_total {} ${seconds}000 1`, `a_total {} ${seconds + 15}000 2`]]);
    expect(stdout).toMatch(/^2 points imported into .*\n1 exemplar skipped: a store has points only\n$/);
  });

  test.each([
    ["cut.prom", `a 1 ${seconds}\na 2\n`, ["--format", "prometheus"]],
    ["s.csv", `name,timestamp,value\na,${seconds},1\n`, []],
    ["s.ndjson", `{"name":"a","timestamp":${seconds},"value":1}\n`, []],
    ["us.ndjson", `{"name":"a","timestamp":"${seconds}","value":1}\n`, []],
  ])("times that all are in 1970 are a question: %s", async (name, text, format) => {
    const { code, stdout, stderr, points } = await imported(name, text);
    expect({ code, stdout, points }).toEqual({ code: 1, stdout: "", points: [] });
    const option = ["--format prometheus --unit", "--unit"][Number(format.length === 0)];
    expect(stderr).toContain(
      "ERR_OUT_OF_RANGE: are the timestamps in ms? All are in 1970 then, but from 2023-11-14 on in s: " +
        `add ${option} s, or ${option} ms if 1970 is right, line `,
    );
    for (const [unit, time] of [
      ["s", `${seconds}000`],
      ["ms", String(seconds)],
    ] as const)
      expect((await imported(name, text, ...format, "--unit", unit)).points).toContain(`a {} ${time} 1`);
  });

  test.each([
    ["20240131", "20240131 may be a date: add --time-format %Y%m%d", "2024-01-31"],
    ["2024", "2024 may be a year: write it as 2024-01-01", undefined],
  ])("so are dates without hyphens and years: %s", async (time, question, date) => {
    const text = `name,timestamp,value\na,${time},1\n`;
    const { code, points, stderr } = await imported("d.csv", text);
    expect({ code, points }).toEqual({ code: 1, points: [] });
    expect(stderr).toContain(`All are in 1970 then, but ${question}, or --unit ms if 1970 is right, line 2`);
    expect((await imported("d.csv", text, "--unit", "ms")).points).toEqual([`a {} ${time} 1`]);
    if (date !== undefined)
      expect((await imported("d.csv", text, "--time-format", "%Y%m%d")).points).toEqual([`a {} ${Date.parse(date)} 1`]);
  });

  test("the unit is certain with a later time, an ISO text and small numbers", async () => {
    for (const times of [
      [seconds, 1_700_000_000_000],
      ["1970-01-20T00:00:00Z"],
      [0, 94_000_000],
      [5_000_000_000],
      [0, 2024],
      [20_241_301],
    ]) {
      const rows = times.map((time) => `a,${time},1\n`).join("");
      expect(await imported("t.csv", `name,timestamp,value\n${rows}`), String(times)).toMatchObject({ code: 0 });
    }
  });

  test("before the question is answered, nothing of a wrong line's file is written", async () => {
    const { code, points, stderr } = await imported("w.csv", `name,timestamp,value\na,${seconds},1\na,x,1\n`);
    expect([code, points]).toEqual([1, []]);
    expect(stderr).toContain('the timestamp "x" is neither a number');
  });
});

describe("files and folders that are something else", () => {
  test("export refuses a file whose extension it does not know", async () => {
    const store = join(folder, "exported");
    const file = join(folder, "e.lp");
    writeFileSync(file, "a b=1 5000000\n");
    await runSeries("import", store, file);
    for (const name of ["e.parquet", "e.parquet.gz"]) {
      const out = join(folder, name);
      expect(await runSeries("export", store, "--out", out)).toEqual({
        code: 2,
        stdout: "",
        stderr:
          `moonpack: the format of ${out} is unknown (known extensions: .ndjson .jsonl .csv .lp .line .prom .om, each also ` +
          "with .gz): add --format ndjson, csv, line, prometheus, openmetrics, victoriametrics, annotated-csv\n",
      });
      expect(readdirSync(folder)).not.toContain(name);
      expect(await runSeries("export", store, "--out", out, "--format", "csv")).toMatchObject({ code: 0 });
    }
    expect(await runSeries("export", store, "--out", join(folder, "plain"))).toMatchObject({ code: 0 });
  });

  test("import creates a store only in an empty folder", async () => {
    const [other, file] = [join(folder, "other"), join(folder, "o.lp")];
    mkdirSync(other);
    writeFileSync(file, "a b=1 5000000\n");
    writeFileSync(join(other, "letter.txt"), "");
    expect(await runSeries("import", other, file)).toEqual({
      code: 1,
      stdout: "",
      stderr:
        `moonpack: cannot create a store in the folder ${other}: it contains files that are not a store; ` +
        "name an empty folder, or one that does not exist\n",
    });
    expect(readdirSync(other)).toEqual(["letter.txt"]);
    rmSync(join(other, "letter.txt"));
    expect(await runSeries("import", other, file)).toMatchObject({ code: 0 });
    expect(await runSeries("import", other, file)).toMatchObject({ code: 0 });
  });
});
