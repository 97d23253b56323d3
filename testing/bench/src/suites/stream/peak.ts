import { runScript } from "../../measure/child.js";
import { progress } from "../../progress.js";
import { spreadRow } from "../../report/spread-row.js";
import type { MemoryResult } from "./memory-child.js";
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

/** Peak memory of a process for a stream that is far larger. */
export const peak: Part = {
  id: "memory",
  async run({ quick }) {
    const rows = [];
    for (const [work, title] of ROWS) {
      progress(`stream: memory, ${work}`);
      const { peakBytes } = await runScript<MemoryResult>(CHILD, [work, String(quick ? QUICK_BYTES : BYTES)]);
      rows.push(spreadRow(work, title, { peak: peakBytes / 1e6 }));
    }
    return [
      {
        id: "memory",
        title: "Peak memory",
        text:
          `Peak resident memory, including Node's own, of a process that reads or writes ${quick ? 100 : 500} MB of messages of 100 B ` +
          "to 300 B. Messages are created on demand; values are dropped at once.",
        unit: "count",
        columns: [{ id: "peak", title: "MB" }],
        rows,
      },
    ];
  },
};
