import { createRequire } from "node:module";
import { Decoder, Encoder } from "moonpack";
import * as msgpackr from "msgpackr";
import { jsonPack } from "../../players/json-pack.js";
import { moonpackPlayers } from "../../players/moonpack.js";
import { msgpackJavaScript } from "../../players/msgpack-javascript.js";
import { jsonBytes } from "../../players/runtime.js";
import type { Player } from "../../types.js";
import { type Library, msgpackrPlayer } from "./msgpackr.js";

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

const [moonpack, interpreted] = ["moonpack", "moonpack-interpreted"].map(
  (id) => moonpackPlayers.find((player) => player.id === id)!,
);

/** Our ways to be used. Each is measured in its own processes: in one, they would warm each other's code up. */
export const ours: readonly Player[] = [
  { ...moonpack!, note: "`decode` and `encode`, the functions of the package, which everything in a process shares." },
  {
    ...moonpack!,
    id: "moonpack-own",
    title: "moonpack, own codec",
    note: "`new Decoder()` and `new Encoder()`.",
    create: () => {
      const decoder = new Decoder();
      const encoder = new Encoder();
      return {
        encode: (value) => encoder.encode(value),
        decode: (payload) => decoder.decode(payload as Uint8Array),
      };
    },
  },
  interpreted!,
];

/** The others, all of which are in the company of each of ours. */
export const rivals: readonly Player[] = [
  msgpackrPlayer(
    {
      id: "msgpackr",
      title: "msgpackr, native",
      note: '`new Packr({ useRecords: false, int64AsType: "number" })`, since messages have integers of up to 53 bits. Its native extractor makes strings that hold the text of their message.',
    },
    () => msgpackr,
  ),
  msgpackrPlayer(
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
export const players: readonly Player[] = [...ours, ...rivals];

/** A player by its id; throws if there is none. */
export function playerOf(id: string): Player {
  const found = players.find((player) => player.id === id);
  if (found === undefined) throw new RangeError(`no player ${id}`);
  return found;
}

/** False for a row that this version of Node cannot have: msgpackr's extractor is compiled for some only. */
export function isAvailable({ id }: Player): boolean {
  return id !== "msgpackr" || msgpackr.isNativeAccelerationEnabled;
}
