import { bool, ivar, ref, schema, u8 } from "@moonpack/pck";
import type { Des, Ser } from "seqproto";
import { Random, times } from "../../../workloads/random.js";
import { avroRecord, byHand, type Workload } from "./workload.js";

const Position = schema("Position", ivar("x"), ivar("y"));
const Attributes = schema("Attributes", u8("str"), u8("agi"), u8("int"));

/** Fields that a player and a longer record share. */
export const playerFields = [
  ivar("health"),
  bool("jumping"),
  ref("position", Position),
  ref("attributes", Attributes),
] as const;

/** The same in proto3, numbered from `first` on, and the types that they need. */
export const playerProto = (first: number) => `
  sint32 health = ${first};
  bool jumping = ${first + 1};
  Position position = ${first + 2};
  Attributes attributes = ${first + 3};`;
export const playerProtoTypes = `
message Position { sint32 x = 1; sint32 y = 2; }
message Attributes { uint32 str = 1; uint32 agi = 2; uint32 int = 3; }`;

export const playerAvro = {
  health: "int",
  jumping: "boolean",
  position: avroRecord("Position", { x: "int", y: "int" }),
  attributes: avroRecord("Attributes", { str: "int", agi: "int", int: "int" }),
} as const;

export const playerKiwi = "int health; bool jumping; Position position; Attributes attributes;";
export const playerKiwiTypes = "struct Position { int x; int y; } struct Attributes { byte str; byte agi; byte int; }";

/** A player's values. */
export interface PlayerMessage {
  readonly health: number;
  readonly jumping: boolean;
  readonly position: { readonly x: number; readonly y: number };
  readonly attributes: { readonly str: number; readonly agi: number; readonly int: number };
}

/** Unsigned words are the fastest in seqproto; `| 0` restores signed numbers. */
export function writePlayer(ser: Ser, { health, jumping, position, attributes }: PlayerMessage): void {
  ser.serializeUInt32(health);
  ser.serializeBoolean(jumping);
  ser.serializeUInt32(position.x);
  ser.serializeUInt32(position.y);
  ser.serializeUInt32(attributes.str);
  ser.serializeUInt32(attributes.agi);
  ser.serializeUInt32(attributes.int);
}

/** Reads the output of {@link writePlayer}. */
export function readPlayer(des: Des): PlayerMessage {
  const health = des.deserializeUInt32() | 0;
  const jumping = des.deserializeBoolean();
  const x = des.deserializeUInt32() | 0;
  const y = des.deserializeUInt32() | 0;
  const str = des.deserializeUInt32();
  const agi = des.deserializeUInt32();
  return { health, jumping, position: { x, y }, attributes: { str, agi, int: des.deserializeUInt32() } };
}

/** A player that takes 8 bytes, like the example in the format's page. */
export function randomPlayer(random: Random): PlayerMessage {
  const coordinate = () => random.integer(-64, 63);
  const attribute = () => random.integer(0, 255);
  return {
    health: random.integer(64, 8191),
    jumping: random.chance(0.5),
    position: { x: coordinate(), y: coordinate() },
    attributes: { str: attribute(), agi: attribute(), int: attribute() },
  };
}

const COUNT = 256;

/** The smallest message: a game's player. */
export const player: Workload = {
  id: "player",
  title: "Player",
  schema: schema("Player", ...playerFields),
  proto: `syntax = "proto3";${playerProtoTypes}\nmessage Message {${playerProto(1)}\n}`,
  avro: avroRecord("Message", playerAvro),
  kiwi: `${playerKiwiTypes} struct Message { ${playerKiwi} }`,
  seqproto: byHand(writePlayer, readPlayer),
  values() {
    const random = new Random(19);
    const first: PlayerMessage = {
      health: 100,
      jumping: true,
      position: { x: 10, y: 20 },
      attributes: { str: 100, agi: 50, int: 10 },
    };
    return [first, ...times(COUNT - 1, () => randomPlayer(random))];
  },
};
