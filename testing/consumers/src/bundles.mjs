// Builds the programs with five bundlers, for pages and for Node; the bundles must print the expected lines. Those for pages
// refer to nothing of Node and run where Node's globals are missing. Only entries that are there for generated code hold code
// that generates code.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { bundlers } from "./bundlers.mjs";
import { generatesCode, nodeNames } from "./globals.mjs";
import { runInTurn } from "./node.mjs";

/**
 * These start a thread or a process, or hook modules, from a file of their package, and histograms of the load runner call
 * `eval`, so users leave these packages outside.
 */
const NOT_BUNDLED = /^(?:series|load|hazelcast-series|protobuf-register)/;

/** Entries that are there for code that generates code. */
export const isGenerating = ({ name }) => /^pck-codegen$|^msgpack-features$/.test(name);

/** Entries that are bundled together, as in one site or server. */
const SETS = {
  pages: { target: "browser", has: (each) => !each.isForNode && !isGenerating(each) },
  "pages-codegen": { target: "browser", has: isGenerating },
  node: { target: "node", has: ({ name }) => !NOT_BUNDLED.test(name) },
};

export async function checkBundles({ folder, programs }) {
  const faults = [];
  for (const [bundler, bundle] of Object.entries(bundlers)) {
    for (const [set, { target, has }] of Object.entries(SETS)) {
      const some = programs.filter(has);
      const entries = Object.fromEntries(some.map(({ name }) => [name, join(folder, "out/esm", `${name}.js`)]));
      const out = join(folder, "bundles", `${bundler}-${set}`);
      try {
        await bundle({ folder, entries, out, target });
      } catch (error) {
        faults.push(`${bundler}, ${set}: ${error.message}`);
        continue;
      }
      if (target === "browser") faults.push(...namesIn(out));
      if (set === "pages") faults.push(...generatorsIn(out));
      faults.push(...(await runAll(some, folder, out, target === "node")));
    }
  }
  return faults;
}

/** Every file of a bundle for pages is free of Node's names. */
export function namesIn(out) {
  return codeIn(out).flatMap(({ path, code }) => {
    const named = nodeNames(code);
    return named.length === 0 ? [] : [`${path} names ${named.join(", ")}`];
  });
}

/** Without the entries that are there for it, no file of a bundle for pages generates code. */
export function generatorsIn(out) {
  return codeIn(out).flatMap(({ path, code }) => (generatesCode(code) ? [`${path} generates code`] : []));
}

const codeIn = (out) =>
  readdirSync(out).map((file) => ({ path: join(out, file), code: readFileSync(join(out, file), "utf8") }));

/** Node's own Request and Response need Node's globals; what the bundles name is checked all the same. */
const needsGlobals = ({ source }) => /\bnew (?:Request|Response)\(/.test(source);

/** Runs the bundles in `out` in Node; those for pages without its globals and, as on most pages, without leave to generate code. */
export async function runAll(programs, folder, out, isForNode) {
  const run = (some, flags) =>
    runInTurn(
      some,
      some.map(({ name }) => join(out, `${name}.mjs`)),
      flags,
      folder,
    );
  if (isForNode) return run(programs, []);
  const withoutNode = ["--import", new URL("without-node.mjs", import.meta.url).href];
  const strict = "--disallow-code-generation-from-strings";
  return [
    ...(await run(programs.filter(needsGlobals), [strict])),
    ...(await run(
      programs.filter((each) => !needsGlobals(each)),
      [strict, ...withoutNode],
    )),
  ];
}
