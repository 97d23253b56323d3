import { chosenParts, tablesOf } from "../../parts.js";
import { type NumbersResult, numbersPage } from "../../report/numbers.js";
import { resultHead } from "../../results.js";
import type { Suite } from "../../suite.js";
import { startCluster } from "./cluster.js";
import { objectsPart } from "./parts/objects.js";
import type { Part } from "./parts/part.js";
import { seriesPart } from "./parts/series.js";
import { textsPart } from "./parts/texts.js";
import { FULL, QUICK } from "./scale.js";

const parts: readonly Part[] = [textsPart, objectsPart, seriesPart];

const PACKAGES = ["@moonpack/hazelcast", "@moonpack/load", "@moonpack/series", "hazelcast-client", "vega-datasets"];

/** Values and time series in a Hazelcast cluster: @moonpack/hazelcast. */
export const hazelcast: Suite<NumbersResult> = {
  name: "hazelcast",
  title: "Values in a Hazelcast cluster",
  async run({ quick, filter, processes }) {
    const chosen = chosenParts(parts, filter);
    const { versions, stop, ...place } = await startCluster();
    try {
      const run = { place, processes, scale: quick ? QUICK : FULL };
      const tables = await tablesOf(chosen, (part) => part.run(run));
      const head = resultHead("hazelcast", quick, PACKAGES);
      return { ...head, versions: { ...head.versions, ...versions }, tables };
    } finally {
      await stop();
    }
  },
  page: (result) => numbersPage(hazelcast.title, result, ORIGIN),
};

const ORIGIN = [
  "A real member on this machine, over loopback, which shares two cores with the client; so savings in one of them speed up both.",
  "The load runner (`@moonpack/load`) keeps 64 operations in flight. The compared ways take turns of some tenths of a second within a process, in an order that rotates; several processes repeat that.",
  "Before anything is measured, every object must come back equal to what was stored, in each way; then one get in 1,000 is compared.",
];
