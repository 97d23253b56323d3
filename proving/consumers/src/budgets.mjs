// The size of each bundle, and its limit in budgets.json. `write` lowers limits that have become too generous. It raises
// none: that is done by hand, with a reason in the commit.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundleForBrowsers } from "@moonpack/tools/browser-bundle";
import { root } from "@moonpack/tools/setup";
import { nodeNames } from "./globals.mjs";
import { mapParallel } from "./run.mjs";

const PATH = join(root, "proving/consumers/budgets.json");
/** Tolerance: compression differs by some bytes between versions of Node, and small repairs take some. */
const SLACK = 1.02;

export async function checkBudgets({ folder }, { write }) {
  const budgets = JSON.parse(readFileSync(PATH, "utf8"));
  const sizes = await mapParallel(budgets.bundles, ({ source }) => measure(folder, source));
  const faults = [];
  for (const [index, bundle] of budgets.bundles.entries()) {
    const { gzip, names } = sizes[index];
    if (write) bundle.gzip = Math.min(bundle.gzip ?? Number.MAX_SAFE_INTEGER, Math.ceil(gzip * SLACK));
    const missed = bundle.goal < gzip ? `, goal ${bundle.goal}: MISSED` : "";
    console.log(`  ${bundle.name}: ${gzip} bytes, at most ${bundle.gzip}${missed}`);
    if (!(gzip <= bundle.gzip)) faults.push(`${bundle.name} has ${gzip} bytes; the limit is ${bundle.gzip}`);
    if (names.length > 0) faults.push(`${bundle.name}: its bundle names ${names.join(", ")}`);
  }
  if (write) writeFileSync(PATH, `${JSON.stringify(budgets, null, 2)}\n`);
  return faults;
}

/** Bundles as the benchmarks of bundle sizes do. */
async function measure(folder, source) {
  const { gzip, text } = await bundleForBrowsers(source, folder);
  return { gzip, names: nodeNames(text) };
}
