/** The schemas of the tests: a player as it is, as it was, and as no server knows it. */
import { pck } from "@moonpack/http";
import { bytes, map, omitEmpty, omitNull, schema, U32, UTF8, u8, u64, utf8, withDefault } from "@moonpack/pck";

export const PlayerV1 = schema("Player", utf8("name"), u8("level"));
export const Player = schema(
  "Player",
  utf8("name"),
  u8("level"),
  withDefault(u64("score"), 7n),
  omitNull(utf8("title")),
  omitEmpty(bytes("image")),
  omitEmpty(map("items", UTF8, U32)),
);
export const Stranger = schema("Player", utf8("name"), utf8("level"));

export const players = pck(Player, { older: [PlayerV1] });
export const oldPlayers = pck(PlayerV1);
export const strangers = pck(Stranger);

export const ADA = { name: "Ada", level: 3, score: 2n ** 60n, items: new Map([["key", 2]]) };
export const DECODED_ADA = { ...ADA, title: null, image: new Uint8Array(0) };
