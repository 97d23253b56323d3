// Bundles the portable suites into one module, for runtimes without vitest and files. The bundle contains a replacement
// for
// vitest, and the vectors. The library is in the bundle too, or is imported from the project.
import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { PORTABLE_SHARE } from "../effort.mjs";
import { root } from "../setup.mjs";

const harness = join(root, "testing/harness/src");
/** The packages whose suites run in every runtime, except for .node.test.ts files: their tests, by the suite's first name. */
const FOLDERS = {
  bytes: "moonpack/test/bytes",
  msgpack: "moonpack/test/msgpack",
  stream: "moonpack/test/stream",
  pick: "moonpack/test/pick",
  compat: "compat/test/msgpackr",
  protobuf: "protobuf/test",
  pck: "pck/test",
  "prometheus-text": "prometheus/test/text",
  "remote-write": "prometheus/test/remote-write",
  "prometheus-store": "prometheus/test/store",
};
/** The entries of the packages: where each name leads, for pages. */
const ENTRIES = new Map(
  ["moonpack", "compat", "protobuf", "pck"].flatMap((folder) => {
    const { name, exports } = JSON.parse(readFileSync(join(root, "packages", folder, "package.json"), "utf8"));
    return Object.entries(exports).map(([path, target]) => [posix.join(name, path), { name, target }]);
  }),
);
const testsOf = (folder) => join(root, "packages", FOLDERS[folder]);

/** Files of the repository that the suites read. */
const FILES = ["vectors/pck", "data/hn-top-stories.json"];

/** The names of the portable suites: "msgpack/vectors-decode" and so on. */
export function portableSuites() {
  return Object.keys(FOLDERS).flatMap((folder) =>
    readdirSync(testsOf(folder))
      .filter((name) => name.endsWith(".test.ts") && !name.endsWith(".node.test.ts"))
      .map((name) => `${folder}/${name.slice(0, -".test.ts".length)}`)
      .sort(),
  );
}

/**
 * Where the bundle finds the library. `inside`: in the bundle, resolved with these conditions of its package.json. Otherwise it
 * is imported: by its name, or with `browserFolder` from its modules for pages.
 */
export async function bundleSuites({ outfile, inside, browserFolder, minify = false, folder = "." }) {
  const { build } = await import("esbuild"); // not before `ensureInstalled` has run
  await build({
    stdin: { contents: entryOf(portableSuites()), resolveDir: harness, sourcefile: "suites.mjs" },
    plugins: [standIns(), ...(inside === undefined ? [libraryOutside(folder, browserFolder)] : [])],
    bundle: true,
    minify,
    // UTF-8 output: Deno 2.9 reports "\\ud83d\\u{1f600}", which ASCII output contains, as a syntax error.
    charset: "utf8",
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    conditions: inside ?? [],
    target: "es2022",
    outfile,
    logLevel: "warning",
  });
}

/**
 * The entry. It exports `run`, and `canGenerate`: whether code from strings is allowed. A suite's tests follow the call
 * with its name.
 */
function entryOf(suites) {
  const imports = suites.flatMap((name) => [`import "suite:${name}";`, `import "portable:${name}.test.ts";`]);
  return `${imports.join("\n")}
import { run as runTests } from "vitest";
export const run = runTests;
export function canGenerate() {
  try {
    return new Function("return true")();
  } catch {
    return false;
  }
}`;
}

/** Replacements for vitest and for the file system. */
function standIns() {
  return {
    name: "stand-ins",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^vitest$/ }, () => ({ path: join(harness, "shim.ts") }));
      onResolve({ filter: /^fast-check$/ }, ({ importer }) =>
        importer === "fast-check" ? undefined : { path: "fast-check", namespace: "seeded" },
      );
      onLoad({ filter: /.*/, namespace: "seeded" }, () => ({ contents: SEEDED, resolveDir: harness }));
      onResolve({ filter: /^suite:/ }, ({ path }) => ({
        path: path.slice("suite:".length),
        namespace: "suite",
        sideEffects: true,
      }));
      onLoad({ filter: /.*/, namespace: "suite" }, ({ path }) => ({
        contents: `import { suite } from "vitest";\nsuite(${JSON.stringify(path)});`,
        resolveDir: harness,
      }));
      // "sideEffects": false applies to the library; its tests have only side effects.
      onResolve({ filter: /^portable:/ }, ({ path }) => {
        const [folder, file] = path.slice("portable:".length).split("/");
        return { path: join(testsOf(folder), file), sideEffects: true };
      });
      const share = `export const SHARE = ${PORTABLE_SHARE};`;
      onLoad({ filter: /[/\\]harness[/\\]src[/\\]share\.ts$/ }, () => ({ contents: share, loader: "js" }));
      onLoad({ filter: /[/\\]harness[/\\]src[/\\]files\.ts$/ }, () => ({ contents: filesModule(), loader: "js" }));
    },
  };
}

/** fast-check with a share of its runs, and with a seed: the same cases in every runtime. */
const SEEDED = `import fc from "fast-check";
import { share } from "./effort.ts";
const assert = (property, { seed = 20261122, numRuns = 100, ...rest } = {}) =>
  fc.assert(property, { ...rest, seed, numRuns: share(numRuns) });
export default { ...fc, assert };`;

/** files.ts of the harness with the files that it reads: texts as strings, other files as bytes. */
function filesModule() {
  const texts = {};
  const binaries = {};
  for (const path of FILES.flatMap(allFiles)) {
    const bytes = readFileSync(join(root, path));
    if (/\.jsonl?$/.test(path)) texts[path] = bytes.toString("utf8");
    else binaries[path] = [...bytes];
  }
  return `const texts = new Map(Object.entries(${JSON.stringify(texts)}));
const binaries = new Map(Object.entries(${JSON.stringify(binaries)}));
function found(files, path) {
  const file = files.get(path);
  if (file === undefined) throw new Error(\`the bundle has no file \${path}\`);
  return file;
}
export const textOf = (path) => found(texts, path);
export const bytesOf = (path) => Uint8Array.from(found(binaries, path));
export const namesIn = (folder) =>
  [...texts.keys(), ...binaries.keys()]
    .filter((path) => path.startsWith(folder) && !path.slice(folder.length).includes("/"))
    .map((path) => path.slice(folder.length))
    .sort();`;
}

function allFiles(path) {
  if (/\.[a-z]+$/.test(path)) return [path];
  return readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() || /\.(jsonl?|pck)$/.test(entry.name))
    .flatMap((entry) => allFiles(`${path}/${entry.name}`));
}

/** Keeps imports of the packages' entries. Modules of `build`, which only tests import, are bundled with them. */
function libraryOutside(folder, browserFolder) {
  const outside = (name, path) => {
    const module = `${folder}/node_modules/${name}/${browserFolder ?? "dist"}/${path}`;
    return { path: module, external: true };
  };
  return {
    name: "library",
    setup({ onResolve }) {
      onResolve({ filter: /^(?:moonpack|@moonpack\/(?:pck|protobuf))(\/|$)/ }, ({ path }) => {
        if (browserFolder === undefined) return { path, external: true };
        const { name, target } = ENTRIES.get(path);
        return outside(name, target.import.default.slice("./dist/".length));
      });
    },
  };
}

/**
 * A module beside the bundle that runs it and passes its report to `deliver`, code that uses `report`. It prints each suite's
 * name when the suite begins, so that a timeout can name it.
 */
export function starterOf(bundle, deliver) {
  return `import { canGenerate, run } from "./${bundle}";
const report = { canGenerate: canGenerate(), suites: await run((suite) => console.log(suite)) };
${deliver}
`;
}
