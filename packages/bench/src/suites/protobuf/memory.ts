import { median } from "simple-statistics";
import { runScript } from "../../measure/child.js";
import type { NumberRow, NumberTable } from "../../report/numbers.js";
import { progress } from "../../report/progress.js";
import { spreadRow } from "../../report/spread-row.js";
import type { RunOptions } from "../../suite.js";
import type { MemoryAnswer } from "./memory-child.js";
import { LAYERS } from "./messages.js";
import { players } from "./players.js";

const CHILD = new URL("./memory-child.js", import.meta.url);

/** Whose memory is told. */
const WHO = ["moonpack-8", "protobufjs-8", "protobufjs-7"];

const QUICK_SIZE = "30";

/** What encoding a large message takes, each in a process of its own. */
export async function runMemory({ processes, quick }: RunOptions): Promise<NumberTable> {
  const rows: NumberRow[] = [];
  for (const megabytes of quick ? [QUICK_SIZE] : Object.keys(LAYERS)) {
    for (const id of WHO) {
      const answers: MemoryAnswer[] = [];
      for (let repetition = 0; repetition < processes; repetition++) {
        progress(`protobuf: memory, ${megabytes} MB, ${id}, ${repetition + 1} of ${processes}`);
        answers.push(await runScript<MemoryAnswer>(CHILD, [id, megabytes], ["--expose-gc"]));
      }
      const title = `${players.find((player) => player.id === id)!.title}, ${megabytes} MB`;
      rows.push(
        spreadRow(`${id}-${megabytes}`, title, {
          output: middle(answers, ({ outputBytes }) => outputBytes / 1e6),
          heap: middle(answers, ({ heapBytes }) => heapBytes / 1e6),
          buffers: middle(answers, ({ bufferBytes, outputBytes }) => bufferBytes / outputBytes),
          peak: middle(answers, ({ peakBytes, outputBytes }) => peakBytes && peakBytes / outputBytes),
        }),
      );
    }
  }
  return {
    id: "memory",
    title: "Memory of encoding",
    text:
      "Growth of the JavaScript heap while a message is encoded; what ArrayBuffers hold once only the output is left, and the " +
      "growth of resident memory at its peak, both as a multiple of the output (at its peak: on Linux). Medians and extremes of " +
      "processes that encoded small messages before.",
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

/** The median and the extremes, or undefined where something was not measured. */
function middle(answers: readonly MemoryAnswer[], of: (answer: MemoryAnswer) => number | null) {
  const values = answers.map(of).filter((value) => value !== null);
  if (values.length < answers.length) return undefined;
  return { median: median(values), low: Math.min(...values), high: Math.max(...values) };
}
