import { mkdtempSync, rmSync } from "node:fs";
import { chosenParts, tablesOf } from "../../parts.js";
import { type NumbersResult, numbersPage } from "../../report/numbers.js";
import { resultHead, scratchFile } from "../../results.js";
import type { Suite } from "../../suite.js";
import { acrossPart } from "./parts/across.js";
import { backfillPart } from "./parts/backfill.js";
import { besidePart } from "./parts/beside.js";
import { blockSizesPart } from "./parts/block-sizes.js";
import { openingPart } from "./parts/opening.js";
import type { Part } from "./parts/part.js";
import { peersPart } from "./parts/peers.js";
import { readsPart } from "./parts/reads.js";
import { recoveryPart } from "./parts/recovery.js";
import { selectPart } from "./parts/select.js";
import { sizesPart } from "./parts/sizes.js";
import { stallPart } from "./parts/stall.js";
import { Stores } from "./parts/stores.js";
import { writePart } from "./parts/write.js";
import { FULL, QUICK } from "./scale.js";

const parts: readonly Part[] = [
  writePart,
  stallPart,
  sizesPart,
  readsPart,
  selectPart,
  recoveryPart,
  acrossPart,
  blockSizesPart,
  backfillPart,
  openingPart,
  besidePart,
  peersPart,
];

const PACKAGES = ["@moonpack/series", "@nxtedition/rocksdb", "@duckdb/node-api", "vega-datasets"];

/** Time series in a process: @moonpack/series. */
export const series: Suite<NumbersResult> = {
  name: "series",
  title: "Time series",
  async run({ quick, filter, processes }) {
    const chosen = chosenParts(parts, filter);
    const scale = quick ? QUICK : FULL;
    // Beside the results, not in the folder for temporary files: that may be in memory, where writes do not wait for a disk.
    const folder = mkdtempSync(scratchFile("series-"));
    try {
      const versions = new Map<string, string>();
      const run = { quick, processes, scale, folder, stores: new Stores(folder, scale), versions };
      const tables = await tablesOf(chosen, (part) => part.run(run));
      const head = resultHead("series", quick, PACKAGES);
      return { ...head, versions: { ...head.versions, ...Object.fromEntries(versions) }, tables };
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  page: (result) => numbersPage(series.title, result, ORIGIN),
};

const ORIGIN = [
  "The load is taken from an article on minute buckets in RocksDB (Java, a SATA disk, no log), which reached 400,000 points/s, 19,000 reads of minutes/s and 5.25 bytes a point.",
  "Each measurement has its own process and store; the order of what is compared changes from one repetition to the next.",
  "Absolute figures are of this kind of machine, of two shared cores; ratios are taken within a run.",
];
