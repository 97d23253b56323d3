import { readFileSync } from "node:fs";
import { progress } from "../../progress.js";
import { type NumbersResult, type NumberTable, numbersPage } from "../../report/numbers.js";
import { resultHead } from "../../results.js";
import type { Suite } from "../../suite.js";
import { protobufJsVersions } from "../protobuf/versions.js";
import { bundleTable } from "./bundle.js";
import { loadEmitted } from "./emitted.js";
import { runRaces } from "./race.js";
import { sizesTable } from "./sizes.js";
import { measureTimes, type TimingJob } from "./timing.js";
import { findWorkload, workloads } from "./workloads/index.js";
import type { Story } from "./workloads/workload.js";

const SIZES = "sizes";
const BUNDLE = "bundle";
const STORIES = new URL("../../../../../data/hn-top-stories.json", import.meta.url);
const PACKAGES = ["moonpack", "avsc", "seqproto", "kiwi-schema", "@bufbuild/protobuf", "pbf", "msgpackr"];

const ORIGIN = [
  "The mixed record is a Player with an id and a name.",
  "A third of the small integers each takes one, two and three bytes as a varint; seqproto always writes 4 bytes.",
  "[Go](go.md) has its own page.",
];

/** PCK compared with other codecs that use schemas, and with JSON. */
export const pck: Suite<NumbersResult> = {
  name: "pck",
  title: "PCK",
  async run(options) {
    const { filter, only, quick } = options;
    const chosen = workloads.filter(({ id, isExtra }) => filter?.test(id) ?? !(quick && isExtra));
    const isWanted = (table: string) => only === undefined && (filter?.test(table) ?? true);
    const [withSizes, withBundle] = [SIZES, BUNDLE].map(isWanted);
    if (chosen.length === 0 && !withSizes && !withBundle) {
      throw new RangeError(
        `nothing matches: there are ${workloads.map(({ id }) => id).join(", ")}, ${SIZES}, ${BUNDLE}`,
      );
    }
    const tables: NumberTable[] = [];
    for (const operation of ["encode", "decode"] as const) {
      if (chosen.length === 0 || (only ?? operation) !== operation) continue;
      tables.push(...(await runRaces(operation, chosen, options)));
    }
    if (withSizes) tables.push(sizesTable(stories()));
    if (withBundle) tables.push(await bundleTable());
    progress("");
    const head = resultHead("pck", quick, PACKAGES);
    return {
      ...head,
      versions: { ...head.versions, protobufjs: protobufJsVersions()["@moonpack/protobufjs-8"]! },
      tables,
    };
  },
  async work(job) {
    const timing = job as TimingJob;
    return measureTimes(timing, { stories: stories(), emitted: await loadEmitted(findWorkload(timing.workload)) });
  },
  page: (result) => numbersPage(pck.title, result, ORIGIN),
};

function stories(): readonly Story[] {
  return JSON.parse(readFileSync(STORIES, "utf8"));
}
