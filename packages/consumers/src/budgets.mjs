// What a page carries for what it imports: the bytes of each bundle, and the most that they may be, in budgets.json. `write`
// lowers budgets that have become too generous, and raises none: that is done by hand, with a reason in the commit.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { root } from "../../../scripts/setup.mjs";
import { nodeNames } from "./globals.mjs";
import { mapParallel } from "./run.mjs";

const PATH = join(root, "packages/consumers/budgets.json");
/** Compression differs by some bytes from one version of Node to the next, and a repaired fault takes some. */
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
    if (!(gzip <= bundle.gzip)) faults.push(`${bundle.name} is ${gzip} bytes, and may be ${bundle.gzip}`);
    if (names.length > 0) faults.push(`${bundle.name}: its bundle names ${names.join(", ")}`);
  }
  if (write) writeFileSync(PATH, `${JSON.stringify(budgets, null, 2)}\n`);
  return faults;
}

/** As the page of bundle sizes does it: for browsers, minified, gzip level 9. */
async function measure(folder, source) {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: folder },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    write: false,
    logLevel: "silent",
  });
  const [{ contents, text }] = outputFiles;
  return { gzip: gzipSync(contents, { level: 9 }).length, names: nodeNames(text) };
}
