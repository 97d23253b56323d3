/** Fields: a name, a type, and the values that make the field absent. */
import { isInstance } from "moonpack/bytes";
import type { Infer, InferInput, Typed } from "./infer.js";
import type { Type } from "./types.js";

/** A value that makes a field absent: null or undefined, an empty value, or 0. */
export type OmitFlag = "null" | "empty" | "zero";

/** The properties of a field besides its name and type. */
export interface Modifiers {
  readonly omit: readonly OmitFlag[];
  readonly hasDefault: boolean;
  readonly fallback: unknown;
  readonly renamed: readonly string[];
  readonly doc: string;
}

const PLAIN: Modifiers = { omit: [], hasDefault: false, fallback: undefined, renamed: [], doc: "" };

/** A field of a struct, made by `u8("x")` and its like. It never changes: modifiers return a new field. */
export class Field<Name extends string = string, Out = unknown, In = never, Optional extends boolean = boolean>
  implements Typed<Out, In>
{
  /** Returns true for instances of every copy of @moonpack/pck in the process. */
  static [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: a subclass tests for its own instances.
    return isInstance(this, value);
  }
  /** @internal */
  static get brand(): symbol {
    return Symbol.for("@moonpack/pck.Field");
  }
  /** For TypeScript only; never set. */
  declare readonly "~types"?: { readonly out: Out; readonly in: (value: In) => void };
  /** For TypeScript only; never set. */
  declare readonly "~optional"?: Optional;
  readonly name: Name;
  readonly type: Type<Out, In>;
  /** The values that make the field absent; an empty list for a required field. */
  readonly omit: readonly OmitFlag[];
  /** True if the field has a default, for bytes of a schema without it. */
  readonly hasDefault: boolean;
  /** The default, if there is one. */
  readonly fallback: unknown;
  /** Names of the field in older schemas. */
  readonly renamed: readonly string[];
  /** Comment for readers of emitted code; "" for none. */
  readonly doc: string;

  /** @internal */
  constructor(name: Name, type: Type<Out, In>, modifiers: Modifiers = PLAIN) {
    this.name = name;
    this.type = type;
    this.omit = Object.freeze([...modifiers.omit]);
    this.hasDefault = modifiers.hasDefault;
    this.fallback = modifiers.fallback;
    this.renamed = Object.freeze([...modifiers.renamed]);
    this.doc = modifiers.doc;
    Object.freeze(this);
  }
}

/** The arguments of {@link schema}: fields, nulls, and lists of both. */
export type FieldList = readonly (Field | null | FieldList)[];

/** The union of all fields in a list. TypeScript sees fields in up to 8 nested lists. */
export type FlatFields<List, Depth extends readonly unknown[] = []> = List extends readonly (infer Item)[]
  ? Item extends readonly unknown[]
    ? Depth["length"] extends 8
      ? never
      : FlatFields<Item, readonly [...Depth, 0]>
    : Extract<Item, Field>
  : never;

// `extends infer T ? {..}` makes one object type without a name, whose properties editors and errors show.

/** The type of a decoded struct with these fields. */
export type StructOut<Fields extends Field> = { [F in Fields as F["name"]]: Infer<F> } extends infer T
  ? { [K in keyof T]: T[K] }
  : never;

/** The type of a struct to encode with these fields. */
export type StructIn<Fields extends Field> = {
  readonly [F in Exclude<Fields, { readonly "~optional"?: true }> as F["name"]]: InferInput<F>;
} & {
  readonly [F in Extract<Fields, { readonly "~optional"?: true }> as F["name"]]?: InferInput<F> | undefined;
} extends infer T
  ? { [K in keyof T]: T[K] }
  : never;

/** A default in the JSON form of documents. */
export class JsonDefault {
  readonly json: unknown;
  constructor(json: unknown) {
    this.json = json;
  }
}
