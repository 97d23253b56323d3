// The bytes of a field of Protobuf one by one: its tag, varints in groups of seven bits, and little-endian numbers.
import { type BytePart, bitsOf, digitsOf, PartWriter, varint } from "./part-writer.ts";

const WIRE_TYPES = ["a varint", "64 bits", "bytes with a length", "a group begins", "the group ends", "32 bits"];

/** Explains the bytes from `from` to `to`, a field that was read without an error. */
export function protobufParts(bytes: Uint8Array, from: number, to: number): BytePart[] {
  if (to <= from) return [];
  const tag = varint(bytes, from, to);
  const wire = Number(tag.value & 7n);
  const writer = new PartWriter(bytes, from);
  writer.add(
    tag.end,
    `tag: field ${tag.value >> 3n}, wire type ${wire}, ${WIRE_TYPES[wire]}`,
    tag.end === from + 1 ? bitsOf(bytes[from]!, 3) : digitsOf(bytes, from, tag.end),
  );
  if (wire === 0 || wire === 2) {
    writer.varint(to, (_, terms) => (wire === 2 ? `length: ${terms}` : terms));
    if (wire === 2 && writer.at < to) writer.add(to, "its content");
  } else if (wire === 1 || wire === 5) writer.add(to, "little-endian: the last byte is the highest");
  return writer.parts;
}
