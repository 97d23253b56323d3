import type { Candidate } from "../types.js";
import { cborX } from "./cbor-x.js";
import { jsonPack } from "./json-pack.js";
import { moonpackCandidates } from "./moonpack.js";
import { msgpackJavaScript } from "./msgpack-javascript.js";
import { msgpackr, msgpackrRecords } from "./msgpackr.js";
import { notepackIo } from "./notepack.js";
import { jsonBytes, jsonText, v8 } from "./runtime.js";

/** All candidates of the MessagePack race, in the order of the tables. */
export const candidates: readonly Candidate[] = [
  ...moonpackCandidates,
  msgpackr,
  jsonPack,
  msgpackJavaScript,
  notepackIo,
  msgpackrRecords,
  cborX,
  jsonBytes,
  jsonText,
  v8,
];
