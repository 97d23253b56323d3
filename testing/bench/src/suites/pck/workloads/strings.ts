import { schema, utf8 } from "@moonpack/pck";
import { Random, times } from "../../../workloads/random.js";
import { avroRecord, byHand, type Workload } from "./workload.js";

interface TextMessage {
  readonly text: string;
}

const ASCII = "eeeeeeetttttaaaaooooiiiinnnnssshhhrrrdddlluuccmmwwffggyyppbbvk      ,.";
/** Text that V8 stores with one byte per character, while UTF-8 needs two where it is not ASCII. */
const LATIN = `${ASCII}éèàçü`;

/** Characters of one script, joined to a flat string. */
const scripts = [
  { id: "ascii", title: "ASCII", character: (random: Random) => random.pick([...ASCII]) },
  { id: "latin", title: "Latin", character: (random: Random) => random.pick([...LATIN]), isExtra: true },
  {
    id: "cjk",
    title: "CJK",
    character: (random: Random) => String.fromCharCode(random.integer(0x4e00, 0x9f8d)),
  },
] as const;

/** Lengths in characters. There are several texts of each, so that no decoder always sees the same one. */
const LENGTHS = [
  { id: "8", characters: 8, count: 256 },
  { id: "50", characters: 50, count: 256, isExtra: true },
  { id: "3k", characters: 3000, count: 32, isExtra: true },
  { id: "90k", characters: 90_000, count: 4 },
] as const;

function text(script: (typeof scripts)[number], length: (typeof LENGTHS)[number]): Workload {
  const { characters, count } = length;
  return {
    id: `${script.id}-${length.id}`,
    title: `${script.title}, ${characters.toLocaleString("en-US")} characters`,
    isExtra: "isExtra" in script || "isExtra" in length,
    schema: schema("Text", utf8("text")),
    proto: `syntax = "proto3"; message Message { string text = 1; }`,
    avro: avroRecord("Message", { text: "string" }),
    kiwi: "struct Message { string text; }",
    seqproto: byHand<TextMessage>(
      (ser, message) => ser.serializeString(message.text),
      (des) => ({ text: des.deserializeString() }),
    ),
    values() {
      const random = new Random(29);
      return times(count, (): TextMessage => ({ text: times(characters, () => script.character(random)).join("") }));
    },
  };
}

/** One string in a message, in scripts of one, mostly one, and three bytes a character. */
export const strings: readonly Workload[] = scripts.flatMap((script) => LENGTHS.map((length) => text(script, length)));
