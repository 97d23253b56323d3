import { progress } from "../../../progress.js";
import { spreadRow } from "../../../report/spread-row.js";
import type { BlockSizes, BlockSizesJob } from "../jobs/block-sizes.js";
import { EVERY, HOUR, TICKS_AN_HOUR } from "../load.js";
import { findKind } from "../values.js";
import { inFolder, type Part, runJob } from "./part.js";

const KINDS = ["uniform", "walk", "decimals", "decimal-walk", "counters", "constant"];
const HOURS_A_WEEK = 168;

/** Bytes a point of a store of files, dense and sparse. */
export const blockSizesPart: Part = {
  id: "block-sizes",
  async run({ folder, scale: { blockMetrics, blockHours, sparseMetrics, sparseWeeks } }) {
    const dense = { metrics: blockMetrics, ticks: blockHours * TICKS_AN_HOUR, every: EVERY };
    const hourly = { metrics: sparseMetrics, ticks: sparseWeeks * HOURS_A_WEEK, every: HOUR };
    const cases = [
      ...KINDS.map((values) => ({ id: values, title: findKind(values).title, values, ...dense })),
      { id: "hourly", title: "hourly: uniform integers", values: "uniform", ...hourly },
      { id: "hourly-decimals", title: "hourly: two decimals", values: "decimals", ...hourly },
    ];
    const rows = [];
    for (const { id, title, ...size } of cases) {
      progress(`series: bytes a point, ${title}`);
      const job = { kind: "block-sizes", ...size } as const;
      const { blocks, whole } = await inFolder(folder, (path) =>
        runJob<BlockSizes>({ ...job, folder: path } satisfies BlockSizesJob),
      );
      rows.push(spreadRow(id, title, { blocks, whole }));
    }
    const number = (value: number) => value.toLocaleString("en-US");
    return [
      {
        id: "block-sizes",
        title: "Bytes a point with files()",
        text:
          `${number(blockMetrics)} metrics with a point every 3 s for ${blockHours} hours; hourly: ${number(sparseMetrics)} metrics for ${sparseWeeks} weeks. Points are written as simulated time goes by. ` +
          "Two weeks later all blocks are merged, and the store is opened and closed. Blocks: the files of points. Whole: all files of the folder, with names, tags, and a MiB that is kept for a full disk.",
        unit: "ratio",
        columns: [
          { id: "blocks", title: "blocks" },
          { id: "whole", title: "whole" },
        ],
        rows,
      },
    ];
  },
};
