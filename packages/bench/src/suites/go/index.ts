import { type NumbersResult, numbersPage } from "../../report/numbers.js";
import { progress } from "../../report/progress.js";
import { resultHead } from "../../results.js";
import type { Suite } from "../../suite.js";
import { type GoPace, runRaces, workloads } from "./race.js";
import { readyBenchmarks } from "./toolchain.js";

/** For each of `--processes`: with three of them the whole run takes three to four minutes. */
const WHOLE: GoPace = { rounds: 15, milliseconds: 100 };
const QUICK: GoPace = { rounds: 3, milliseconds: 10 };

const ORIGIN = [
  "That Node only starts the benchmarks of `go/bench`, which Go compiles, runs and times. First every codec has to read what it",
  "wrote, and all of them the same values. Then there are rounds, in which each benchmark runs in a process of its own: those that are",
  "compared one after the other, another one first in each round. Ratios are taken within a round. All write into memory that they used",
  "before, but encoding/json, which cannot. All read into new values, on the stack where the compiler finds that they can be.",
  "Differences below 15 % are noise.",
];

/** The code that is emitted for Go against encoding/json, and against other code that is generated. */
export const go: Suite<NumbersResult> = {
  name: "go",
  title: "PCK in Go",
  async run({ filter, only, processes, quick }) {
    const races = workloads
      .filter(({ id }) => filter?.test(id) ?? true)
      .flatMap((workload) => (["encode", "decode"] as const).map((operation) => ({ workload, operation })))
      .filter(({ operation }) => (only ?? operation) === operation);
    if (races.length === 0) {
      throw new RangeError(`no workload matches: there are ${workloads.map(({ id }) => id).join(", ")}`);
    }
    progress("go: are the values equal?");
    const benchmarks = await readyBenchmarks();
    const { rounds, milliseconds } = quick ? QUICK : WHOLE;
    const tables = await runRaces(races, benchmarks, { rounds: rounds * processes, milliseconds });
    progress("");
    const head = resultHead("go", quick, ["moonpack"]);
    return { ...head, versions: { ...benchmarks.versions, ...head.versions }, tables };
  },
  page: (result) => numbersPage(go.title, result, ORIGIN),
};
