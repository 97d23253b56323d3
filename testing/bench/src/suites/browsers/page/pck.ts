import { codec } from "@moonpack/pck";
import { codeGeneration } from "@moonpack/pck/codegen";
import type { Operation } from "../../../types.js";
import type { Candidate } from "../../pck/candidates/candidate.js";
import { json } from "../../pck/candidates/json.js";
import { kiwi } from "../../pck/candidates/kiwi.js";
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

const workloads: Readonly<Record<string, Workload>> = { player, hn };

/** PCK: every candidate must read back the values that it wrote. */
export async function preparePck({ row }: Job): Promise<PageRace> {
  const workload = workloads[row.message]!;
  const stories = (await documentOf("hn")) as readonly Story[];
  const all = ready(candidatesOf(row.operation), workload, workload.values(stories), undefined);
  verify(all, workload);
  const contestants = all.map((each) => contestant(each, row.operation));
  const entrants = all.map((each): Entrant => {
    const { id, title, ours } = each.candidate;
    return { id, title, role: ours ? "ours" : id === json.id ? "text" : "binary" };
  });
  return { entrants, contestants, bytes: contestants[0]!.bytes };
}

function candidatesOf(operation: Operation): Candidate[] {
  return candidates.filter(({ only }) => (only ?? operation) === operation);
}
