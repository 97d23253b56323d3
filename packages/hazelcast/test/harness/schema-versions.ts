/** A class in three versions, for programs of different ages. */
import { renamed, schema, u8, u16, utf8, withDefault } from "@moonpack/pck";
import { stored } from "../../src/index.ts";

export const PlayerV1 = schema("Player", utf8("nick"), u8("score"));
export const PlayerV2 = schema("Player", renamed(utf8("name"), "nick"), u16("score"), withDefault(u8("lives"), 3));
/** Incompatible with the others: its score is a string. */
export const IncompatiblePlayer = schema("Player", utf8("name"), utf8("score"), u8("lives"));

export const PLAYER = 1001;

export class OldPlayer extends stored(PLAYER, PlayerV1) {}

export class Player extends stored(PLAYER, PlayerV2, { older: [PlayerV1] }) {
  get isAlive(): boolean {
    return this.lives > 0;
  }
}

/** Reads only values of its current schema. */
export class StrictPlayer extends stored(PLAYER, PlayerV2) {}

/** A key: keys of one team are in one partition. */
export class PlayerKey extends stored(1002, schema("PlayerKey", utf8("team"), u8("id")), { key: true }) {
  get partitionKey(): string {
    return this.team;
  }
}
