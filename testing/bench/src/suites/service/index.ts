import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { progress } from "../../progress.js";
import { type NumbersResult, type NumberTable, numbersPage } from "../../report/numbers.js";
import { resultHead } from "../../results.js";
import type { RunOptions, Suite } from "../../suite.js";
import { candidates } from "./candidates.js";
import { alonePart } from "./parts/alone.js";
import { browsersPart } from "./parts/browsers.js";
import { checkCandidates } from "./parts/check.js";
import { companyPart } from "./parts/company.js";
import { mixPart } from "./parts/mix.js";
import { nodesPart } from "./parts/nodes.js";
import type { Part, PartRun } from "./parts/part.js";
import { retainedPart } from "./parts/retained.js";
import { writeDocuments } from "./stored.js";

const parts: readonly Part[] = [mixPart, alonePart, companyPart, retainedPart, nodesPart, browsersPart];

/** Codecs in a process that meets hundreds of kinds of messages, as a service does. */
export const service: Suite<NumbersResult> = {
  name: "service",
  title: "A service: hundreds of kinds of messages in one process",
  async run(options) {
    const folder = mkdtempSync(join(tmpdir(), "moonpack-service-"));
    try {
      const run = partRun(options, folder);
      for (const part of parts) await part.prepare?.(run);
      writeDocuments(folder);
      await checkCandidates(run);
      const tables: NumberTable[] = [];
      for (const part of parts) tables.push(...(await part.run(run)));
      if (tables.length === 0)
        throw new RangeError(`no part matches: there are ${parts.map(({ id }) => id).join(", ")}`);
      progress("");
      const packages = candidates.flatMap((candidate) => candidate.package ?? []);
      return { ...resultHead("service", options.quick, packages), tables };
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  page: (result) =>
    [
      numbersPage(service.title, result, ORIGIN),
      "## The codecs",
      "",
      ...candidates.flatMap(({ title, note }) => (note === undefined ? [] : [`- **${title}**: ${note}`])),
      "",
    ].join("\n"),
};

const ORIGIN = [
  "Speed: bigger is faster.",
  "Messages are real documents of 259 kinds ([sources](../../testing/bench/src/corpus/README.md)).",
  "A seed ranks the kinds; a kind's frequency follows its rank by Zipf's law. A third of the kinds only appears in the second half.",
  "All libraries in a process get the same messages, in turns of 32 in random order.",
  "Decoders read Node Buffers cut from 64 KiB chunks, none twice; encoders get objects that were just built.",
  "Every result was compared in other processes before. Garbage collection counts.",
];

function partRun({ quick, filter, only, processes }: RunOptions, folder: string): PartRun {
  return {
    quick,
    processes,
    folder,
    isFiltered: filter !== undefined,
    operations: only === undefined ? ["decode", "encode"] : [only],
    chooses: (name) => filter?.test(name) ?? true,
  };
}
