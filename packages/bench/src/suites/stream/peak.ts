import { runScript } from "../../measure/child.js";
import { progress } from "../../report/progress.js";
import { spreadRow } from "../../report/spread-row.js";
import type { MemoryAnswer } from "./memory-child.js";
import type { Part } from "./part.js";

const CHILD = new URL("./memory-child.js", import.meta.url);
const BYTES = 500_000_000;
const QUICK_BYTES = 100_000_000;

const ROWS = [
  ["decodeStream", "`decodeStream`"],
  ["decodeArrayStream", "`decodeArrayStream`, one array"],
  ["DecodeStream", "`DecodeStream` of Node"],
  ["encodeStream", "`encodeStream`"],
  ["EncodeStream", "`EncodeStream` of Node"],
  ["nothing", "the source alone"],
] as const;

/** The most memory that a process takes for a stream far larger than that. */
export const peak: Part = {
  id: "memory",
  async run({ quick }) {
    const rows = [];
    for (const [work, title] of ROWS) {
      progress(`stream: memory, ${work}`);
      const { peakBytes } = await runScript<MemoryAnswer>(CHILD, [work, String(quick ? QUICK_BYTES : BYTES)]);
      rows.push(spreadRow(work, title, { peak: peakBytes / 1e6 }));
    }
    return [
      {
        id: "memory",
        title: "Peak of memory",
        text:
          `The most resident memory, Node's own included, of a process through which ${quick ? 100 : 500} MB of messages of 100 B ` +
          "to 300 B go. The messages are made as they are taken; values are dropped at once.",
        unit: "count",
        columns: [{ id: "peak", title: "MB" }],
        rows,
      },
    ];
  },
};
