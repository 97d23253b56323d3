// `worker.mjs TARGET SECONDS SEED FILE`: the process that oversee.mjs starts. Feeds cases to the target's judge until the
// time is over, and prints a line of JSON then. Whatever the judge throws ends the process; the case is in the file.
import { closeSync, openSync, writeSync } from "node:fs";
import { seeds } from "./corpus.mjs";
import { mutate, randomSource } from "./mutate.mjs";
import { judgeOf } from "./targets.mjs";

/** Only small inputs are worth keeping, and of one run only so many. */
const KEPT_BYTES = 64;
const KEPT_INPUTS = 24;

const [target, seconds, seed, path] = process.argv.slice(2);
const judge = await judgeOf(target);
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
  const kind = judge(bytes);
  if (kinds.has(kind)) return;
  kinds.add(kind);
  corpus.push(bytes);
  if (bytes.length <= KEPT_BYTES && kept.length < KEPT_INPUTS) kept.push(Buffer.from(bytes).toString("hex"));
}

for (const bytes of corpus.slice()) attempt(bytes);
kept.length = 0; // those are in the vectors or the corpus already
while (performance.now() < end) for (let i = 0; i < 50; i++) attempt(mutate(corpus, below));
closeSync(file);
console.log(JSON.stringify({ cases, kinds: kinds.size, kept }));
