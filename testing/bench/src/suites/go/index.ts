import { progress } from "../../progress.js";
import { type NumbersResult, numbersPage } from "../../report/numbers.js";
import { resultHead } from "../../results.js";
import type { Suite } from "../../suite.js";
import { type GoPace, runRaces, workloads } from "./race.js";
import { readyBenchmarks } from "./toolchain.js";

/** Rounds for each of `--processes`: with three processes the whole run takes three to four minutes. */
const WHOLE: GoPace = { rounds: 15, milliseconds: 100 };
const QUICK: GoPace = { rounds: 3, milliseconds: 10 };

const ORIGIN = [
  "This version of Node only starts the benchmarks of `go/bench`, which Go compiles, runs and times. First every codec must read",
  "back what it wrote, and all codecs the same values. In each round, every benchmark runs in its own process: benchmarks that are",
  "compared run one after the other, starting with another one in each round. Ratios are taken within a round. All codecs except",
  "encoding/json, which cannot, write into memory that they reuse. All read into new values, on the stack if the compiler allows it.",
  "Differences below 15 % are noise.",
];

/** Emitted Go code compared with encoding/json, and with other generated code. */
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
