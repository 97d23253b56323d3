// Properties that a schema may read: exports of @moonpack/pck, items of own lists and objects, and properties of schemas.

import { Schema } from "@moonpack/pck";
import type { MemberExpression } from "acorn";
import { isUser, PARTS, similar } from "./names.ts";
import { Namespace } from "./scope.ts";
import { OutsideError, SourceError, unsupported } from "./source-error.ts";

/** Readable properties of schemas. */
const OF_SCHEMAS: ReadonlySet<unknown> = new Set(["name", "fields", "doc"]);

/** The value of an export of `@moonpack/pck`. Throws for one that makes no schemas, and for one that does not exist. */
export function exportOf(name: string, node: { readonly start: number; readonly end: number }): unknown {
  if (PARTS.has(name)) return PARTS.get(name);
  if (isUser(name)) throw new OutsideError(`${name} is not here: it makes no schema.`, node);
  const known = similar(name);
  throw new SourceError(`@moonpack/pck exports no ${name}.${known === undefined ? "" : ` Is it ${known}?`}`, node);
}

/** The value of `object.key`, without any look at prototypes. */
export function member(node: MemberExpression, object: unknown, key: unknown): unknown {
  if (object instanceof Namespace && typeof key === "string") return exportOf(key, node.property);
  if (Array.isArray(object)) {
    if (key === "length") return object.length;
    if (Number.isInteger(key) && Object.hasOwn(object, key as number)) return object[key as number];
  } else if (isPlain(object) && typeof key === "string") {
    if (Object.hasOwn(object, key)) return object[key];
  } else if (object instanceof Schema && OF_SCHEMAS.has(key)) return object[key as "fields"];
  throw unsupported(`the property ${typeof key === "string" ? key.slice(0, 60) : String(key)} of this value`, node);
}

/** True for an object that the text has written as a literal. */
export function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
