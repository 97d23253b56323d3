import { attach } from "@moonpack/protobuf";
import { protobuf as version7 } from "@moonpack/protobufjs-7";
import { descriptorOf, protobuf as version8 } from "@moonpack/protobufjs-8";
import type { Schema } from "./schemas.js";

/** A message type with the code that protobuf.js generates for it. */
export interface GeneratedType {
  encode(message: object, writer?: unknown): { finish(): Uint8Array };
  decode(reader: unknown): object;
}

/** The parts of protobuf.js that are used. */
export type ProtobufJs = typeof version8;

/** Both versions: their types differ in details, but not in the parts that are used. */
export const libraries: Readonly<Record<7 | 8, ProtobufJs>> = { 7: version7 as unknown as ProtobufJs, 8: version8 };

/** A schema for protobuf-es: an encoded FileDescriptorProto. */
export const descriptor: (schema: Schema) => Uint8Array = ({ source }) => descriptorOf(source, "schema.proto");

type Type = InstanceType<ProtobufJs["Type"]>;

/** A type with protobuf.js's own Writer and Reader. */
export function reflectedType(library: ProtobufJs, schema: Schema): GeneratedType {
  return setUp(library, schema, library.Reader);
}

/**
 * A type whose decoders accept our Readers too. `attach` does that, but it would change the library's only Reader, whose own
 * decoders are also measured. The decoders here know a subclass instead, and moonpack is attached to that.
 */
export function attachedType(library: ProtobufJs, schema: Schema): GeneratedType {
  class AttachedReader extends library.Reader {}
  attach({ Writer: library.Writer, Reader: AttachedReader, util: library.util });
  return setUp(library, schema, AttachedReader);
}

function setUp(library: ProtobufJs, { source, type: name }: Schema, ReaderClass: unknown): GeneratedType {
  // Without this, version 7 ignores `[packed = true]`.
  const root = library.parse(source, { keepCase: true }).root.resolveAll() as InstanceType<ProtobufJs["Root"]>;
  for (const type of root.nestedArray) {
    if (!(type instanceof library.Type)) continue;
    type.setup();
    const types = type.fieldsArray.map((field) => field.resolve().resolvedType);
    const scope = { Writer: library.Writer, Reader: ReaderClass, types, util: library.util, C: type.ctor };
    type.encode = compiled(library.encoder(type), scope, type.name) as Type["encode"];
    type.decode = compiled(library.decoder(type), scope, type.name) as Type["decode"];
  }
  return root.lookupType(name);
}

/**
 * Compiled like `Type.setup`, but with a unique text: version 8 does not name its functions, and functions with the same text
 * share V8's feedback on their call sites (see `schemaOf`).
 */
function compiled(generator: unknown, scope: object, name: string): unknown {
  return new Function(...Object.keys(scope), `return ${String(generator)} // ${name}`)(...Object.values(scope));
}
