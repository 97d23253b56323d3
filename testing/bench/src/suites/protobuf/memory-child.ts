/** Encodes one large message in its own process and prints the memory that it needed. Arguments: a candidate and MB. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { collectAll } from "../../measure/heap.js";
import { candidates } from "./candidates.js";
import { drawing, LAYERS, type Megabytes, smallMessage } from "./messages.js";
import { schemaOf } from "./schemas.js";

/** The printed result. */
export interface MemoryResult {
  readonly outputBytes: number;
  /** Growth of the JavaScript heap while encoding. */
  readonly heapBytes: number;
  /** Growth of ArrayBuffers, when only the output is left. */
  readonly bufferBytes: number;
  /** Growth of resident memory at its peak; null where the system does not report it. */
  readonly peakBytes: number | null;
}

const STATUS = "/proc/self/status";
const CLEAR = "/proc/self/clear_refs";
const SMALL_CALLS = 20_000;
const SMALL_LAYERS = 10;
const LAYER_CALLS = 100;

/** Resets the peak of resident memory to its current value. Returns that. */
function resetPeak(): number | null {
  if (!existsSync(CLEAR)) return null;
  writeFileSync(CLEAR, "5");
  return statusBytes("VmRSS");
}

function statusBytes(name: string): number {
  const found = new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(readFileSync(STATUS, "utf8"));
  if (found === null) throw new Error(`${STATUS} has no ${name}`);
  return Number(found[1]) * 1024;
}

const [id, megabytes] = process.argv.slice(2);
const candidate = candidates.find((each) => each.id === id)!;
const small = candidate.create(schemaOf("small", ""));
const large = candidate.create(schemaOf("large", ""));
const message = drawing(LAYERS[Number(megabytes) as Megabytes]);
const fewLayers = drawing(SMALL_LAYERS);
for (let call = 0; call < SMALL_CALLS; call++) small.encode(smallMessage);
for (let call = 0; call < LAYER_CALLS; call++) large.encode(fewLayers);

await collectAll();
const before = process.memoryUsage();
const residentBefore = resetPeak();
const output = large.encode(message);
const peakBytes = residentBefore === null ? null : statusBytes("VmHWM") - residentBefore;
const heapBytes = process.memoryUsage().heapTotal - before.heapTotal;
await collectAll();
const measurement: MemoryResult = {
  outputBytes: output.length,
  heapBytes,
  bufferBytes: process.memoryUsage().arrayBuffers - before.arrayBuffers,
  peakBytes,
};
process.stdout.write(`${JSON.stringify(measurement)}\n`);
