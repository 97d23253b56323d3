import { progress } from "../../progress.js";
import { type NumbersResult, type NumberTable, numbersPage } from "../../report/numbers.js";
import { resultHead } from "../../results.js";
import type { Suite } from "../../suite.js";
import { runMemory } from "./memory.js";
import { raceTables, runRace, speedLosses } from "./race.js";
import { measureTimes, type TimingJob } from "./timing.js";
import { protobufJsVersions } from "./versions.js";

const MEMORY = "memory";

/** Our Writer and Reader in protobuf.js's generated code. */
export const protobuf: Suite<NumbersResult> = {
  name: "protobuf",
  title: "Protobuf",
  async run(options) {
    const { filter, only, quick } = options;
    const isChosen = (id: string) => filter?.test(id) ?? true;
    const races = raceTables.filter(({ id, operation }) => isChosen(id) && (only ?? operation) === operation);
    const withMemory = isChosen(MEMORY) && only !== "decode";
    if (races.length === 0 && !withMemory) {
      throw new RangeError(`no table matches: there are ${raceTables.map(({ id }) => id).join(", ")}, ${MEMORY}`);
    }
    const tables: NumberTable[] = [];
    for (const race of races) tables.push(await runRace(race, options));
    if (withMemory) tables.push(await runMemory(options));
    progress("");
    const head = resultHead("protobuf", quick, ["moonpack", "@bufbuild/protobuf", "pbf"]);
    return { ...head, versions: { ...head.versions, ...protobufJsVersions() }, tables };
  },
  work: (job) => measureTimes(job as TimingJob),
  page: (result) => numbersPage(protobuf.title, result),
  losses: speedLosses,
};
