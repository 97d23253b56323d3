/** Schemas: the fields of a struct, in the order of their declaration. */
import { isInstance, MoonpackError } from "moonpack/bytes";
import { Field, type FieldList, type FlatFields, type StructIn, type StructOut } from "./field.js";
import type { Typed } from "./infer.js";

/**
 * The schema of a struct, for `codec`, `fingerprint`, `resolve` and `emit`. Made by {@link schema}; two schemas with
 * equal fields are different structs.
 *
 * @example
 * interface Node { value: number; next: Node | null }
 * const Node: Schema<Node> = schema("Node", ivar("value"), omitNull(ref("next", () => Node)));
 */
export class Schema<Out = unknown, In = Out> implements Typed<Out, In> {
  /** Returns true for instances of every copy of @moonpack/pck in the process. */
  static [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: a subclass tests for its own instances.
    return isInstance(this, value);
  }
  /** @internal */
  static get brand(): symbol {
    return Symbol.for("@moonpack/pck.Schema");
  }
  /** For TypeScript only; never set. */
  declare readonly "~types"?: { readonly out: Out; readonly in: (value: In) => void };
  /** Name in documents and emitted code; "" for none. */
  readonly name: string;
  /** The fields, in the order of their declaration. */
  readonly fields: readonly Field[];
  /** Comment for readers of emitted code; "" for none. */
  readonly doc: string;

  /** @internal */
  constructor(name: string, fields: readonly Field[], doc = "") {
    this.name = name;
    this.fields = Object.freeze([...fields]);
    this.doc = doc;
    Object.freeze(this);
  }
}

/** Any schema. */
export type AnySchema = Schema<unknown, never>;

/**
 * Returns a schema with these fields. Lists of fields may be nested and contain null: they are flattened, and nulls are
 * dropped. A schema is checked at its first use (`ERR_SCHEMA`), since it may refer to schemas that are declared later.
 *
 * @example
 * const Player = schema("Player", ivar("health"), bool("jumping"), ref("position", Point));
 */
export function schema<const Fields extends FieldList>(
  name: string,
  ...fields: Fields
): Schema<StructOut<FlatFields<Fields>>, StructIn<FlatFields<Fields>>>;
/** Returns a schema without a name. */
export function schema<const Fields extends FieldList>(
  ...fields: Fields
): Schema<StructOut<FlatFields<Fields>>, StructIn<FlatFields<Fields>>>;
export function schema(...list: readonly unknown[]): AnySchema {
  const isNamed = typeof list[0] === "string";
  const fields: Field[] = [];
  flatten(isNamed ? list.slice(1) : list, fields, 0);
  return new Schema<unknown, never>(isNamed ? (list[0] as string) : "", fields);
}

/** Limit of nested lists, for a list that contains itself. */
const MAX_NESTING = 64;

function flatten(list: readonly unknown[], fields: Field[], depth: number): void {
  if (depth > MAX_NESTING) throw new MoonpackError("ERR_SCHEMA", "lists of fields are nested too deeply");
  for (const item of list) {
    if (item instanceof Field) fields.push(item);
    else if (Array.isArray(item)) flatten(item, fields, depth + 1);
    else if (item !== null)
      throw new MoonpackError("ERR_SCHEMA", "a schema must consist of fields, lists of fields and null");
  }
}
