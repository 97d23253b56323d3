import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { fromJson, type LoadResult } from "@moonpack/load";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rows } from "./rows.js";
import { bin, emptyFolder, moonpack, plainEnvironment, type Run } from "./run.js";

const server = createServer((socket) => socket.on("data", (chunk) => socket.write(chunk)).on("error", () => {}));
let echo = "";
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  echo = `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

const SHORT = ["--operations", "200", "--warmup", "0", "--rounds", "2", "--concurrency", "8"];

/** A folder with modules that are targets. */
function modules(): string {
  const cwd = emptyFolder();
  const write = (name: string, text: string) => writeFileSync(join(cwd, name), text);
  write("map.mjs", "export async function get(key) { return key; }\nexport async function set() {}\n");
  write("object.mjs", "export default { name: 'an object', get: async (key) => key };\n");
  write(
    "class.mjs",
    "class Keys { #known = new Set(); async get(key) { this.#known.add(key); return key; } }\nexport default new Keys();\n",
  );
  write("function.mjs", "export default async (n) => n;\n");
  write(
    "typed.ts",
    "interface A { a: number }\nexport async function get(key: number): Promise<A> { return { a: key }; }\n",
  );
  write("wrong.mjs", "export async function get() {}\nexport const check = () => false;\n");
  write(
    "failing.mjs",
    "export async function get(key) { if (key % 2) throw Object.assign(new Error('no'), { code: 'ENO' }); }\n",
  );
  write(
    "broken.mjs",
    "export async function get() {}\nexport async function setup() { throw new Error('no\\nway'); }\n",
  );
  write("leaky.mjs", "setInterval(() => {}, 1000);\nexport const get = async () => {};\n");
  write("open.mjs", "export const get = async () => {};\nexport const close = () => new Promise(() => {});\n");
  write("nothing.mjs", "export const a = 1;\n");
  write("syntax.mjs", "export const a = ;\n");
  write("list.json", '[{"a":1},{"a":2}]');
  write("lines.ndjson", '{"a":1}\n\n{"a":2}\n{"a":3}\n');
  write("bad.ndjson", '{"a":1}\n{"a":\n');
  write("empty.json", "[]");
  write("schema.json", '{"pck":1,"root":"A","structs":{"A":{"fields":[{"name":"a","type":"u8"}]}}}');
  return cwd;
}

/** The first line of a run that starts: how long it takes. */
const LENGTH = /^moonpack: takes .*; Ctrl-C ends it with the figures so far\n/;

function expectDone({ code, stderr }: Run): void {
  expect([code, stderr.replace(LENGTH, "")]).toEqual([0, ""]);
}

test("a table of percentiles, of rounds, and sentences", async () => {
  const run = await moonpack(["load", echo, ...SHORT, "--payload", "3"]);
  expectDone(run);
  const text = run.stdout.toString();
  expect(text).toMatch(
    /^tcp:\/\/127\.0\.0\.1:\d+\nget, 3 B, 10,000 keys \(uniform\); 8 in flight; 2 rounds of 200 operations\n\n/,
  );
  expect(text).toMatch(/^time +p50 +p90 +p99 +p99\.9 +max +mean\nservice +[\d.]+ [mµn]?s/m);
  expect(text).toMatch(/^round +ops\/s +p99 +errors +CPU\/op +busy +loop delay +GC\n1 +[\d,.]+ /m);
  expect(text).toMatch(/^[\d,.]+ operations\/s, median of 2 rounds \([\d,.]+ to [\d,.]+\); 400 in total\.$/m);
});

test.each([
  [["map.mjs"], "map.mjs", "get, 1 KB"],
  [["map.mjs", "--scenario", "set"], "map.mjs", "set, 1 KB"],
  [["map.mjs", "--scenario", "mixed"], "map.mjs", "80 % get, 20 % set"],
  [["map.mjs", "--scenario", "mixed", "--mix", "33.5%"], "map.mjs", "33.5 % get, 66.5 % set"],
  [["map.mjs", "--rate", "20k"], "map.mjs", "20,000/s, at most 8 in flight"],
  [["map.mjs", "--keys", "1k", "--distribution", "zipf"], "map.mjs", "1,000 keys (zipf)"],
  [["map.mjs", "--payload", "100k"], "map.mjs", "get, 100 KB"],
  [["map.mjs", "--payload", "list.json"], "map.mjs", "get, 2 records"],
  [["map.mjs", "--payload", "lines.ndjson"], "map.mjs", "get, 3 records"],
  [["./object.mjs"], "an object", "get, 1 KB"],
  [["class.mjs"], "class.mjs", "get, 1 KB"],
  [["function.mjs"], "function.mjs", "get; 8 in flight"],
  [["typed.ts"], "typed.ts", "get, 1 KB"],
])("modules as targets: %j", async (args, name, description) => {
  const run = await moonpack(["load", ...args, ...SHORT], { cwd: modules() });
  expectDone(run);
  const [title, what] = run.stdout.toString().split("\n");
  expect(title).toBe(name);
  expect(what).toContain(description);
});

test("the load has the options and the values of the command line", async () => {
  const cwd = modules();
  const module = `import { appendFileSync } from "node:fs";
    export const setup = async ({ keys, concurrency, value }) => appendFileSync("log", JSON.stringify([keys, concurrency, value(0), value(1)]) + "\\n");
    export const set = async (key, value) => appendFileSync("log", JSON.stringify([key, value]) + "\\n");`;
  writeFileSync(join(cwd, "log.mjs"), module);
  const args = [
    "--operations",
    "50",
    "--warmup",
    "0",
    "--rounds",
    "1",
    "--keys",
    "5",
    "--concurrency",
    "3",
    "--seed",
    "7",
  ];
  expectDone(await moonpack(["load", "log.mjs", ...args, "--payload", "list.json"], { cwd }));
  const [setup, ...calls] = readFileSync(join(cwd, "log"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(setup).toEqual([5, 3, { a: 1 }, { a: 2 }]);
  expect(calls).toHaveLength(50);
  for (const [key, value] of calls) expect([key < 5, value]).toEqual([true, { a: (key % 2) + 1 }]);
});

test.each([
  [["--codec", "msgpack"]],
  [["--codec", "json"]],
  [["--codec", "pck", "--schema", "schema.json"]],
])("codecs: %j", async (codec) => {
  expectDone(await moonpack(["load", echo, ...SHORT, "--payload", "lines.ndjson", ...codec], { cwd: modules() }));
});

test("a store of time series", async () => {
  const cwd = emptyFolder();
  const args = ["--scenario", "mixed", "--keys", "20"];
  const run = await moonpack(["load", "series:metrics", ...SHORT, ...args], { cwd });
  expectDone(run);
  expect(run.stdout.toString().split("\n")[0]).toBe("series:metrics");
  const { stdout } = await moonpack(["series", "stats", "metrics"], { cwd });
  expect(stdout.toString()).toMatch(/\b20\b/);
});

test("files: JSON, Markdown and SVG; standard output instead of the table; --quiet prints nothing", async () => {
  const cwd = modules();
  const files = ["--json", "a.json", "--markdown", "a.md", "--svg", "a.svg"];
  const run = await moonpack(["load", "map.mjs", ...SHORT, ...files, "--quiet"], { cwd });
  expectDone(run);
  expect(run.stdout.length).toBe(0);
  const result = fromJson(JSON.parse(readFileSync(join(cwd, "a.json"), "utf8"))) as LoadResult;
  expect(result).toMatchObject({ target: "map.mjs", summary: { operations: 400 }, interrupted: false });
  expect(readFileSync(join(cwd, "a.md"), "utf8")).toMatch(/^## map\.mjs\n\nget, 1 KB/);
  expect(readFileSync(join(cwd, "a.svg"), "utf8")).toMatch(/^<svg /);
  const piped = await moonpack(["load", "map.mjs", ...SHORT, "--json", "-"], { cwd });
  expect(fromJson(JSON.parse(piped.stdout.toString()))).toMatchObject({ target: "map.mjs" });
});

test("--compare shows an old result beside the new one, and says what was different", async () => {
  const cwd = modules();
  expectDone(await moonpack(["load", "map.mjs", ...SHORT, "--json", "old.json", "--quiet"], { cwd }));
  const { stdout } = await moonpack(["load", "map.mjs", ...SHORT, "--compare", "old.json", "--payload", "3"], { cwd });
  expect(stdout.toString()).toMatch(/^ +old +new +ratio\noperations\/s +[\d,]+ +[\d,]+ +[\d.]+x$/m);
  expect(stdout.toString()).toMatch(/^old: map\.mjs, \d{4}-/m);
  expect(stdout.toString()).toContain("note: the old result has another payload\n");
});

describe("exit code 1", () => {
  test.each(
    rows([
      [["wrong.mjs"], "moonpack: 2 wrong answers\n"],
      [["failing.mjs"], /^moonpack: \d+ operations failed\n$/],
      [["failing.mjs", "--fail-if", "errors>1%"], "moonpack: --fail-if errors>1%\n"],
      [
        ["map.mjs", "--fail-if", "p50 >= 0ns", "--fail-if", "throughput<1000m"],
        "moonpack: --fail-if p50 >= 0ns\nmoonpack: --fail-if throughput<1000m\n",
      ],
      [
        ["map.mjs", "--fail-if", "late.p99>1s"],
        "moonpack: --fail-if late.p99>1s: the result does not have this figure\n",
      ],
      [["broken.mjs"], "moonpack: cannot load broken.mjs: no\\nway\n"],
      [["none.mjs"], "no such file or folder"],
      [["nothing.mjs"], "is not a load target: it must export get, set or both"],
      [["syntax.mjs"], "cannot load "],
      [["tcp://127.0.0.1:1"], "moonpack: cannot load tcp://127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1\n"],
      [["map.mjs", "--payload", "none.json"], "no such file or folder"],
      [["map.mjs", "--payload", "empty.json"], "has no records"],
      [["map.mjs", "--payload", "bad.ndjson"], /ERR_TRUNCATED: .*line 3 column 1|line 2 column \d+/],
      [["map.mjs", "--compare", "list.json"], "ERR_INVALID_ARGUMENT: not a result of moonpack load"],
      [["map.mjs", "--json", "none/a.json"], "cannot write "],
    ]),
  )("%j", async (args, text) => {
    const { code, stderr } = await moonpack(["load", ...args, ...SHORT], { cwd: modules() });
    expect(code).toBe(1);
    if (typeof text === "string") expect(stderr).toContain(text);
    else expect(stderr.replace(LENGTH, "")).toMatch(text);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  test("not with a condition on errors that does not hold", async () => {
    const args = ["failing.mjs", ...SHORT, "--fail-if", "errors>=100%"];
    expectDone(await moonpack(["load", ...args], { cwd: modules() }));
  });

  test("a condition in percent of the old result", async () => {
    const cwd = modules();
    expectDone(await moonpack(["load", "map.mjs", ...SHORT, "--json", "old.json", "--quiet"], { cwd }));
    const old = JSON.parse(readFileSync(join(cwd, "old.json"), "utf8")) as LoadResult;
    const write = (perSecond: number) => {
      const summary = { ...old.summary, perSecond: { median: perSecond, low: perSecond, high: perSecond } };
      writeFileSync(join(cwd, "old.json"), JSON.stringify({ ...old, summary }));
    };
    const args = ["load", "map.mjs", ...SHORT, "--quiet", "--compare", "old.json", "--fail-if", "throughput<50%"];
    write(1);
    expectDone(await moonpack(args, { cwd }));
    write(1e15);
    expect(await moonpack(args, { cwd })).toMatchObject({ code: 1, stderr: "moonpack: --fail-if throughput<50%\n" });
  });
});

test("a module that keeps a timer does not keep the command", async () => {
  expectDone(await moonpack(["load", "leaky.mjs", ...SHORT, "--quiet"], { cwd: modules() }));
});

test.each([
  "throw new Error('later\\nboom')",
  "Promise.reject(new Error('later\\nboom'))",
])("an error of the module that nothing catches is the module's, and ends the load: %s", async (fault) => {
  const cwd = modules();
  const text = `setImmediate(() => { ${fault}; });\nexport const get = () => new Promise((r) => setTimeout(r, 5));\n`;
  writeFileSync(join(cwd, "late.mjs"), text);
  const { code, stdout, stderr } = await moonpack(["load", "late.mjs", "--duration", "60s", "--json", "late.json"], {
    cwd,
  });
  expect([code, stdout.length]).toEqual([1, 0]);
  expect(stderr.replace(/.*\r/g, "").replace(LENGTH, "")).toBe(
    "moonpack: cannot load late.mjs: it threw an error that nothing catches: later\\nboom\n",
  );
  expect(existsSync(join(cwd, "late.json"))).toBe(false);
});

test("a close that never ends is a failure; the result is written", async () => {
  const cwd = modules();
  const args = ["load", "open.mjs", ...SHORT, "--timeout", "100ms", "--quiet", "--json", "open.json"];
  const { code, stderr } = await moonpack(args, { cwd });
  expect([code, stderr]).toEqual([1, "moonpack: the target was not closed within 100 ms\n"]);
  expect((fromJson(JSON.parse(readFileSync(join(cwd, "open.json"), "utf8"))) as LoadResult).summary!.operations).toBe(
    400,
  );
});

test.runIf(process.platform === "linux")(
  "a result whose reader has left is judged, and its files are written",
  async () => {
    const cwd = modules();
    const shell = (script: string) =>
      spawnSync("sh", ["-c", script], {
        cwd,
        encoding: "utf8",
        env: { ...plainEnvironment(), NODE: process.execPath, BIN: bin },
      });
    const all = SHORT.join(" ");
    const closed = shell(
      `("$NODE" "$BIN" load failing.mjs ${all} --json - --markdown left.md; echo "code $?" >&2) | true`,
    );
    expect(closed.stderr.replace(LENGTH, "")).toMatch(/^moonpack: \d+ operations failed\ncode 1\n$/);
    expect(readFileSync(join(cwd, "left.md"), "utf8")).toContain("ENO");
    const full = shell(`"$NODE" "$BIN" load map.mjs ${all} > /dev/full`);
    expect([full.status, full.stderr.replace(LENGTH, "")]).toEqual([
      1,
      "moonpack: cannot write standard output: no space left on the disk\n",
    ]);
  },
);

describe("bad usage is exit code 2, with the code of the library", () => {
  test.each(
    rows([
      [["nonsense"], "nonsense is not a target: expected http://"],
      [["tcp://127.0.0.1"], "must be tcp://HOST:PORT"],
      [["tcp://127.0.0.1:99999"], "must be tcp://HOST:PORT"],
      [["hazelcast://127.0.0.1:5701"], "must be hazelcast://HOST:PORT/MAP"],
      [["series:"], "needs the path of a store"],
      [["http://"], "is not a URL"],
      [["map.mjs", "--mix", "50"], "--mix needs --scenario mixed"],
      [["map.mjs", "--mix", "101", "--scenario", "mixed"], "--mix must be the percentage"],
      [["map.mjs", "--payload", "1x"], "--payload must be bytes"],
      [["map.mjs", "--payload", "100m"], "payload must be an integer number of bytes from 0 to 67108864"],
      [["map.mjs", "--keys", "0"], "--keys must be a whole number"],
      [["map.mjs", "--keys", "100m"], "keys must be an integer from 1 to 16777216"],
      [["map.mjs", "--seed", "-1"], "--seed must be"],
      [["map.mjs", "--concurrency", "x"], "--concurrency must be"],
      [["map.mjs", "--rate", "0"], "--rate must be"],
      [["map.mjs", "--operations", "1.5"], "--operations must be"],
      [["map.mjs", "--duration", "10x"], "--duration must be a duration from 1ms to 24h, such as"],
      [["map.mjs", "--duration", "25h"], "--duration must be a duration from 1ms to 24h"],
      [["map.mjs", "--duration", "0s"], "--duration must be a duration from 1ms"],
      [["map.mjs", "--timeout", "2h"], "--timeout must be a duration from 1ms to 1h"],
      [["hazelcast://127.0.0.1:1/%zz"], "is not escaped as a URL"],
      [["map.mjs", "--warmup", "-1s"], "--warmup must be"],
      [["map.mjs", "--rounds", "0"], "--rounds must be"],
      [["map.mjs", "--timeout", "0s"], "--timeout must be"],
      [["map.mjs", "--operations", "5", "--duration", "1s"], "--operations and --duration exclude each other"],
      [["object.mjs", "--scenario", "set"], "the target an object has no function set"],
      [["map.mjs", "--codec", "json"], "--codec cannot be used with a module"],
      [["series:a", "--codec", "json"], "--codec cannot be used with series"],
      [["tcp://127.0.0.1:1", "--codec", "pck"], "--codec pck needs --schema"],
      [["tcp://127.0.0.1:1", "--codec", "json", "--schema", "schema.json"], "--schema needs --codec pck"],
      [["tcp://127.0.0.1:1", "--export", "A"], "--export needs --codec pck"],
      [["map.mjs", "--json", "a", "--svg", "a"], "must name different files"],
      [["map.mjs", "--fail-if", "p99"], "--fail-if must be a figure"],
      [["map.mjs", "--fail-if", "p98>5ms"], "unknown figure p98"],
      [["map.mjs", "--fail-if", "other.p99>5ms"], "unknown figure other.p99"],
      [["map.mjs", "--fail-if", "p99>5"], "a time needs its unit"],
      [["map.mjs", "--fail-if", "p99>5kb"], "a time needs its unit"],
      [["map.mjs", "--fail-if", "throughput<5ms"], "throughput is operations a second"],
      [["map.mjs", "--fail-if", "errors>5ms"], "errors are a number"],
      [["map.mjs", "--fail-if", "p99>110%"], "p99>110% needs --compare"],
    ]),
  )("%j", async (args, text) => {
    const { code, stdout, stderr } = await moonpack(["load", ...args], { cwd: modules() });
    expect([code, stdout.length]).toEqual([2, 0]);
    expect(stderr).toMatch(/^moonpack: ERR_INVALID_ARGUMENT: /);
    expect(stderr).toContain(text);
  });

  test.each(
    rows([
      [["load"], "missing required argument 'target'"],
      [["load", "a.mjs", "--scenario", "put"], "Allowed choices are get, set, mixed"],
      [["load", "a.mjs", "--codec", "xml"], "Allowed choices are json, msgpack, pck"],
      [["load", "a.mjs", "--distribution", "normal"], "Allowed choices are uniform, zipf"],
    ]),
  )("%j", async (args, text) => {
    const { code, stderr } = await moonpack(args);
    expect(code).toBe(2);
    expect(stderr).toContain(text);
  });
});

test("names of targets and files are escaped in every text", async () => {
  const cwd = emptyFolder();
  const name = "a\u001b[31mb\u009d0;c\u0007\u202e.mjs";
  writeFileSync(join(cwd, name), "export async function get() {}\n");
  for (const args of [[name, ...SHORT], [`none${name}`], ["\u001b[31m"], [name, "--fail-if", "\u001b[31m"]]) {
    const { stdout, stderr } = await moonpack(["load", ...args], { cwd });
    const controls = [...(stdout.toString() + stderr).matchAll(/[\p{Cc}\p{Bidi_Control}]/gu)];
    expect(controls.filter(([found]) => found !== "\n")).toEqual([]);
  }
});
