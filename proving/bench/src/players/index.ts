import type { Player } from "../types.js";
import { cborX } from "./cbor-x.js";
import { jsonPack } from "./json-pack.js";
import { moonpackPlayers } from "./moonpack.js";
import { msgpackJavaScript } from "./msgpack-javascript.js";
import { msgpackr, msgpackrRecords } from "./msgpackr.js";
import { notepackIo } from "./notepack.js";
import { jsonBytes, jsonText, v8 } from "./runtime.js";

/** All players of the MessagePack race, in the order of the tables. */
export const players: readonly Player[] = [
  ...moonpackPlayers,
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
