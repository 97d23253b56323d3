import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type NumbersResult, type NumberTable, numbersPage } from "../../report/numbers.js";
import { progress } from "../../report/progress.js";
import { resultHead } from "../../results.js";
import type { Suite } from "../../suite.js";
import { runRaces } from "./race.js";
import { sizesTable } from "./sizes.js";
import { measureTimes, type TimingJob } from "./timing.js";
import { workloads } from "./workloads/index.js";
import type { Story } from "./workloads/workload.js";

const SIZES = "sizes";
const STORIES = new URL("../../../../../data/hn-top-stories.json", import.meta.url);
const PACKAGES = ["moonpack", "avsc", "seqproto", "kiwi-schema", "@bufbuild/protobuf", "pbf", "msgpackr"];

/** Codecs of PCK against other codecs of schemas, and against JSON. */
export const pck: Suite<NumbersResult> = {
  name: "pck",
  title: "PCK",
  async run(options) {
    const { filter, only, quick } = options;
    const chosen = workloads.filter(({ id, isExtra }) => filter?.test(id) ?? !(quick && isExtra));
    const withSizes = (filter?.test(SIZES) ?? true) && only === undefined;
    if (chosen.length === 0 && !withSizes) {
      throw new RangeError(`nothing matches: there are ${workloads.map(({ id }) => id).join(", ")}, ${SIZES}`);
    }
    const tables: NumberTable[] = [];
    for (const operation of ["encode", "decode"] as const) {
      if (chosen.length === 0 || (only ?? operation) !== operation) continue;
      tables.push(...(await runRaces(operation, chosen, options)));
    }
    if (withSizes) tables.push(sizesTable(stories()));
    progress("");
    const head = resultHead("pck", quick, PACKAGES);
    return { ...head, versions: { ...head.versions, protobufjs: protobufJsVersion() }, tables };
  },
  work: (job) => measureTimes(job as TimingJob, stories()),
  page: (result) => numbersPage(pck.title, result),
};

function stories(): readonly Story[] {
  return JSON.parse(readFileSync(STORIES, "utf8"));
}

/** Known to the workspace that depends on this one of its versions. */
function protobufJsVersion(): string {
  const require = createRequire(import.meta.url);
  const { dependencies } = require("@moonpack/protobufjs-8/package.json") as { dependencies: { protobufjs: string } };
  return dependencies.protobufjs;
}
