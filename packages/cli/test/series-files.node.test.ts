/** Files that people own, through the command into real stores: outputs of exporters, dumps and public data sets. None is copied here. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import client from "prom-client";
import { describe, expect, test } from "vitest";
import { unzipped } from "../src/shared/gunzip.js";
import { ByteWindow } from "../src/shared/input.js";
import { isLeftOut, moduleFolder } from "./go-module.js";
import { emptyFolder } from "./run.js";
import { runSeries, type SeriesRun } from "./series-run.js";

const folder = emptyFolder();
let stores = 0;

/** Imports a file into a new store. Returns the run, and the store. */
async function importFile(file: string, ...options: readonly string[]): Promise<SeriesRun & { store: string }> {
  const store = join(folder, `store${++stores}`);
  return { ...(await runSeries("import", store, file, ...options)), store };
}

/** All points of a store, as lines of NDJSON. */
async function pointsOf(store: string): Promise<readonly string[]> {
  const out = join(folder, `points${++stores}.ndjson`);
  expect(await runSeries("export", store, "--out", out)).toEqual({ code: 0, stdout: "", stderr: "" });
  return readFileSync(out, "utf8").split("\n").slice(0, -1);
}

/** The values of the samples of a text, by another reader: the first word after the name or after the last brace. */
function valuesIn(text: string): readonly number[] {
  const samples = text
    .replace("\ufeff", "")
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "" && !line.startsWith("#"));
  return samples.map((line) =>
    Number(
      /(?:^[^{]*?|\}) *(?<= |\})(\S+)(?: [-\d.]+)?$/.exec(line.replace(/ # .*/, ""))![1]!.replace("Inf", "Infinity"),
    ),
  );
}

const [node, windows, cadvisor, json, prometheus] = [
  "github.com/prometheus/node_exporter@v1.9.1",
  "github.com/prometheus-community/windows_exporter@v0.30.8",
  "github.com/google/cadvisor@v0.52.1",
  "github.com/prometheus-community/json_exporter@v0.7.0",
  "github.com/prometheus/prometheus@v0.315.0",
].map((module) => moduleFolder(module));

/** Imports an output of an exporter, and checks that no sample is lost or changed. */
async function checkOutput(file: string, format: string): Promise<void> {
  const text = readFileSync(file, "utf8");
  const values = valuesIn(text);
  const { code, stdout, stderr, store } = await importFile(file, "--format", format, "--timestamp", "2026-01-31");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain(`${values.length.toLocaleString("en-US")} points imported into`);
  const points = await pointsOf(store);
  const found = points.map((line) => Number((JSON.parse(line) as { value: unknown }).value));
  const sorted = (list: readonly number[]) =>
    [...list].sort((a, b) => (a < b ? -1 : a > b ? 1 : Number.isNaN(a) ? 1 : -1));
  expect(sorted(found)).toEqual(sorted(values));
  for (const extension of ["prom.gz", "om"]) {
    const out = join(folder, `again${++stores}.${extension}`);
    expect(await runSeries("export", store, "--out", out)).toMatchObject({ code: 0, stderr: "" });
    const again = await importFile(out);
    expect(again).toMatchObject({ code: 0, stderr: "" });
    expect(await pointsOf(again.store)).toEqual(points);
  }
}

describe("outputs of exporters", () => {
  test.skipIf(isLeftOut(node)).each(["e2e-output.txt", "e2e-64k-page-output.txt", "e2e-output-freebsd.txt"])(
    "node_exporter: %s",
    (name) => checkOutput(join(node!, "collector/fixtures", name), "prometheus"),
    60_000,
  );

  test.skipIf(isLeftOut(windows))("windows_exporter", () =>
    checkOutput(join(windows!, "tools/e2e-output.txt"), "prometheus"),
  );

  test.skipIf(isLeftOut(cadvisor))("cAdvisor", () =>
    checkOutput(join(cadvisor!, "metrics/testdata/prometheus_metrics"), "prometheus"),
  );

  test.skipIf(isLeftOut(json))("json_exporter", () => checkOutput(join(json!, "test/response/good.txt"), "prometheus"));

  test.skipIf(isLeftOut(prometheus)).each([
    ["alltypes.237mfs.prom.txt", "prometheus"],
    ["alltypes.5mfs.om.txt", "prometheus"],
    ["1histogram.om.txt", "openmetrics"],
  ])("Prometheus: %s", (name, format) => checkOutput(join(prometheus!, "model/textparse/testdata", name), format));

  test("prom-client, in both formats", async () => {
    for (const type of [client.Registry.PROMETHEUS_CONTENT_TYPE, client.Registry.OPENMETRICS_CONTENT_TYPE] as const) {
      const registry = new client.Registry();
      registry.setContentType(type as never);
      client.collectDefaultMetrics({ register: registry as client.Registry });
      const counter = new client.Counter({
        name: "c",
        help: "h\n\\",
        labelNames: ["l"],
        registers: [registry as client.Registry],
      });
      counter.inc({ l: 'a\n"\\' }, 3);
      const file = join(folder, `client${++stores}.txt`);
      writeFileSync(file, await registry.metrics());
      await checkOutput(file, "prometheus");
      registry.clear();
    }
  });
});

describe("dumps of promtool", () => {
  const data = () => join(prometheus!, "cmd/promtool/testdata");

  test.skipIf(isLeftOut(prometheus)).each(["dump-test-1.prom", "dump-test-2.prom", "dump-test-3.prom"])(
    "%s",
    async (name) => {
      const lines = readFileSync(join(data(), name), "utf8").trimEnd().split("\n");
      const { code, store } = await importFile(join(data(), name), "--format", "tsdb-dump");
      expect(code).toBe(0);
      const points = (await pointsOf(store)).map((line) => JSON.parse(line) as Record<string, unknown>);
      const texts = points.map(({ name, tags, value, timestamp }) => {
        const labels = Object.entries({ __name__: name, ...(tags as object) }).map(([key, text]) => `${key}="${text}"`);
        return `{${labels.join(", ")}} ${value} ${timestamp}`;
      });
      expect(texts.sort()).toEqual(lines.sort());
    },
  );

  test.skipIf(isLeftOut(prometheus)).each(["dump-openmetrics-test.prom", "dump-openmetrics-roundtrip-test.prom"])(
    "%s",
    async (name) => {
      const text = readFileSync(join(data(), name), "utf8");
      const { code, store } = await importFile(join(data(), name), "--format", "prometheus");
      expect(code).toBe(0);
      const out = join(folder, `${name}.om`);
      await runSeries("export", store, "--out", out);
      const exported = readFileSync(out, "utf8");
      const normal = (text: string) =>
        text.replace(/ (\S+) (\S+)$/gm, (_, value, time) => ` ${Number(value)} ${Number(time)}`);
      expect(normal(exported).split("\n").sort()).toEqual(normal(text).split("\n").sort());
    },
  );
});

describe("public data sets", () => {
  const data = join(dirname(fileURLToPath(import.meta.resolve("vega-datasets"))), "../data");
  const at = (name: string) => join(data, name);
  const rows = (name: string) => readFileSync(at(name), "utf8").trimEnd().split(/\r?\n/).slice(1);
  const first = async (store: string, text: string) => (await pointsOf(store)).find((line) => line.includes(text));

  test("the weather of Seattle: several values a row", async () => {
    const options = [
      "--name",
      "weather",
      "--value-columns",
      "precipitation,temp_max,temp_min,wind",
      "--tags",
      "weather",
    ];
    const { code, stdout, store } = await importFile(at("seattle-weather.csv"), ...options, "--time-column", "date");
    expect([code, stdout]).toEqual([
      0,
      `${(4 * rows("seattle-weather.csv").length).toLocaleString("en-US")} points imported into ${store}\n`,
    ]);
    expect(await first(store, "temp_max")).toBe(
      `{"name":"weather.temp_max","tags":{"weather":"drizzle"},"timestamp":${Date.UTC(2012, 0, 1)},"value":12.8}`,
    );
  });

  test("prices of stocks: months by their names", async () => {
    const options = [
      "--name",
      "price",
      "--time-column",
      "date",
      "--time-format",
      "%b %d %Y",
      "--value-columns",
      "price",
    ];
    const { code, store } = await importFile(at("stocks.csv"), ...options, "--tags", "symbol");
    expect(code).toBe(0);
    const points = await pointsOf(store);
    expect(points).toHaveLength(rows("stocks.csv").length);
    expect(points).toContain(
      `{"name":"price.price","tags":{"symbol":"MSFT"},"timestamp":${Date.UTC(2000, 0, 1)},"value":39.81}`,
    );
  });

  test("employment in the USA: all columns are values", async () => {
    const { code, store } = await importFile(at("us-employment.csv"), "--time-column", "month", "--value-columns", "*");
    expect(code).toBe(0);
    expect(await pointsOf(store)).toHaveLength(
      rows("us-employment.csv").join(",").split(",").length - rows("us-employment.csv").length,
    );
    expect(await first(store, '"nonfarm"')).toBe(
      `{"name":"nonfarm","tags":{},"timestamp":${Date.UTC(2006, 0, 1)},"value":135450}`,
    );
  });

  test("commits on GitHub: times with slashes, in a time zone, compressed", async () => {
    const file = join(folder, "github.csv.gz");
    writeFileSync(file, gzipSync(readFileSync(at("github.csv"))));
    const options = ["--name", "commits", "--value-columns", "count", "--time-format", "%Y/%m/%d %H:%M:%S"];
    const { code, store, stderr } = await importFile(file, ...options, "--time-zone", "America/Los_Angeles");
    expect([code, stderr]).toEqual([0, ""]);
    const points = await pointsOf(store);
    expect(points).toHaveLength(rows("github.csv").length);
    expect(points[0]).toBe(
      `{"name":"commits.count","tags":{},"timestamp":${Date.parse("2015-01-01T01:00-08:00")},"value":2}`,
    );
  });

  test("carbon dioxide: times before 1970 are said", async () => {
    const options = ["--time-column", "Date", "--value-columns", "*"];
    const stopped = await importFile(at("co2-concentration.csv"), ...options);
    expect([stopped.code, stopped.stderr]).toEqual([
      1,
      expect.stringContaining("ERR_OUT_OF_RANGE: the timestamp is before 1970, line 2"),
    ]);
    const { code, stdout, store } = await importFile(at("co2-concentration.csv"), ...options, "--skip-invalid");
    const early = rows("co2-concentration.csv").filter((row) => row < "1970");
    expect([code, stdout]).toEqual([0, expect.stringContaining(`${early.length} invalid records skipped`)]);
    expect(await pointsOf(store)).toHaveLength(2 * (rows("co2-concentration.csv").length - early.length));
  });
});

describe("gzip", () => {
  const line = (i: number) => `{"name":"a","tags":{},"timestamp":${1_769_860_800_000 + i},"value":${i}}\n`;
  const text = Array.from({ length: 60_000 }, (_, i) => line(i)).join("");
  const file = (name: string, bytes: Uint8Array) => {
    writeFileSync(join(folder, name), bytes);
    return join(folder, name);
  };

  test("is known by its bytes, in any number of members", async () => {
    const half = text.indexOf("\n", text.length / 2) + 1;
    const members = [gzipSync(text.slice(0, half)), gzipSync(""), gzipSync(text.slice(half))];
    for (const name of ["members.ndjson", "members.ndjson.gz"]) {
      const { code, stdout, store } = await importFile(file(name, Buffer.concat(members)));
      expect([code, stdout]).toEqual([0, `60,000 points imported into ${store}\n`]);
      expect(`${(await pointsOf(store)).join("\n")}\n`).toBe(text);
    }
  });

  test("is written to files with its extension", async () => {
    const { store } = await importFile(file("plain.ndjson", Buffer.from(text)));
    const out = join(folder, "out.NDJSON.GZ");
    expect(await runSeries("export", store, "--out", out)).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(gunzipSync(readFileSync(out)).toString()).toBe(text);
    const other = join(folder, "missing.csv.gz");
    expect(await runSeries("export", store, "nothing", "--out", other)).toMatchObject({ code: 1 });
    expect(existsSync(other)).toBe(false);
  });

  test("damaged and incomplete data, and other bytes after them, are errors; nothing is lost in silence", async () => {
    const whole = gzipSync(text);
    const damaged = Buffer.from(whole);
    damaged[10] = 0xff; // a block of an unknown type
    const wrongSum = Buffer.from(whole);
    wrongSum[whole.length - 6]! ^= 1;
    for (const [bytes, error] of [
      [whole.subarray(0, whole.length - 9), "ERR_TRUNCATED: the gzip data are not complete"],
      [whole.subarray(0, 12), "ERR_TRUNCATED: the gzip data are not complete"],
      [damaged, "ERR_INVALID_BYTE: the gzip data are damaged"],
      [wrongSum, "ERR_INVALID_BYTE: the gzip data are damaged"],
      [Buffer.concat([whole, Buffer.from("more")]), "ERR_INVALID_BYTE: the gzip data are damaged"],
      [
        Buffer.concat([whole, Buffer.from("\0\0\0\0more")]),
        "ERR_TRAILING_BYTES: there are other bytes after the end of the gzip data",
      ],
    ] as const) {
      const path = file("wrong.ndjson", bytes);
      const { code, stdout, stderr } = await importFile(path);
      expect([code, stderr], error).toEqual([1, `moonpack: ${path}: ${error}\n`]);
      if (stdout !== "") expect(stdout).toContain(" before the error\n");
    }
  });

  test("an error waits for the first read", async () => {
    for (const size of [3, 12, 23]) {
      const path = file("early.ndjson", gzipSync("a 1\n").subarray(0, size));
      const compressed = await ByteWindow.open(path);
      const window = unzipped(compressed, path);
      // Until then, the command loads the reader of the format.
      await setTimeout(20);
      await expect(window.reachEnd()).rejects.toThrow("ERR_TRUNCATED: the gzip data are not complete");
      await window.close();
      await compressed.close();
    }
  });
});
