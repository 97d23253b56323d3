import { ascii, schema, utf8 } from "@moonpack/pck";
import { Random, times } from "../../../workloads/random.js";
import {
  type PlayerMessage,
  playerAvro,
  playerFields,
  playerKiwi,
  playerKiwiTypes,
  playerProto,
  playerProtoTypes,
  randomPlayer,
  readPlayer,
  writePlayer,
} from "./player.js";
import { avroRecord, byHand, type Workload } from "./workload.js";

interface MixedMessage extends PlayerMessage {
  readonly id: string;
  readonly name: string;
}

const COUNT = 256;
const NAMES = ["Ada", "Zoë", "Łukasz", "Margaret", "José", "花子", "Edsger", "Grace Hopper"];

/** A record of text and numbers: a player with an id and a name. */
export const mixed: Workload = {
  id: "mixed",
  title: "mixed record",
  schema: schema("Mixed", ascii("id", 24), utf8("name"), ...playerFields),
  proto: `syntax = "proto3";${playerProtoTypes}\nmessage Message { string id = 1; string name = 2;${playerProto(3)}\n}`,
  avro: avroRecord("Message", { id: "string", name: "string", ...playerAvro }),
  kiwi: `${playerKiwiTypes} struct Message { string id; string name; ${playerKiwi} }`,
  seqproto: byHand<MixedMessage>(
    (ser, message) => {
      ser.serializeString(message.id);
      ser.serializeString(message.name);
      writePlayer(ser, message);
    },
    (des) => {
      const id = des.deserializeString();
      const name = des.deserializeString();
      const { health, jumping, position, attributes } = readPlayer(des);
      return { id, name, health, jumping, position, attributes };
    },
  ),
  values() {
    const random = new Random(23);
    return times(COUNT, (): MixedMessage => {
      const { health, jumping, position, attributes } = randomPlayer(random);
      return { id: random.hex(24), name: random.pick(NAMES), health, jumping, position, attributes };
    });
  },
};
