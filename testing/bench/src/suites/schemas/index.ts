import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chosenParts, tablesOf } from "../../parts.js";
import { type NumbersResult, numbersPage } from "../../report/numbers.js";
import { resultHead } from "../../results.js";
import type { Suite } from "../../suite.js";
import { protobufJsVersions } from "../protobuf/versions.js";
import type { Part } from "./part.js";
import { pckPart } from "./pck/part.js";
import { protobufPart } from "./protobuf/part.js";

const parts: readonly Part[] = [pckPart, protobufPart];

/** PCK and Protobuf in a process with many schemas, as a service has them. */
export const schemas: Suite<NumbersResult> = {
  name: "schemas",
  title: "Many schemas in one process",
  async run({ quick, filter, only, processes }) {
    const chosen = chosenParts(parts, filter);
    const folder = mkdtempSync(join(tmpdir(), "moonpack-schemas-"));
    try {
      const run = {
        quick,
        processes,
        folder,
        operations: only === undefined ? (["encode", "decode"] as const) : [only],
      };
      const tables = await tablesOf(chosen, (part) => part.run(run));
      const head = resultHead("schemas", quick, ["moonpack"]);
      return { ...head, versions: { ...head.versions, ...protobufJsVersions() }, tables };
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  page: (result) => numbersPage(schemas.title, result, ORIGIN),
};

const ORIGIN = [
  "The processes that are compared take turns of some milliseconds, and each decodes Buffers that it has not seen.",
  "By turns: each schema once in every round, in random order. By Zipf: a seed ranks the schemas, and a schema's frequency follows its rank by Zipf's law.",
  "All values were compared before. Ratios are medians of rounds; tables show the median of several processes with the least and the greatest.",
  "PCK's schemas are inferred from real documents of 30 kinds ([sources](../../testing/bench/src/corpus/README.md)). Protobuf's types are dealt fields from all that protobuf.js has, the usual ones more often.",
];
