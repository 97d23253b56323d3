import { array, F64, schema, type Type, U32, UVAR } from "@moonpack/pck";
import type { Des, Ser } from "seqproto";
import { Random, times } from "../../../workloads/random.js";
import { avroRecord, type ByHand, byHand, type Workload } from "./workload.js";

interface NumbersMessage {
  readonly numbers: readonly number[];
}

const LENGTH = 10_000;
const COUNT = 4;

const writeWord = (ser: Ser, word: number) => ser.serializeUInt32(word);
const readWord = (des: Des) => des.deserializeUInt32();
const words: ByHand = byHand<NumbersMessage>(
  (ser, { numbers }) => ser.serializeArray(numbers as number[], writeWord),
  (des) => ({ numbers: des.deserializeArray(readWord) }),
);

/** A list of one type in each format. */
interface NumberTypes {
  readonly pck: Type<number, number>;
  readonly proto: string;
  readonly avro: "long" | "double";
  readonly kiwi?: string;
  readonly seqproto?: ByHand;
}

function list(id: string, title: string, types: NumberTypes, make: (random: Random) => number): Workload {
  const { pck, proto, avro, kiwi, seqproto } = types;
  return {
    id,
    title,
    schema: schema("Numbers", array("numbers", pck)),
    proto: `syntax = "proto3"; message Message { repeated ${proto} numbers = 1; }`,
    avro: avroRecord("Message", { numbers: { type: "array", items: avro } }),
    ...(kiwi === undefined ? {} : { kiwi: `struct Message { ${kiwi}[] numbers; }` }),
    ...(seqproto === undefined ? {} : { seqproto }),
    values() {
      const random = new Random(31);
      return times(COUNT, (): NumbersMessage => ({ numbers: times(LENGTH, () => make(random)) }));
    },
  };
}

/** 10,000 numbers: of all sizes up to 32 bits, mostly small, and with fractions. */
export const numbers: readonly Workload[] = [
  list(
    "integers",
    "10,000 integers of 32 bits",
    { pck: U32, proto: "fixed32", avro: "long", kiwi: "uint", seqproto: words },
    (random) => random.integer(0, 0xffff_ffff),
  ),
  list(
    "varints",
    "10,000 small integers",
    { pck: UVAR, proto: "uint32", avro: "long", kiwi: "uint", seqproto: words },
    (random) => Math.floor(2 ** (random.next() * 21)),
  ),
  list(
    "floats",
    "10,000 floats",
    { pck: F64, proto: "double", avro: "double" },
    (random) => random.next() * 2000 - 1000,
  ),
];
