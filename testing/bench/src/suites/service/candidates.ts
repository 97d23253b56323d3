import { createRequire } from "node:module";
import * as msgpackr from "msgpackr";
import { jsonPack } from "../../candidates/json-pack.js";
import { moonpackCandidates } from "../../candidates/moonpack.js";
import { msgpackJavaScript } from "../../candidates/msgpack-javascript.js";
import { jsonBytes } from "../../candidates/runtime.js";
import type { Candidate } from "../../types.js";
import { type Library, msgpackrCandidate } from "./msgpackr.js";

const DISABLED = "MSGPACKR_NATIVE_ACCELERATION_DISABLED";

/**
 * msgpackr decides when it is loaded whether it uses its native extractor. The CommonJS build is a second copy of the
 * library, which shares neither this choice nor V8's feedback with the modules.
 */
function withoutExtractor(): Library {
  const before = process.env[DISABLED];
  process.env[DISABLED] = "true";
  const library = createRequire(import.meta.url)("msgpackr") as Library;
  if (before === undefined) delete process.env[DISABLED];
  else process.env[DISABLED] = before;
  if (library.isNativeAccelerationEnabled) throw new Error("msgpackr uses its extractor although it must not");
  return library;
}

/** The functions of the package. */
export const ours: Candidate = {
  ...moonpackCandidates.find(({ id }) => id === "moonpack")!,
  note: "`decode` and `encode`, the functions of the package, which everything in a process shares.",
};

/** The others, all of which are in the company of ours. */
export const rivals: readonly Candidate[] = [
  msgpackrCandidate(
    {
      id: "msgpackr",
      title: "msgpackr, native",
      note: '`new Packr({ useRecords: false, int64AsType: "number" })`, since messages have integers of up to 53 bits. Its native extractor makes strings that hold the text of their message.',
    },
    () => msgpackr,
  ),
  msgpackrCandidate(
    {
      id: "msgpackr-js",
      title: "msgpackr",
      note: "The same without the native extractor: a second copy of the library.",
    },
    withoutExtractor,
  ),
  jsonPack,
  msgpackJavaScript,
  jsonBytes,
];

/** All rows. */
export const candidates: readonly Candidate[] = [ours, ...rivals];

/** A candidate by its id. Throws for an unknown id. */
export function candidateOf(id: string): Candidate {
  const found = candidates.find((candidate) => candidate.id === id);
  if (found === undefined) throw new RangeError(`no candidate ${id}`);
  return found;
}

/** False for a row that this version of Node cannot have: msgpackr's extractor is compiled for some only. */
export function isAvailable({ id }: Candidate): boolean {
  return id !== "msgpackr" || msgpackr.isNativeAccelerationEnabled;
}
