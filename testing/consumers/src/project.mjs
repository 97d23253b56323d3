// A user's project outside the repository: the published packages, packed by npm and installed from the tarballs, and the
// programs of this package, as ES modules and as CommonJS.
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { root } from "@moonpack/tools/setup";
import { runNpm } from "./run.mjs";

/** The published packages, by the names of their folders. */
export const PUBLISHED = [
  "moonpack",
  "compat",
  "protobuf",
  "pck",
  "series",
  "series-kv",
  "prometheus",
  "load",
  "trace",
  "socket.io-parser",
  "websocket",
  "http",
  "redis",
  "trpc",
  "hazelcast",
  "cli",
];
/** Packages that run only in Node, and programs that need servers' code, such as tRPC's, which names `process`. */
const FOR_NODE = new Set(["series", "series-kv", "prometheus", "load", "trace", "redis", "hazelcast", "trpc-fetch"]);
/** Packages that users install beside ours. */
const PEERS = [
  "ws@8.23.0",
  "@types/ws@8.18.2",
  "ioredis@5.11.1",
  "redis@5.12.1",
  "@trpc/client@11.25.2",
  "@trpc/server@11.25.2",
  "hazelcast-client@5.6.0",
  "express-session@1.19.0",
  "@types/express-session@1.19.0",
];
const here = join(root, "testing/consumers");

/** Creates a project and calls `use` with its folder, the packed packages and the programs; removes it afterwards. */
export async function withProject(use) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "moonpack-consumers-")));
  try {
    const packages = await Promise.all(PUBLISHED.map((name) => pack(name, folder)));
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "user", private: true, type: "module" }));
    await installInto(folder, [...packages.map(({ tarball }) => tarball), ...PEERS]);
    return await use({ folder, packages, programs: addPrograms(folder, packages) });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Installs tarballs and packages of the registry into the project in `folder`. */
export function installInto(folder, what) {
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error", "--prefer-offline"];
  return npm(["install", "--prefix", ".", ...quiet, ...what], folder);
}

/** Runs `npm pack`. Returns the tarball, the paths in it, and its package.json. */
async function pack(name, destination) {
  const source = join(root, "packages", name);
  const output = await npm(["pack", "--json", "--loglevel=error", "--pack-destination", destination], source);
  const [{ filename, files }] = Object.values(JSON.parse(output));
  return {
    name,
    source,
    tarball: join(destination, filename),
    files: files.map(({ path }) => path).sort(),
    manifest: JSON.parse(readFileSync(join(source, "package.json"), "utf8")),
  };
}

async function npm(args, cwd) {
  const { status, stdout, stderr } = await runNpm(args, { cwd });
  if (status !== 0) throw new Error(`npm ${args.join(" ")} failed\n${stdout}${stderr}`);
  return stdout;
}

/** One program for each subpath, as `esm/NAME.ts` and `cjs/NAME.cts`, with the environments that its exports allow. */
function addPrograms(folder, packages) {
  for (const kind of ["esm", "cjs"]) mkdirSync(join(folder, kind));
  const programs = packages.flatMap((one) => programsOf(folder, one));
  const known = new Set(programs.map(({ name }) => `${name}.ts`));
  const stray = readdirSync(join(here, "programs")).filter((file) => !known.has(file));
  if (stray.length > 0) throw new Error(`programs without a subpath: ${stray.join(", ")}`);
  return programs;
}

/** The programs of a package; the command line has none. Only the library's programs have names without the package's name. */
function programsOf(folder, { name: library, source, manifest }) {
  const exports = manifest.exports ?? {};
  const subpaths = Object.keys(exports).filter((path) => !path.endsWith(".json"));
  return subpaths.map((subpath) => {
    const report = subpath === "." ? "index" : subpath.slice(2).replaceAll("/", "-");
    const name = library === "moonpack" ? report : subpath === "." ? library : `${library}-${report}`;
    const file = join(here, "programs", `${name}.ts`);
    cpSync(file, join(folder, "esm", `${name}.ts`));
    cpSync(file, join(folder, "cjs", `${name}.cts`));
    const target = exports[subpath].import ?? exports[subpath].default.import;
    return {
      name,
      /** The name of its API report. */
      report,
      specifier: `${manifest.name}${subpath.slice(1)}`,
      /** The folder of the package in the repository. */
      package: source,
      types: target.types,
      source: readFileSync(file, "utf8"),
      /** True if no browser can load the subpath. */
      isForNode: FOR_NODE.has(library) || FOR_NODE.has(name) || isNodes(source, target.types),
      /** True if the subpath resolves differently under the condition `node`: its types may need Node's types. */
      isOtherInNode: exports[subpath].node !== undefined,
    };
  });
}

/** An entry that uses Node has its source in src/node. */
function isNodes(source, types) {
  const { entries } = JSON.parse(readFileSync(join(source, "bundle.json"), "utf8"));
  return entries[basename(types, ".d.ts")].startsWith("node/");
}
