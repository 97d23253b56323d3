import type { Operation } from "../../../types.js";
import { avscOwned, avscShared } from "./avsc.js";
import { json } from "./json.js";
import { kiwi } from "./kiwi.js";
import { moonpack, moonpackClosures, moonpackEmitted, moonpackKept } from "./moonpack.js";
import { msgpackrRecords } from "./msgpackr.js";
import type { Player } from "./player.js";
import { pbf, protobufEs, protobufJs } from "./protobuf.js";
import { seqprotoOwned, seqprotoShared } from "./seqproto.js";

/** All players, in the order of the tables. The others are compared with the first. */
export const players: readonly Player[] = [
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

/** The players in one direction. */
export function playersOf(operation: Operation): Player[] {
  return players.filter(({ only }) => (only ?? operation) === operation);
}
