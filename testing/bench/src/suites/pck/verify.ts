import type { AnySchema, Field, TypeShape } from "@moonpack/pck";
import { asReceived } from "../protobuf/inputs.js";
import { sameValue } from "../protobuf/verify.js";
import type { Ready } from "./ready.js";

/**
 * Throws unless every candidate reads back the values that it wrote. Messages of all libraries are compared as plain
 * values.
 */
export function verify(all: readonly Ready[], { schema }: { readonly schema: AnySchema }): void {
  for (const { candidate, codec, values, messages } of all) {
    for (let index = 0; index < messages.length; index++) {
      const bytes = asReceived(Uint8Array.from(codec.encode(messages[index]!)));
      if (!sameValue(plain(schema, codec.decode(bytes)), plain(schema, values[index]!))) {
        throw new Error(`${candidate.id} reads other values than it wrote`);
      }
    }
  }
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * The values of a schema's fields, whether a library has them on the object or on its prototype. An absent field may be null,
 * undefined or empty.
 */
function plain({ fields }: AnySchema, message: object): Fields {
  return Object.fromEntries(fields.map((field) => [field.name, plainField(field, (message as Fields)[field.name])]));
}

function plainField({ type, omit }: Field, value: unknown): unknown {
  const isAbsent = value === null || value === undefined || (value as { length?: number }).length === 0;
  return omit.includes("empty") && isAbsent ? null : plainValue(type, value);
}

function plainValue(type: TypeShape, value: unknown): unknown {
  if (type.kind === "array") return Array.from(value as ArrayLike<unknown>, (item) => plainValue(type.element, item));
  if (type.kind !== "ref") return value;
  return plain(typeof type.schema === "function" ? type.schema() : type.schema, value as object);
}
