import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { resultText } from "./result-text.js";

const RESULTS = new URL("../results/", import.meta.url);
const SCRATCH = new URL("../.tmp/", import.meta.url);

/** The origin of a result file. */
export interface ResultHead {
  readonly suite: string;
  /** ISO date of the run's end. */
  readonly date: string;
  /** True for a short run, which can find mistakes but not support claims. */
  readonly quick: boolean;
  readonly environment: {
    readonly node: string;
    readonly v8: string;
    readonly platform: string;
    readonly cpus: number;
  };
  /** Exact versions of the measured packages. */
  readonly versions: Readonly<Record<string, string>>;
}

/** Describes this run. */
export function resultHead(suite: string, quick: boolean, packages: Iterable<string>): ResultHead {
  const names = [...new Set(packages)].sort();
  return {
    suite,
    date: new Date().toISOString(),
    quick,
    environment: {
      node: process.versions.node,
      v8: process.versions.v8,
      platform: `${process.platform} ${process.arch}`,
      cpus: cpus().length,
    },
    versions: Object.fromEntries(names.map((name) => [name, packageVersion(name)])),
  };
}

/** Reads a version from disk: the `exports` of most packages hide their package.json from `import`. */
function packageVersion(name: string): string {
  for (let folder = new URL(".", import.meta.url); ; folder = new URL("..", folder)) {
    const file = new URL(`node_modules/${name}/package.json`, folder);
    if (existsSync(file)) return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
    if (folder.pathname === "/") throw new Error(`${name} is not installed`);
  }
}

/** The committed result of a suite; undefined if it is missing. */
export function readResult<Result extends ResultHead>(suite: string): Result | undefined {
  const file = new URL(`${suite}.json`, RESULTS);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Result) : undefined;
}

/** Writes a complete result to its committed file, a partial one to a scratch file. Returns the path. */
export function writeResult(result: ResultHead, partial: boolean): string {
  const file = new URL(`${result.suite}.json`, partial ? SCRATCH : RESULTS);
  mkdirSync(new URL(".", file), { recursive: true });
  writeFileSync(file, resultText(result));
  return fileURLToPath(file);
}

/** A path for files that are never committed, such as profiles. */
export function scratchFile(name: string): string {
  mkdirSync(SCRATCH, { recursive: true });
  return fileURLToPath(new URL(name, SCRATCH));
}
