// Writes the golden vectors: `node vectors/generate.mjs`; `--check` writes nothing and exits 1 when a file differs.
//
// Written by hand from the specifications (github.com/msgpack/msgpack/blob/master/spec.md, Unicode 16 table 3-7, the
// Protocol Buffers encoding page). It imports no codec: every header below is spelled out, so that a mistake in a codec
// cannot recur here.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import "./generate/scalars.mjs";
import "./generate/containers.mjs";
import "./generate/rejected.mjs";
import "./generate/bytes.mjs";
import "./generate/series.mjs";
import { files } from "./generate/notation.mjs";
import { ownFiles } from "./pck/generate.mjs";

for (const [name, text] of await ownFiles()) files.set(`pck/${name}`, text);

const check = process.argv.includes("--check");
let different = 0;
for (const [path, text] of files) {
  const url = new URL(path, import.meta.url);
  if (!check) {
    writeFileSync(url, text);
    continue;
  }
  let found = "";
  try {
    found = readFileSync(url, "utf8");
  } catch {
    // Reported below as a difference.
  }
  if (found !== text) {
    different++;
    console.error(`${fileURLToPath(url)} differs from the output of vectors/generate.mjs`);
  }
}
if (different > 0) process.exit(1);
console.log(`${files.size} files of vectors ${check ? "are up to date" : "written"}`);
