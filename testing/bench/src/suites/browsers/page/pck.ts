import * as emittedHn from "virtual:moonpack-emitted/hn";
import * as emittedPlayer from "virtual:moonpack-emitted/player";
import { codec } from "@moonpack/pck";
import { codeGeneration } from "@moonpack/pck/codegen";
import type { Operation } from "../../../types.js";
import type { Candidate, Codec } from "../../pck/candidates/candidate.js";
import { json } from "../../pck/candidates/json.js";
import { kiwi } from "../../pck/candidates/kiwi.js";
import { moonpackClosures, moonpackEmitted } from "../../pck/candidates/moonpack.js";
import { msgpackrRecords } from "../../pck/candidates/msgpackr.js";
import { pbf, protobufEs, protobufJs } from "../../pck/candidates/protobuf.js";
import { seqprotoOwned, seqprotoShared } from "../../pck/candidates/seqproto.js";
import { contestant } from "../../pck/contestant.js";
import { ready } from "../../pck/ready.js";
import { verify } from "../../pck/verify.js";
import { hn } from "../../pck/workloads/hn.js";
import { player } from "../../pck/workloads/player.js";
import type { Story, Workload } from "../../pck/workloads/workload.js";
import type { Entrant, Job } from "../job.js";
import { avscOwned, avscShared } from "./avsc.js";
import { documentOf } from "./files.js";
import type { PageRace } from "./race.js";

/** moonpack with generated code, which is the default on servers, but an option in pages. */
const generated: Candidate = {
  id: "moonpack",
  title: "moonpack with `codeGeneration`",
  ours: true,
  create({ schema }) {
    const pck = codec<object, never>(schema as never, { codeGeneration });
    return { encode: (message) => pck.encodeShared(message as never), decode: (bytes) => pck.decode(bytes) };
  },
};

/** As in the suite for Node, except where pages differ. */
const candidates: readonly Candidate[] = [
  generated,
  moonpackEmitted,
  { ...moonpackClosures, title: "moonpack as it comes in pages" },
  avscOwned,
  avscShared,
  seqprotoOwned,
  seqprotoShared,
  kiwi,
  protobufJs,
  protobufEs,
  pbf,
  msgpackrRecords,
  { ...json, title: "JSON + TextEncoder, TextDecoder" },
];

const workloads: Readonly<Record<string, { workload: Workload; functions: Readonly<Record<string, unknown>> }>> = {
  player: { workload: player, functions: emittedPlayer },
  hn: { workload: hn, functions: emittedHn },
};

/** PCK: every candidate must read back the values that it wrote. */
export async function preparePck({ row }: Job): Promise<PageRace> {
  const { workload, functions } = workloads[row.message]!;
  const stories = (await documentOf("hn")) as readonly Story[];
  const { name } = workload.schema;
  const emitted: Codec = {
    encode: functions[`encode${name}Shared`] as Codec["encode"],
    decode: functions[`decode${name}`] as Codec["decode"],
  };
  const all = ready(candidatesOf(row.operation), workload, workload.values(stories), emitted);
  verify(all, workload);
  const contestants = all.map((each) => contestant(each, row.operation));
  const entrants = all.map((each): Entrant => {
    const { id, title, ours } = each.candidate;
    return { id, title, role: id === generated.id ? "ours" : ours ? "variant" : id === json.id ? "text" : "binary" };
  });
  return { entrants, contestants, bytes: contestants[0]!.bytes };
}

function candidatesOf(operation: Operation): Candidate[] {
  return candidates.filter(({ only }) => (only ?? operation) === operation);
}
