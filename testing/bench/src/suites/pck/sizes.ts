import { brotliCompressSync, gzipSync } from "node:zlib";
import { encode as encodeMessagePack } from "moonpack";
import type { NumberRow, NumberTable } from "../../report/numbers.js";
import { avscOwned } from "./candidates/avsc.js";
import type { Candidate } from "./candidates/candidate.js";
import { json } from "./candidates/json.js";
import { kiwi } from "./candidates/kiwi.js";
import { moonpack } from "./candidates/moonpack.js";
import { msgpackrRecords } from "./candidates/msgpackr.js";
import { protobufJs } from "./candidates/protobuf.js";
import { seqprotoOwned } from "./candidates/seqproto.js";
import { hn } from "./workloads/hn.js";
import { mixed } from "./workloads/mixed.js";
import { player } from "./workloads/player.js";
import type { Story, Workload } from "./workloads/workload.js";

/** A format, written by one of the libraries. */
interface Format {
  readonly id: string;
  readonly title: string;
  encoder(workload: Workload): (message: object) => Uint8Array;
}

function writtenBy(library: Candidate, id: string, title: string): Format {
  return { id, title, encoder: (workload) => library.create(workload, undefined)!.encode };
}

const FORMATS: readonly Format[] = [
  writtenBy(moonpack, "pck", "PCK"),
  writtenBy(json, "json", "JSON"),
  { id: "msgpack", title: "MessagePack", encoder: () => encodeMessagePack },
  writtenBy(msgpackrRecords, "msgpackr-records", "msgpackr records"),
  writtenBy(protobufJs, "protobuf", "Protobuf"),
  writtenBy(avscOwned, "avro", "Avro"),
  writtenBy(kiwi, "kiwi", "kiwi"),
  writtenBy(seqprotoOwned, "seqproto", "seqproto"),
];

const MEASURED = [player, mixed, hn];

const COMPRESSIONS = [
  { id: "", title: "", compress: (bytes: Uint8Array) => bytes },
  { id: "-gzip", title: ", gzip", compress: (bytes: Uint8Array) => gzipSync(bytes, { level: 9 }) },
  { id: "-brotli", title: ", brotli", compress: (bytes: Uint8Array) => brotliCompressSync(bytes) },
];

/** The size of the same fields in each format. */
export function sizesTable(stories: readonly Story[]): NumberTable {
  return {
    id: "sizes",
    title: "Sizes",
    text:
      "The first message of each kind, the same fields with the same values: smaller is better. gzip at level 9, brotli at its " +
      "highest. JSON and MessagePack contain the names of fields; msgpackr records need structures that are stored elsewhere.",
    unit: "bytes",
    columns: MEASURED.flatMap(({ id, title }) =>
      COMPRESSIONS.map((each) => ({ id: `${id}${each.id}`, title: `${title}${each.title}` })),
    ),
    rows: FORMATS.map((format) => row(format, stories)),
  };
}

function row({ id, title, encoder }: Format, stories: readonly Story[]): NumberRow {
  const cells = MEASURED.flatMap((workload) => {
    const encode = encoder(workload);
    const [message] = workload.values(stories);
    const bytes = encode(message!);
    return COMPRESSIONS.map((each) => [`${workload.id}${each.id}`, each.compress(bytes).length] as const);
  });
  return { id, title, values: Object.fromEntries(cells) };
}
