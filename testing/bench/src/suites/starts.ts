import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { median } from "simple-statistics";
import { progress } from "../progress.js";
import { type NumberRow, type NumbersResult, type NumberTable, numbersPage } from "../report/numbers.js";
import { resultHead } from "../results.js";
import type { Suite } from "../suite.js";
import { keptStarts } from "./kept-starts.js";

/** Starts of each program, by turns. */
const STARTS = 15;
const QUICK_STARTS = 3;
/** Packages are found from here. */
const HERE = fileURLToPath(new URL(".", import.meta.url));
const COMMAND = fileURLToPath(new URL("../../../../packages/cli/bin/moonpack.js", import.meta.url));

/** A program that ends by itself, and the baseline that it is compared with. */
interface Program {
  readonly id: string;
  readonly title: string;
  readonly args: readonly string[];
  /** Bare Node with the same module system; undefined for bare Node itself. */
  readonly bare?: "bare-import" | "bare-require";
}

const imported = (source: string) => ["--input-type=module", "--eval", source];
const required = (source: string) => ["--input-type=commonjs", "--eval", source];

/** Encodes and decodes one object. */
const ONCE = `decode(encode({ id: 1, name: "Ada", tags: ["a", "b"], at: 1.5, on: true }));`;
const PCK = `import { codec, bool, f64, i32, omitEmpty, schema, u8, u32, utf8 } from "@moonpack/pck";
const Order = codec(schema("Order", u32("id"), utf8("name"), utf8("city"), u8("level"), i32("balance"), f64("rate"),
  bool("isOpen"), omitEmpty(utf8("note")), u8("kind"), utf8("code")));
Order.decode(Order.encode({ id: 1, name: "Ada", city: "Rome", level: 2, balance: -3, rate: 1.5, isOpen: true, note: "",
  kind: 4, code: "x" }));`;

function library(id: string, name: string): Program[] {
  return [
    {
      id: `${id}-import`,
      title: `${name}, \`import\``,
      args: imported(`import { decode, encode } from "${name}"; ${ONCE}`),
      bare: "bare-import",
    },
    {
      id: `${id}-require`,
      title: `${name}, \`require\``,
      args: required(`const { decode, encode } = require("${name}"); ${ONCE}`),
      bare: "bare-require",
    },
  ];
}

function entry(id: string, name: string): Program {
  return { id, title: `\`${name}\`, imported`, args: imported(`import "${name}";`), bare: "bare-import" };
}

function programsIn(folder: string): readonly Program[] {
  const [json, msgpack] = [join(folder, "a.json"), join(folder, "a.msgpack")];
  writeFileSync(
    json,
    JSON.stringify(Array.from({ length: 20 }, (_, id) => ({ id, name: `item ${id}`, price: id * 1.5 }))),
  );
  return [
    { id: "bare-import", title: "bare Node, an ES module", args: imported("") },
    { id: "bare-require", title: "bare Node, CommonJS", args: required("") },
    ...library("moonpack", "moonpack"),
    ...library("msgpackr", "msgpackr"),
    ...library("msgpack-javascript", "@msgpack/msgpack"),
    { id: "pck", title: "`@moonpack/pck`, a schema of ten fields", args: imported(PCK), bare: "bare-import" },
    entry("http-express", "@moonpack/http/express"),
    entry("trace", "@moonpack/trace"),
    entry("series", "@moonpack/series"),
    { id: "version", title: "`moonpack --version`", args: [COMMAND, "--version"], bare: "bare-import" },
    { id: "help", title: "`moonpack --help`", args: [COMMAND, "--help"], bare: "bare-import" },
    {
      id: "convert",
      title: "`moonpack convert`, 1 KB",
      args: [COMMAND, "convert", json, msgpack],
      bare: "bare-import",
    },
  ];
}

/** Writes the CPU time of the process to descriptor 3 at its end; a worker that ends before writes its own line first. */
const METER = `const { writeSync } = require("node:fs");
process.on("exit", () => { const { user, system } = process.cpuUsage(); writeSync(3, (user + system) / 1000 + "\\n"); });`;

/** One start: milliseconds. */
interface Start {
  readonly cpu: number;
  readonly wall: number;
}

function start(meter: string, { id, args }: Program): Start {
  const begun = performance.now();
  const { status, output } = spawnSync(process.execPath, ["--require", meter, ...args], {
    cwd: HERE,
    stdio: ["ignore", "ignore", "pipe", "pipe"],
    encoding: "utf8",
  });
  const wall = performance.now() - begun;
  if (status !== 0) throw new Error(`${id} failed: ${output[2]}`);
  return { cpu: Math.max(...output[3]!.trim().split("\n").map(Number)), wall };
}

/** Starts of processes: the cost of an import, once in each process. */
export const starts: Suite<NumbersResult> = {
  name: "starts",
  title: "Starts",
  async run({ quick, filter }) {
    const folder = mkdtempSync(join(tmpdir(), "moonpack-starts-"));
    const count = quick ? QUICK_STARTS : STARTS;
    const chooses = (id: string) => filter?.test(id) ?? true;
    try {
      const tables: NumberTable[] = [];
      if (chooses("processes")) tables.push(processes(folder, count));
      if (chooses("kept")) tables.push(await keptStarts(folder, count));
      return { ...resultHead("starts", quick, ["moonpack", "msgpackr", "@msgpack/msgpack"]), tables };
    } finally {
      rmSync(folder, { recursive: true });
      progress("");
    }
  },
  page: (result) => numbersPage(starts.title, result),
};

function processes(folder: string, count: number): NumberTable {
  const meter = join(folder, "meter.cjs");
  writeFileSync(meter, METER);
  const programs = programsIn(folder);
  return {
    id: "starts",
    title: "Processes",
    text: `Milliseconds of a process, medians of ${STARTS} starts by turns: CPU time of all its threads and time by the clock, each also above bare Node. Libraries encode and decode one object. Small is good.`,
    unit: "count",
    columns: COLUMNS,
    rows: rowsOf(programs, turns(meter, programs, count)),
  };
}

const COLUMNS = [
  { id: "cpuAbove", title: "CPU above bare" },
  { id: "wallAbove", title: "clock above bare" },
  { id: "cpu", title: "CPU" },
  { id: "wall", title: "clock" },
];

/** Every program's starts. Each round starts all, so that a slow moment of the machine affects all; the first round is not counted. */
function turns(meter: string, programs: readonly Program[], count: number): ReadonlyMap<string, readonly Start[]> {
  const measured = new Map<string, Start[]>(programs.map(({ id }) => [id, []]));
  for (let round = 0; round <= count; round++) {
    progress(`starts: round ${round} of ${count}`);
    for (const program of programs) {
      const one = start(meter, program);
      if (round > 0) measured.get(program.id)!.push(one);
    }
  }
  return measured;
}

function rowsOf(programs: readonly Program[], measured: ReadonlyMap<string, readonly Start[]>): NumberRow[] {
  return programs.map(({ id, title, bare }) => {
    const own = measured.get(id)!;
    const base = bare === undefined ? undefined : measured.get(bare)!;
    const middle = (of: (one: Start, index: number) => number) => Math.round(median(own.map(of)) * 10) / 10;
    const absolute = { cpu: middle(({ cpu }) => cpu), wall: middle(({ wall }) => wall) };
    if (base === undefined) return { id, title, values: absolute };
    const above = {
      cpuAbove: middle(({ cpu }, index) => cpu - base[index]!.cpu),
      wallAbove: middle(({ wall }, index) => wall - base[index]!.wall),
    };
    return { id, title, values: { ...above, ...absolute } };
  });
}
