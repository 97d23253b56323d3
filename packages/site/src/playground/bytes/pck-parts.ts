// The bytes of an item of a PCK container one by one: bits, varints in groups of seven bits, and little-endian numbers.
import { shownText } from "../shared/shown.ts";
import { floatText } from "./float-bits.ts";
import type { ItemStore } from "./item-store.ts";
import { type BytePart, big, bitsOf, count, digitsOf, PartWriter } from "./part-writer.ts";
import { kindOf, type PckTypes, type StructBits, type TypeAt } from "./pck-types.ts";

/** The format of an item that is a bit of its container's bytes. */
const BIT = /^(bool|absent) bit (\d)$/;
const MAGIC = 3;

/** Explains the bytes of an item that was read without an error. `types`: undefined if the schema was not read. */
export function pckParts(bytes: Uint8Array, store: ItemStore, item: number, types: PckTypes | undefined): BytePart[] {
  const [from, to] = [store.offset(item), store.end(item)];
  const { format, meaning } = store.texts(item)!;
  const [, bit, index] = BIT.exec(format) ?? [];
  if (bit !== undefined) return [bitPart(bytes, from, Number(index), bit === "bool" ? meaning : `absent, ${meaning}`)];
  const writer = new PartWriter(bytes, from);
  const head = HEADS.get(format);
  if (head !== undefined) head(writer, to);
  else if (types !== undefined && format !== "begun") new ValueParts(writer, store, item, types).add(bytes, to, format);
  return writer.parts;
}

function bitPart(bytes: Uint8Array, at: number, bit: number, text: string): BytePart {
  const value = (bytes[at]! >> bit) & 1;
  return {
    from: at,
    to: at + 1,
    digits: bitsOf(bytes[at]!),
    text: `bit ${bit} (0 is the right one) is ${value}: ${text}`,
  };
}

/** The parts of the head of a container. */
const HEADS: ReadonlyMap<string, (writer: PartWriter, to: number) => void> = new Map([
  [
    "container",
    (writer, to) => {
      writer.add(Math.min(to, writer.at + MAGIC), "PCK in ASCII");
      if (writer.at < to) writer.add(to, "version 1");
    },
  ],
  [
    "schema",
    (writer, to) => {
      writer.varint(to, (_, terms) => `length: ${terms}`);
      writer.add(to, "the schema document, JSON in UTF-8");
    },
  ],
  ["fingerprint", (writer, to) => writer.add(to, "eight bytes by which programs know the schema")],
]);

/** Adds the parts of one value. */
class ValueParts {
  readonly #writer: PartWriter;
  readonly #store: ItemStore;
  readonly #item: number;
  readonly #types: PckTypes;

  constructor(writer: PartWriter, store: ItemStore, item: number, types: PckTypes) {
    this.#writer = writer;
    this.#store = store;
    this.#item = item;
    this.#types = types;
  }

  add(bytes: Uint8Array, to: number, format: string): void {
    const writer = this.#writer;
    const found = this.#types.at(this.#item);
    const { isFlagged } = found;
    if (format === "value") writer.varint(to, (length) => `length of the message: ${count(Number(length), "byte")}`);
    if (isFlagged) writer.add(writer.at + 1, bytes[writer.at] === 0 ? "null" : "not null");
    // The flag of null is all.
    if (isFlagged && writer.at === to) return;
    this.#value(bytes, to, found);
  }

  #value(bytes: Uint8Array, to: number, found: TypeAt): void {
    const writer = this.#writer;
    const { type } = found;
    const kind = kindOf(type);
    const { meaning } = this.#store.texts(this.#item)!;
    const hasLength = typeof type === "object" && Object.hasOwn(type, kind === "array" ? "length" : kind);
    switch (kind) {
      case "bool":
        writer.add(to, meaning);
        break;
      case "uvar":
      case "uvar64":
        writer.varint(to, (_, terms) => terms);
        break;
      case "ivar":
      case "ivar64":
        writer.varint(to, zigzagText);
        break;
      case "enumeration":
        writer.varint(to, (index) => `name ${index}, from 0: ${shownText(meaning)}`);
        break;
      case "bytes":
      case "utf8":
      case "ascii":
        if (!hasLength)
          writer.varint(to, (length, terms) => `length: ${length < 128n ? count(Number(length), "byte") : terms}`);
        if (writer.at < to) writer.add(to, CONTENT[kind]);
        break;
      case "array":
        if (!hasLength)
          writer.varint(to, (length, terms) => `${length < 128n ? count(Number(length), "element") : terms}`);
        if (writer.at < to) writer.add(to, "a bit for each element, from the right: 1 is true, or not null");
        break;
      case "map":
        writer.varint(
          to,
          (length, terms) => `${length < 128n ? (length === 1n ? "1 entry" : `${length} entries`) : terms}`,
        );
        break;
      case "union":
        writer.varint(to, (index) => `arm ${index}, from 0: ${shownText(meaning)}`);
        this.#bits(bytes, to, this.#types.structOf(found, this.#item));
        break;
      case "ref":
        this.#bits(bytes, to, this.#types.structOf(found, this.#item));
        break;
      default:
        writer.add(to, numberText(bytes, writer.at, to, kind));
    }
  }

  /** The bit store of a struct: a part for each byte. */
  #bits(bytes: Uint8Array, to: number, struct: string): void {
    const all = this.#types.bitsOf(struct);
    const writer = this.#writer;
    for (let first = 0; writer.at < to && first < MAX_BITS; first += 8)
      writer.add(writer.at + 1, bitsText(bytes[writer.at]!, first, all), bitsOf(bytes[writer.at]!));
    if (writer.at < to) writer.add(to, "the bits of further fields");
  }
}

/** Bits of a struct that are explained one by one. */
const MAX_BITS = 128;

const CONTENT = { bytes: "its bytes", utf8: "its text in UTF-8", ascii: "its text in ASCII" } as const;

/** The bits of a byte, from the lowest. `first`: the number of its lowest bit in the store. */
function bitsText(byte: number, first: number, { optionals, bools }: StructBits): string {
  const texts: string[] = [];
  for (let bit = 0; bit < 8 && first + bit < optionals.length + bools.length; bit++) {
    const at = first + bit;
    const isSet = ((byte >> bit) & 1) === 1;
    const isOptional = at < optionals.length;
    const name = shownText(isOptional ? optionals[at]! : bools[at - optionals.length]!);
    texts.push(`${name} ${isOptional ? (isSet ? "is present" : "is absent") : `= ${isSet}`}`);
  }
  return `from the right: ${texts.join(", ")}`;
}

function zigzagText(value: bigint, terms: string): string {
  const signed = (value & 1n) === 0n ? value >> 1n : -(value >> 1n) - 1n;
  const rule = signed < 0n ? `odd, so −(${big(value)} + 1) / 2` : `even, so ${big(value)} / 2`;
  return `${terms}; ${rule} = ${big(signed)}`;
}

/** A number of fixed width, whose first byte is the lowest. */
function numberText(bytes: Uint8Array, from: number, to: number, kind: string): string {
  const size = to - from;
  const turned = bytes.slice(from, to).reverse();
  if (kind.startsWith("f")) return `from its last byte: ${floatText(turned, 0, size)}`;
  const value = BigInt(`0x${digitsOf(turned, 0, size, "")}`);
  const before = size === 1 ? "" : `from its last byte: 0x${digitsOf(turned, 0, size, "")} = `;
  const signed = kind.startsWith("i") ? BigInt.asIntN(8 * size, value) : value;
  const rule = signed < 0n ? `; its highest bit is 1, so 2^${8 * size} is taken off: ${big(signed)}` : "";
  return `${before}${big(value)}${rule}`;
}
