// Builds the programs for browsers with four bundlers. The bundles must refer to nothing of Node, and print the expected
// lines where Node's globals are missing.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { bundlers } from "./bundlers.mjs";
import { nodeNames } from "./globals.mjs";
import { runProgram } from "./node.mjs";
import { faultsOf } from "./run.mjs";

export async function checkBundles({ folder, programs }) {
  const forPages = programs.filter(({ isForNode }) => !isForNode);
  const entries = Object.fromEntries(forPages.map(({ name }) => [name, join(folder, "out/esm", `${name}.js`)]));
  const faults = [];
  for (const [bundler, bundle] of Object.entries(bundlers)) {
    const out = join(folder, "bundles", bundler);
    try {
      await bundle({ folder, entries, out });
    } catch (error) {
      faults.push(`${bundler}: ${error.message}`);
      continue;
    }
    faults.push(...namesIn(out), ...(await runAll(forPages, folder, out)));
  }
  return faults;
}

function namesIn(out) {
  return readdirSync(out).flatMap((file) => {
    const named = nodeNames(readFileSync(join(out, file), "utf8"));
    return named.length === 0 ? [] : [`${join(out, file)} names ${named.join(", ")}`];
  });
}

function runAll(programs, folder, out) {
  const withoutNode = new URL("without-node.mjs", import.meta.url).href;
  return faultsOf(programs, (program) => {
    // Node's own Request and Response need Node's globals; what the bundle names is checked all the same.
    const preload = /\bnew (?:Request|Response)\(/.test(program.source) ? [] : ["--import", withoutNode];
    return runProgram(program, [...preload, join(out, `${program.name}.mjs`)], folder);
  });
}
