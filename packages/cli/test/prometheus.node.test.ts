/** PromQL on the command line: `series query --promql`, and `prometheus serve`. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { openSeries } from "@moonpack/series";
import { beforeAll, describe, expect, test } from "vitest";
import { bin, emptyFolder, moonpack, plainEnvironment, shellCode } from "./run.js";

const END = Date.parse("2026-01-31T12:00:00Z");
const folder = emptyFolder();

beforeAll(async () => {
  const store = await openSeries({ path: join(folder, "metrics"), now: () => END });
  const set = await store.metricSet(["a", "b"].map((host) => ({ name: "requests_total", tags: { host } })));
  for (let i = 240; i >= 0; i--) await store.writeScrape(END - i * 15_000, set, Float64Array.of(-15 * i, -30 * i));
  await store.writeColumn(
    { name: "odd\u001b[31m".replace("\u001b", "\ue01b") },
    Float64Array.of(END),
    Float64Array.of(NaN),
  );
  await store.close();
});

/** Runs `series query metrics`. */
async function query(...args: string[]): Promise<{ code: number | null; text: string; stderr: string }> {
  const { code, stdout, stderr } = await moonpack(["series", "query", "metrics", ...args], { cwd: folder });
  return { code, text: stdout.toString(), stderr };
}

const TO = ["--to", "2026-01-31T12:00:00Z"];

describe("series query --promql", () => {
  test("a table at one time", async () => {
    expect(await query("--promql", "requests_total + 3600", ...TO)).toEqual({
      code: 0,
      text: 'series      value\n{host="a"}   3600\n{host="b"}   3600\n',
      stderr: "",
    });
    expect((await query("--promql", "requests_total", ...TO)).text).toContain('\nrequests_total{host="b"}  ');
    expect((await query("--promql", "1+1")).text).toBe("2\n");
    expect((await query("--promql", '"a\\nb"')).text).toBe("a\\nb\n");
    expect((await query("--promql", "missing", ...TO)).text).toBe("no series\n");
    expect((await query("--promql", '{__name__=~"odd.*"}', ...TO)).text).not.toContain("\u001b");
  });
  test("tables of a range", async () => {
    const { text } = await query(
      "--promql",
      "sum(requests_total)",
      "--from",
      "2026-01-31T11:59:30Z",
      ...TO,
      "--step",
      "15s",
    );
    expect(text.split("\n")).toEqual([
      "{}",
      "time                      value",
      "2026-01-31T11:59:30.000Z    -90",
      "2026-01-31T11:59:45.000Z    -45",
      "2026-01-31T12:00:00.000Z      0",
      "",
    ]);
    const many = await query("--promql", "requests_total", "--from", "2026-01-31T11:00:00Z", ...TO, "--step", "1s");
    expect(many.text).toMatch(/\n\.\. stopped after 1,000 rows; use --json for all\n$/);
    const matrix = await query("--promql", "requests_total[30s]", ...TO);
    expect(matrix.text.match(/^requests_total\{host="."\}$/gm)).toHaveLength(2);
  });
  test("JSON", async () => {
    const { text } = await query("--promql", "requests_total", "--json", ...TO);
    expect(text).toBe(
      `{"labels":{"__name__":"requests_total","host":"a"},"time":${END},"value":-0}\n` +
        `{"labels":{"__name__":"requests_total","host":"b"},"time":${END},"value":-0}\n`,
    );
    const all = await query("--promql", "requests_total", "--json", "--from", "2026-01-31T11:00:00Z", ...TO);
    const lines = all.text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines).toHaveLength(2 * 61);
    expect((await query("--promql", "1/0", "--json", ...TO)).text).toBe(
      `{"labels":{},"time":${END},"value":"Infinity"}\n`,
    );
  });
  test("a chart", async () => {
    const { text } = await query("--promql", "-requests_total", "--chart", "--from", "2026-01-31T11:00:00Z", ...TO);
    expect(text).toContain("-requests_total  2026-01-31T11:00:00.000Z to ");
    expect(text).toContain('{host="a"}');
    expect(text).toContain("└┬───");
    for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
    const none = await query("--promql", "missing", "--chart", "--from", "-1h");
    expect([none.code, none.stderr]).toEqual([
      1,
      expect.stringMatching(
        /^moonpack: the query has no values from \S+Z to \S+Z; the newest points of the store are of 2026-01-31T12:00:00.000Z: --from 2026-01-31T1[01]:\S+Z --to 2026-01-31T12:00:00.000Z\n$/,
      ),
    ]);
    const missing = await query("--promql", "missing", "--chart", "--from", "2026-01-31T11:00:00Z", ...TO);
    expect(missing.stderr).toMatch(/^moonpack: the query has no values from 2026-01-31T11:00:00.000Z to \S+Z\n$/);
    const late = await query("--promql", "requests_total");
    expect([late.text, late.stderr]).toEqual([
      "no series\n",
      "moonpack: the newest points of the store are of 2026-01-31T12:00:00.000Z: --to 2026-01-31T12:00:00.000Z\n",
    ]);
  });
  test("points that were written a moment ago have a step, in a chart and in a table", async () => {
    const path = join(folder, "fresh");
    const store = await openSeries({ path });
    await store.writeColumn({ name: "fresh" }, Float64Array.of(Date.now()), Float64Array.of(7));
    await store.close();
    const ask = (...args: string[]) =>
      moonpack(["series", "query", path, "--promql", "fresh", "--from", "-1h", ...args], { cwd: folder });
    expect(await ask("--chart")).toMatchObject({ code: 0, stderr: "" });
    expect((await ask()).stdout.toString()).toContain("      7\n");
  });
  test("warnings", async () => {
    const { code, stderr } = await query("--promql", "quantile(2, requests_total)", ...TO);
    expect([code, stderr]).toEqual([
      0,
      "moonpack: PromQL warning: quantile value should be between 0 and 1, got 2 (1:10)\n",
    ]);
  });
  test("errors", async () => {
    expect(await query("--promql", "sum(\nx")).toEqual({
      code: 2,
      text: "",
      stderr: "moonpack: unclosed left parenthesis (at character 7)\n  sum(\\nx\n         ^\n",
    });
    const ambiguous = await query("--promql", "requests_total * on() requests_total", ...TO);
    expect(ambiguous.code).toBe(1);
    expect(ambiguous.stderr).toMatch(/^moonpack: ERR_PROMQL_EXECUTION: /);
    for (const [args, text] of [
      [[], "a selector is missing, or --promql with a query"],
      [["x", "--promql", "y"], "--promql has selectors in its query: leave out the selector"],
      [["x", "--chart"], "--chart needs --promql"],
      [["x", "--step", "5m"], "--step needs --promql"],
      [["--promql", "y", "--window", "5m"], "--window is not for --promql"],
      [["--promql", "y", "--reverse"], "--reverse is not for --promql"],
      [["--promql", "y", "--step", "5m"], "--step needs --from, for example --from -1h"],
      [["--promql", "y", "--chart"], "--chart needs --from, for example --from -1h"],
      [["--promql", "y", "--chart", "--json", "--from", "-1h"], "--chart and --json exclude each other"],
      [["--promql", "y", "--chart", "--from", "-1h", "--step", "1m"], "--chart chooses the step: leave out --step"],
    ] as const)
      expect(await query(...args), args.join(" ")).toEqual({ code: 2, text: "", stderr: `moonpack: ${text}\n` });
  });
});

/** A server as a process, once it has printed its address. */
async function serving(...args: string[]) {
  const child = spawn(process.execPath, [bin, "prometheus", "serve", "metrics", "--port", "0", ...args], {
    cwd: folder,
    env: plainEnvironment(),
  });
  const ended = new Promise((resolve) => child.on("close", (code, by) => resolve(shellCode(code, by))));
  const texts = { stdout: "", stderr: "" };
  child.stderr.on("data", (chunk: Buffer) => {
    texts.stderr += chunk.toString();
  });
  const url = await new Promise<string>((resolve, reject) => {
    ended.then((code) => reject(new Error(`exit ${code}: ${texts.stderr}`)));
    child.stdout.on("data", (chunk: Buffer) => {
      texts.stdout += chunk.toString();
      const found = /http:\S+(?=,)/.exec(texts.stdout);
      if (found !== null) resolve(found[0]);
    });
  });
  return { child, ended, texts, url };
}

describe("prometheus serve", () => {
  test("serves a store beside a writer, on this machine only, until a signal arrives", async () => {
    const writer = await openSeries({ path: join(folder, "metrics"), now: () => END });
    const { child, ended, texts, url } = await serving();
    expect(texts.stdout).toBe(`metrics at ${url}, for reading\n`);
    expect(new URL(url).hostname).toBe("127.0.0.1");
    const ask = async () => {
      const answer = await fetch(`${url}/api/v1/query?query=live&time=${END / 1000}`);
      return ((await answer.json()) as { data: { result: { value: [number, string] }[] } }).data.result;
    };
    expect(await ask()).toEqual([]);
    await writer.writeColumn({ name: "live" }, Float64Array.of(END), Float64Array.of(7));
    for (let i = 0; i < 100 && (await ask()).length === 0; i++) await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await ask())[0]!.value).toEqual([END / 1000, "7"]);
    child.kill("SIGTERM");
    expect([await ended, texts.stderr]).toEqual([0, ""]);
    await writer.close();
  }, 30_000);
  test("with --write it receives remote writes, and no other process can", async () => {
    const { child, ended, texts, url } = await serving("--write");
    expect(texts.stdout).toBe(`metrics at ${url}, for reading and writing\n`);
    const headers = { "content-type": "application/x-protobuf", "content-encoding": "snappy" };
    // An empty message.
    const written = await fetch(`${url}/api/v1/write`, { method: "POST", headers, body: Uint8Array.of(0) });
    expect(written.status).toBe(204);
    const other = await moonpack(["prometheus", "serve", "metrics", "--write", "--port", "0"], { cwd: folder });
    expect([other.code, other.stderr]).toEqual([1, expect.stringContaining("ERR_SERIES_LOCKED")]);
    child.kill("SIGINT");
    expect([await ended, texts.stderr]).toEqual([0, ""]);
  }, 30_000);
  test("says that other machines can reach it", async () => {
    const { child, ended, texts, url } = await serving("--host", "0.0.0.0");
    child.kill("SIGINT");
    // The end of the process is the end of both of its texts.
    expect(await ended).toBe(0);
    expect(texts.stderr).toBe(
      `moonpack: other machines can reach ${new URL(url).host}: whoever can connect can read the series of the store\n`,
    );
  }, 30_000);
  test("errors", async () => {
    const serve = async (...args: string[]) => {
      const { code, stderr } = await moonpack(["prometheus", "serve", ...args], { cwd: folder });
      return [code, stderr];
    };
    expect(await serve("missing")).toEqual([
      1,
      expect.stringMatching(/^moonpack: cannot open the store .*missing: no such folder\n$/),
    ]);
    for (const port of ["x", "-1", "65536", "1.5", ""])
      expect((await serve("metrics", "--port", port))[0], port).toBe(2);
    const { child, ended, url } = await serving();
    const { port } = new URL(url);
    expect(await serve("metrics", "--port", port)).toEqual([
      1,
      `moonpack: cannot listen on 127.0.0.1:${port}: the address is in use\n`,
    ]);
    child.kill("SIGINT");
    await ended;
  }, 30_000);
  test("--help has examples and fits 80 columns", async () => {
    const { stdout } = await moonpack(["prometheus", "serve", "--help"]);
    expect(stdout.toString()).toContain("\nExamples:\n  moonpack prometheus serve metrics\n");
    // The path of the guide is as long as the folder of the installation makes it.
    const [text] = stdout.toString().split("\nGuide: ");
    for (const line of text!.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  });
});
