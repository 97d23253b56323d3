import { median } from "simple-statistics";
import { runScript } from "../../measure/child.js";
import { progress } from "../../progress.js";
import type { NumberRow, NumberTable } from "../../report/numbers.js";
import { spreadRow } from "../../report/spread-row.js";
import type { RunOptions } from "../../suite.js";
import { candidates } from "./candidates.js";
import type { MemoryResult } from "./memory-child.js";
import { LAYERS } from "./messages.js";

const CHILD = new URL("./memory-child.js", import.meta.url);

/** The measured candidates. */
const WHO = ["moonpack-8", "protobufjs-8", "protobufjs-7"];

const QUICK_SIZE = "30";

/** Memory for encoding a large message, each in a new process. */
export async function runMemory({ processes, quick }: RunOptions): Promise<NumberTable> {
  const rows: NumberRow[] = [];
  for (const megabytes of quick ? [QUICK_SIZE] : Object.keys(LAYERS)) {
    for (const id of WHO) {
      const measurements: MemoryResult[] = [];
      for (let repetition = 0; repetition < processes; repetition++) {
        progress(`protobuf: memory, ${megabytes} MB, ${id}, ${repetition + 1} of ${processes}`);
        measurements.push(await runScript<MemoryResult>(CHILD, [id, megabytes], ["--expose-gc"]));
      }
      const title = `${candidates.find((candidate) => candidate.id === id)!.title}, ${megabytes} MB`;
      rows.push(
        spreadRow(`${id}-${megabytes}`, title, {
          output: middle(measurements, ({ outputBytes }) => outputBytes / 1e6),
          heap: middle(measurements, ({ heapBytes }) => heapBytes / 1e6),
          buffers: middle(measurements, ({ bufferBytes, outputBytes }) => bufferBytes / outputBytes),
          peak: middle(measurements, ({ peakBytes, outputBytes }) => peakBytes && peakBytes / outputBytes),
        }),
      );
    }
  }
  return {
    id: "memory",
    title: "Memory of encoding",
    text:
      "Growth of the JavaScript heap while a message is encoded; memory of ArrayBuffers when only the output is left, and the " +
      "growth of peak resident memory, both as a multiple of the output (peak: on Linux). Medians and extremes of " +
      "processes that had encoded small messages before.",
    unit: "ratio",
    columns: [
      { id: "output", title: "output, MB", unit: "count" },
      { id: "heap", title: "heap, MB", unit: "count" },
      { id: "buffers", title: "ArrayBuffers / output" },
      { id: "peak", title: "peak / output" },
    ],
    rows,
  };
}

/** The median and the extremes; undefined if a value is missing. */
function middle(measurements: readonly MemoryResult[], of: (measurement: MemoryResult) => number | null) {
  const values = measurements.map(of).filter((value) => value !== null);
  if (values.length < measurements.length) return undefined;
  return { median: median(values), low: Math.min(...values), high: Math.max(...values) };
}
