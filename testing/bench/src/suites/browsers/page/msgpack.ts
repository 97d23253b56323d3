import { decode as decodeByAnother, encode as encodeByAnother } from "@msgpack/msgpack";
import { jsonPack } from "../../../candidates/json-pack.js";
import { moonpackCandidates } from "../../../candidates/moonpack.js";
import { msgpackJavaScript } from "../../../candidates/msgpack-javascript.js";
import { msgpackr } from "../../../candidates/msgpackr.js";
import type { Contestant } from "../../../measure/interleave.js";
import type { Operation, Payload } from "../../../types.js";
import { dictionaries } from "../../../workloads/dictionary.js";
import { serviceMessages } from "../../../workloads/messages.js";
import { inTurn } from "../../pck/contestant.js";
import { ArrivingCopies } from "../../protobuf/inputs.js";
import { sameValue } from "../../protobuf/verify.js";
import type { Entrant, Job } from "../job.js";
import { jsonInPages } from "./candidates.js";
import { documentOf } from "./files.js";
import type { PageRace } from "./race.js";

interface PageCodec extends Entrant {
  readonly encode?: (value: unknown) => Payload;
  readonly decode?: (payload: Payload) => unknown;
}

const ours = moonpackCandidates.find(({ id }) => id === "moonpack")!;

/** New codecs of all candidates. Each function is a separate call site. */
function codecs(): PageCodec[] {
  const rivals = [msgpackr, msgpackJavaScript, jsonPack];
  return [
    { id: ours.id, title: ours.title, role: "ours", ...ours.create() },
    ...rivals.map(({ id, title, create }): PageCodec => ({ id, title, role: "binary", ...create() })),
    { id: jsonInPages.id, title: jsonInPages.title, role: "text", ...jsonInPages.create() },
  ];
}

/** MessagePack: all decoders except JSON's read the same bytes. Another implementation checks the output of encoders. */
export async function prepareMsgpack({ row, effort }: Job): Promise<PageRace> {
  const values = await valuesOf(row.message, effort === "smoke");
  const all = codecs().filter((codec) => codec[row.operation] !== undefined);
  const contestants = all.map((codec) => contestant(codec, row.operation, values));
  const entrants = all.map(({ id, title, role }): Entrant => ({ id, title, role }));
  return { entrants, contestants, bytes: contestants[0]!.bytes };
}

async function valuesOf(message: string, isSmall: boolean): Promise<unknown[]> {
  const document = await documentOf(message);
  if (document !== undefined) return [document];
  return [...serviceMessages, ...dictionaries].find(({ id }) => id === message)!.values(isSmall);
}

function contestant(codec: PageCodec, operation: Operation, values: readonly unknown[]): Contestant {
  const { id, role } = codec;
  const isText = role === "text";
  const written = values.map((value) => (isText ? codec.encode!(value) : encodeByAnother(value)) as Uint8Array);
  const check = (read: unknown, index: number, verb: string) => {
    if (!sameValue(read, values[index])) throw new Error(`${id} ${verb} another value`);
  };
  if (operation === "decode") {
    const copies = new ArrivingCopies();
    for (const [index, bytes] of written.entries()) check(codec.decode!(copies.copy(bytes)), index, "reads");
    const call = codec.decode as Contestant["call"];
    return { id, bytes: mean(written), call, prepare: inTurn(written, (bytes) => copies.copy(bytes)) };
  }
  const own = values.map((value, index) => {
    // A copy: the next call overwrites shared memory.
    const bytes = Uint8Array.from(codec.encode!(value) as Uint8Array);
    check(isText ? codec.decode!(bytes) : decodeByAnother(bytes), index, "writes");
    return bytes;
  });
  return { id, bytes: mean(own), call: codec.encode!, prepare: inTurn(values, (value) => value) };
}

function mean(list: readonly Uint8Array[]): number {
  return list.reduce((sum, { length }) => sum + length, 0) / list.length;
}
