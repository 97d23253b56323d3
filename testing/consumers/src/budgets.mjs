// The size of each bundle, and its limit in budgets.json. `write` lowers limits that have become too generous. It raises
// none: that is done by hand, with a reason in the commit.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundleForBrowsers, bundleForNode } from "@moonpack/tools/browser-bundle";
import { root } from "@moonpack/tools/setup";
import { nodeNames } from "./globals.mjs";
import { mapParallel } from "./run.mjs";

const PATH = join(root, "testing/consumers/budgets.json");
/** Tolerance: compression differs by some bytes between versions of Node, and small repairs take some. */
const SLACK = 1.02;

export async function checkBudgets({ folder }, { write }) {
  const budgets = JSON.parse(readFileSync(PATH, "utf8"));
  const sizes = await mapParallel(budgets.bundles, (bundle) => measure(folder, bundle));
  const faults = [];
  for (const [index, bundle] of budgets.bundles.entries()) {
    const { gzip, names } = sizes[index];
    if (write) bundle.gzip = Math.min(bundle.gzip ?? Number.MAX_SAFE_INTEGER, Math.ceil(gzip * SLACK));
    console.log(`  ${bundle.name}: ${gzip} bytes, at most ${bundle.gzip}`);
    if (!(gzip <= bundle.gzip)) faults.push(`${bundle.name} has ${gzip} bytes; the limit is ${bundle.gzip}`);
    if (names.length > 0) faults.push(`${bundle.name}: its bundle names ${names.join(", ")}`);
  }
  if (write) writeFileSync(PATH, `${formatted(budgets)}\n`);
  return faults;
}

/** JSON as the formatter leaves it: a list of texts is on one line. */
function formatted(json) {
  const inLine = (list) => list.replace(/\n\s+/g, " ").replace("[ ", "[").replace(" ]", "]");
  return JSON.stringify(json, null, 2).replace(/\[\n[^[\]{}]*\]/g, inLine);
}

/** Bundles as the benchmarks of bundle sizes do; `external`: for Node, without these packages. */
async function measure(folder, { source, external }) {
  if (external !== undefined) return { gzip: (await bundleForNode(source, folder, external)).gzip, names: [] };
  const { gzip, text } = await bundleForBrowsers(source, folder);
  return { gzip, names: nodeNames(text) };
}
