import { Reader, Writer } from "@moonpack/protobuf";
import { protobufEs } from "./es.js";
import { attachedType, libraries, reflectedType } from "./libraries.js";
import { pbf } from "./pbf.js";
import { type Schema, schemaOf } from "./schemas.js";

/** A library prepared for one message type. */
export interface Codec {
  encode(message: object): Uint8Array;
  decode(bytes: Uint8Array): object;
}

/** A library, or moonpack in its place. */
export interface Candidate {
  readonly id: string;
  readonly title: string;
  /** The version whose generated code moonpack runs in, and with which it is compared. */
  readonly rival?: string;
  /** The library has its own messages, created from plain values of protobuf.js. */
  readonly prepare?: (value: object, schema: Schema) => object;
  create(schema: Schema): Codec;
}

function protobufJs(version: 7 | 8): Candidate {
  return {
    id: `protobufjs-${version}`,
    title: `protobuf.js ${version}`,
    create(schema) {
      const type = reflectedType(libraries[version], schema);
      return { encode: (message) => type.encode(message).finish(), decode: (bytes) => type.decode(bytes) };
    },
  };
}

function moonpack(version: 7 | 8): Candidate {
  return {
    id: `moonpack-${version}`,
    title: `moonpack in protobuf.js ${version}`,
    rival: `protobufjs-${version}`,
    create(schema) {
      const type = attachedType(libraries[version], schema);
      return {
        encode: (message) => type.encode(message, new Writer()).finish(),
        decode: (bytes) => type.decode(new Reader(bytes)),
      };
    },
  };
}

/** All candidates. The first is the reference for the others' values. */
export const candidates: readonly Candidate[] = [
  protobufJs(8),
  moonpack(8),
  protobufJs(7),
  moonpack(7),
  protobufEs,
  pbf,
];

/** A candidate with its codec and a message for it. */
export interface Ready {
  readonly candidate: Candidate;
  readonly schema: Schema;
  readonly codec: Codec;
  readonly message: object;
}

/** Prepares all candidates for one message. */
export function ready(size: "small" | "large", value: object): Ready[] {
  return candidates.map((candidate, index) => {
    const schema = schemaOf(size, `P${index}`);
    const codec = candidate.create(schema);
    return { candidate, schema, codec, message: candidate.prepare?.(value, schema) ?? value };
  });
}

/** The same codecs for another message. */
export function readyFor(value: object, all: readonly Ready[]): Ready[] {
  return all.map((each) => ({ ...each, message: each.candidate.prepare?.(value, each.schema) ?? value }));
}
