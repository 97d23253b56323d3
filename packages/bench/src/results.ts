import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";

const RESULTS = new URL("../results/", import.meta.url);
const SCRATCH = new URL("../.tmp/", import.meta.url);

/** What every result file tells about its origin. */
export interface ResultHead {
  readonly suite: string;
  /** ISO date of the run's end. */
  readonly date: string;
  /** A short run: good for finding a mistake, not for a claim. */
  readonly quick: boolean;
  readonly environment: {
    readonly node: string;
    readonly v8: string;
    readonly platform: string;
    readonly cpus: number;
  };
  /** Exact versions of the packages that took part. */
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

/** The committed result of a suite, or undefined when it never ran. */
export function readResult<Result extends ResultHead>(suite: string): Result | undefined {
  const file = new URL(`${suite}.json`, RESULTS);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Result) : undefined;
}

/** Writes a result where it is committed, or aside when it is partial; returns the file's path. */
export function writeResult(result: ResultHead, partial: boolean): string {
  const file = new URL(`${result.suite}.json`, partial ? SCRATCH : RESULTS);
  mkdirSync(new URL(".", file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(result, null, 1)}\n`);
  return fileURLToPath(file);
}

/** A path for files that are never committed, such as profiles. */
export function scratchFile(name: string): string {
  mkdirSync(SCRATCH, { recursive: true });
  return fileURLToPath(new URL(name, SCRATCH));
}
