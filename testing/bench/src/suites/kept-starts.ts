import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { median } from "simple-statistics";
import { findNode, type NodeVersion } from "../measure/nodes.js";
import { progress } from "../progress.js";
import type { NumberRow, NumberTable } from "../report/numbers.js";

/** Modules are found from here. */
const HERE = fileURLToPath(new URL(".", import.meta.url));
const MAJORS = [20, 22, 24];

/** A server's first work: it imports two packages, then encodes and decodes with both. The meter writes to descriptor 3. */
const PROGRAM = `
const { decode, encode } = require("moonpack");
const { codec, schema, u32, utf8 } = require("@moonpack/pck");
const { writeSync } = require("node:fs");
const { startupSnapshot } = require("node:v8");
const User = codec(schema("User", u32("id"), utf8("name")));
function work() {
  User.decode(User.encode({ id: 1, name: "Ada" }));
  decode(encode({ id: 1, name: "Ada", tags: ["a", "b"], at: 1.5, on: true }));
}
function main() {
  process.on("exit", () => { const { user, system } = process.cpuUsage(); writeSync(3, String((user + system) / 1000)); });
  work();
}
if (startupSnapshot.isBuildingSnapshot()) {
  work();
  startupSnapshot.setDeserializeMainFunction(main);
} else main();
`;
/** The same without packages. */
const BARE = PROGRAM.replace(/^const .*(?:moonpack|User).*$/gm, "").replace(/^ {2}(?:User|decode).*$/gm, "");

/** A way to start the program, and the major version of Node from which on it exists. */
interface Way {
  readonly id: string;
  readonly title: string;
  readonly since: number;
  args(files: Files): readonly string[];
  readonly caches?: boolean;
}

interface Files {
  readonly bare: string;
  readonly bundle: string;
  readonly snapshot: string;
  readonly cache: string;
}

const WAYS: readonly Way[] = [
  { id: "bare", title: "bare Node", since: 20, args: ({ bare }) => [bare] },
  {
    id: "packages",
    title: "packages from `node_modules`",
    since: 20,
    args: () => ["--input-type=commonjs", "--eval", PROGRAM],
  },
  { id: "bundle", title: "one file", since: 20, args: ({ bundle }) => [bundle] },
  { id: "cache", title: "one file, with a code cache", since: 22, args: ({ bundle }) => [bundle], caches: true },
  { id: "snapshot", title: "a snapshot", since: 20, args: ({ snapshot }) => ["--snapshot-blob", snapshot] },
];

/** Starts of one program with what V8 can keep of an earlier start. `count`: starts of each way, by turns. */
export async function keptStarts(folder: string, count: number): Promise<NumberTable> {
  const rows: NumberRow[] = [];
  for (const major of MAJORS) {
    const node = await findNode(major);
    if (node !== undefined) rows.push(...rowsOf(node, major, await filesIn(folder, node, major), count));
  }
  return {
    id: "kept",
    title: "One program, with what V8 can keep of an earlier start",
    text:
      "Milliseconds of CPU time of all threads, medians of starts by turns, also above bare Node. The program uses `moonpack` and `@moonpack/pck` once. " +
      "[How to](../starts.md). Small is good.",
    unit: "count",
    columns: [
      { id: "above", title: "CPU above bare" },
      { id: "cpu", title: "CPU" },
    ],
    rows,
  };
}

async function filesIn(folder: string, { executable }: NodeVersion, major: number): Promise<Files> {
  const bundled = async (name: string, contents: string) => {
    const outfile = join(folder, `${name}.cjs`);
    await build({ stdin: { contents, resolveDir: HERE }, outfile, bundle: true, platform: "node", format: "cjs" });
    return outfile;
  };
  const bundle = await bundled("bundle", PROGRAM);
  const snapshot = join(folder, `snapshot-${major}.blob`);
  const made = spawnSync(executable, ["--snapshot-blob", snapshot, "--build-snapshot", bundle], { encoding: "utf8" });
  if (made.status !== 0) throw new Error(`no snapshot: ${made.stderr}`);
  return { bare: await bundled("bare", BARE), bundle, snapshot, cache: join(folder, `cache-${major}`) };
}

function rowsOf({ version, executable }: NodeVersion, major: number, files: Files, count: number): NumberRow[] {
  const ways = WAYS.filter(({ since }) => major >= since);
  const starts = new Map<string, number[]>(ways.map(({ id }) => [id, []]));
  // The first round writes the code cache, and is not counted.
  for (let round = 0; round <= count; round++) {
    progress(`starts: Node ${version}, round ${round} of ${count}`);
    for (const way of ways) {
      const { status, output } = spawnSync(executable, way.args(files), {
        cwd: HERE,
        env: way.caches === true ? { ...process.env, NODE_COMPILE_CACHE: files.cache } : process.env,
        stdio: ["ignore", "ignore", "pipe", "pipe"],
        encoding: "utf8",
      });
      if (status !== 0) throw new Error(`${way.id} failed: ${output[2]}`);
      if (round > 0) starts.get(way.id)!.push(Number(output[3]));
    }
  }
  const rounded = (milliseconds: number) => Math.round(milliseconds * 10) / 10;
  const bare = median(starts.get("bare")!);
  return ways.map(({ id, title }) => {
    const cpu = median(starts.get(id)!);
    const above = id === "bare" ? {} : { above: rounded(cpu - bare) };
    return { id: `${id}-${major}`, title: `Node ${version}: ${title}`, values: { ...above, cpu: rounded(cpu) } };
  });
}
