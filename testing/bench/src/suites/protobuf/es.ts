import { create, createFileRegistry, type DescMessage, fromBinary, type Message, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import type { Candidate } from "./candidates.js";
import { descriptor } from "./libraries.js";
import type { Schema } from "./schemas.js";

/** protobuf-es with descriptors and its own messages. */
export const protobufEs: Candidate = {
  id: "protobuf-es",
  title: "protobuf-es",
  prepare: (value, schema) => toMessage(describe(schema), value as Fields),
  create(schema) {
    const type = describe(schema);
    return {
      encode: (message) => toBinary(type, message as Message),
      decode: (bytes) => fromBinary(type, bytes),
    };
  },
};

type Fields = Readonly<Record<string, unknown>>;

const described = new WeakMap<Schema, DescMessage>();

/** The descriptor of a schema, which messages are created for. */
function describe(schema: Schema): DescMessage {
  const known = described.get(schema);
  if (known !== undefined) return known;
  const file = fromBinary(FileDescriptorProtoSchema, descriptor(schema));
  // The descriptor marks every schema as proto3, where fields with their default value would be left out.
  file.syntax = "proto2";
  const found = createFileRegistry(file, () => undefined).getMessage(schema.type);
  if (found === undefined) throw new Error(`no type ${schema.type}`);
  described.set(schema, found);
  return found;
}

/** Converts to the library's names and 64-bit integers. */
function toMessage(type: DescMessage, value: Fields): Message {
  const fields: Record<string, unknown> = {};
  for (const field of type.fields) {
    const given = value[field.name];
    if (given === undefined) continue;
    const nested = field.message;
    const convert = (item: unknown) => (nested === undefined ? scalar(item) : toMessage(nested, item as Fields));
    fields[field.localName] = field.fieldKind === "list" ? (given as unknown[]).map(convert) : convert(given);
  }
  return create(type, fields);
}

function scalar(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("low" in value && "high" in value)) return value;
  return (BigInt(value.high as number) << 32n) | BigInt((value.low as number) >>> 0);
}
