import { schema, utf8 } from "moonpack/pck";
import { Random, times } from "../../../workloads/random.js";
import { avroRecord, byHand, type Workload } from "./workload.js";

interface TextMessage {
  readonly text: string;
}

const ASCII = "eeeeeeetttttaaaaooooiiiinnnnssshhhrrrdddlluuccmmwwffggyyppbbvk      ,.";
/** What V8 keeps in a byte a character, and UTF-8 in two where it is not ASCII. */
const LATIN = `${ASCII}éèàçü`;

/** Characters of one script; joined, so that the string is flat. */
const scripts = [
  { id: "ascii", title: "ASCII", character: (random: Random) => random.pick([...ASCII]) },
  { id: "latin", title: "Latin", character: (random: Random) => random.pick([...LATIN]), isExtra: true },
  {
    id: "cjk",
    title: "CJK",
    character: (random: Random) => String.fromCharCode(random.integer(0x4e00, 0x9f8d)),
  },
] as const;

/** In characters. Several of each, so that no decoder sees one text all the time. */
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
