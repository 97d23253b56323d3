/** A field: a name, a type, and when it is absent. */
import type { Typed } from "./infer.js";
import type { Type } from "./types.js";

/** When a field is absent: null or undefined, of length 0, or 0. */
export type OmitFlag = "null" | "empty" | "zero";

/** What a field has besides its name and type. */
export interface Modifiers {
  readonly omit: readonly OmitFlag[];
  readonly hasDefault: boolean;
  readonly fallback: unknown;
  readonly renamed: readonly string[];
  readonly doc: string;
}

const PLAIN: Modifiers = { omit: [], hasDefault: false, fallback: undefined, renamed: [], doc: "" };

/** A field of a struct. Made by `u8("x")` and its like; never changed, modifiers answer another one. */
export class Field<Name extends string = string, Out = unknown, In = never, Optional extends boolean = boolean>
  implements Typed<Out, In>
{
  declare readonly "~types"?: { readonly out: Out; readonly in: (value: In) => void };
  declare readonly "~optional"?: Optional;
  readonly name: Name;
  readonly type: Type<Out, In>;
  /** When it is absent; never for an empty list. */
  readonly omit: readonly OmitFlag[];
  /** Has it a default, for bytes of a schema without the field? */
  readonly hasDefault: boolean;
  readonly fallback: unknown;
  /** Names it had before. */
  readonly renamed: readonly string[];
  /** What it is for, for readers of emitted code; "" for nothing. */
  readonly doc: string;

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

/** Fields, lists of fields, nulls: what {@link schema} takes. */
export type FieldList = readonly (Field | null | FieldList)[];

/** The union of the fields in a list; what is nested deeper than 8 lists is not seen by TypeScript. */
export type FlatFields<List, Depth extends readonly unknown[] = []> = List extends readonly (infer Item)[]
  ? Item extends readonly unknown[]
    ? Depth["length"] extends 8
      ? never
      : FlatFields<Item, readonly [...Depth, 0]>
    : Extract<Item, Field>
  : never;

type Name<F> = F extends Field<infer N> ? N : never;
type Out<F> = F extends Typed<infer T, never> ? T : never;
type In<F> = F extends { readonly "~types"?: { readonly in: (value: infer T) => void } } ? T : never;
type IsOptional<F> = F extends { readonly "~optional"?: true } ? F : never;

/** What a struct of these fields reads as. */
export type StructOut<Fields> = Shown<{ [F in Fields as Name<F>]: Out<F> }>;
/** What it is written from. */
export type StructIn<Fields> = Shown<
  { readonly [F in Exclude<Fields, IsOptional<Fields>> as Name<F>]: In<F> } & {
    readonly [F in IsOptional<Fields> as Name<F>]?: In<F> | undefined;
  }
>;
/** One object type, without a name: editors and errors show its properties, not the type of every field. */
type Shown<T> = T extends infer U ? { [K in keyof U]: U[K] } : never;

/** A default in the JSON form, as documents have it. */
export class JsonDefault {
  readonly json: unknown;
  constructor(json: unknown) {
    this.json = json;
  }
}
