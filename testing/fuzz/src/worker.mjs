// `worker.mjs TARGET SECONDS SEED FILE`: the process that oversee.mjs starts. Passes cases to the target's check until
// the time
// is over, then prints a line of JSON. An error of the check ends the process; the case is in the file.
import { closeSync, openSync, writeSync } from "node:fs";
import { seeds } from "./corpus.mjs";
import { withinMemory } from "./memory.mjs";
import { mutate, randomSource } from "./mutate.mjs";
import { createCheck } from "./targets.mjs";

/** Only small inputs are worth keeping, and only this many from one run. */
const KEPT_BYTES = 64;
const KEPT_INPUTS = 24;

const [target, seconds, seed, path] = process.argv.slice(2);
const check = withinMemory(await createCheck(target));
const below = randomSource(Number(seed));
const corpus = seeds(target);
const kinds = new Set();
const kept = [];
const file = openSync(path, "w");
const header = Buffer.alloc(8);
const end = performance.now() + Number(seconds) * 1000;
let cases = 0;

function attempt(bytes) {
  header.writeUInt32LE(++cases, 0);
  header.writeUInt32LE(bytes.length, 4);
  writeSync(file, Buffer.concat([header, bytes]), 0, bytes.length + 8, 0);
  const kind = check(bytes);
  if (kinds.has(kind)) return;
  kinds.add(kind);
  corpus.push(bytes);
  if (bytes.length <= KEPT_BYTES && kept.length < KEPT_INPUTS) kept.push(Buffer.from(bytes).toString("hex"));
}

for (const bytes of corpus.slice()) attempt(bytes);
kept.length = 0; // these are already in the vectors or the corpus
while (performance.now() < end) for (let i = 0; i < 50; i++) attempt(mutate(corpus, below));
closeSync(file);
console.log(JSON.stringify({ cases, kinds: kinds.size, kept }));
