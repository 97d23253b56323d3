import type { Operation } from "../../../types.js";
import { avscOwned, avscShared } from "./avsc.js";
import type { Candidate } from "./candidate.js";
import { json } from "./json.js";
import { kiwi } from "./kiwi.js";
import { moonpack, moonpackClosures, moonpackEmitted, moonpackKept } from "./moonpack.js";
import { msgpackrRecords } from "./msgpackr.js";
import { pbf, protobufEs, protobufJs } from "./protobuf.js";
import { seqprotoOwned, seqprotoShared } from "./seqproto.js";

/** All candidates, in the order of the tables. The others are compared with the first. */
export const candidates: readonly Candidate[] = [
  moonpack,
  moonpackKept,
  moonpackEmitted,
  moonpackClosures,
  json,
  avscOwned,
  avscShared,
  seqprotoOwned,
  seqprotoShared,
  kiwi,
  protobufJs,
  protobufEs,
  pbf,
  msgpackrRecords,
];

/** The candidates in one direction. */
export function candidatesOf(operation: Operation): Candidate[] {
  return candidates.filter(({ only }) => (only ?? operation) === operation);
}
