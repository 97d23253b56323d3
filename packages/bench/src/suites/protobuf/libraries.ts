import { protobuf as version7 } from "@moonpack/protobufjs-7";
import { descriptorOf, protobuf as version8 } from "@moonpack/protobufjs-8";
import { attach } from "moonpack/protobuf";
import type { Schema } from "./schemas.js";

/** A message type with the code that protobuf.js generates for it. */
export interface GeneratedType {
  encode(message: object, writer?: unknown): { finish(): Uint8Array };
  decode(reader: unknown): object;
}

/** What is used of a version of protobuf.js. */
export type ProtobufJs = typeof version8;

/** Both versions: what is used of them is the same, their types differ in details. */
export const libraries: Readonly<Record<7 | 8, ProtobufJs>> = { 7: version7 as unknown as ProtobufJs, 8: version8 };

/** A schema for protobuf-es: an encoded FileDescriptorProto. */
export const descriptor: (schema: Schema) => Uint8Array = ({ source }) => descriptorOf(source, "schema.proto");

type Type = InstanceType<ProtobufJs["Type"]>;

/** A type as protobuf.js sets it up. */
export function reflectedType(library: ProtobufJs, schema: Schema): GeneratedType {
  return parse(library, schema).lookupType(schema.type);
}

/** Unresolved, version 7 has not heard of `[packed = true]`. */
function parse(library: ProtobufJs, { source }: Schema): InstanceType<ProtobufJs["Root"]> {
  return library.parse(source, { keepCase: true }).root.resolveAll() as InstanceType<ProtobufJs["Root"]>;
}

/**
 * A type whose decoders take our Readers too. That is what `attach` does, but it would change the one Reader of the library, whose
 * own decoders are measured beside: so the class that these decoders know is a subclass, and that is attached.
 */
export function attachedType(library: ProtobufJs, schema: Schema): GeneratedType {
  const root = parse(library, schema);
  class AttachedReader extends library.Reader {}
  attach({ Writer: library.Writer, Reader: AttachedReader, util: library.util });
  for (const nested of root.nestedArray) {
    if (nested instanceof library.Type) setUp(library, nested, AttachedReader);
  }
  return root.lookupType(schema.type);
}

/** As `Type.setup` does it, but for the Reader. */
function setUp(library: ProtobufJs, type: Type, ReaderClass: unknown): void {
  type.setup();
  const scope = {
    Reader: ReaderClass,
    types: type.fieldsArray.map((field) => field.resolve().resolvedType),
    util: library.util,
    C: type.ctor,
  };
  type.decode = library.decoder(type)(scope) as unknown as Type["decode"];
}
