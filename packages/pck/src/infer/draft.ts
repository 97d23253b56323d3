/** A schema while it is inferred. Drafts refer to groups of objects, since data may be recursive. */
import type { DocumentType } from "../document/document.js";
import type { OmitFlag } from "../schema/field.js";

/** A type that is being inferred. */
export type Draft =
  /** A type without other types in it. */
  | { readonly kind: "plain"; readonly type: DocumentType }
  | { readonly kind: "array"; readonly element: Draft; readonly length: number | undefined }
  | { readonly kind: "map"; readonly key: DocumentType; readonly value: Draft }
  | { readonly kind: "nullable"; readonly value: Draft }
  | { readonly kind: "struct"; readonly struct: StructDraft }
  | {
      readonly kind: "union";
      readonly discriminator: string;
      readonly arms: readonly (readonly [name: string, struct: StructDraft])[];
    }
  /** The type of a group, which may still be in work: a group that contains itself. */
  | { readonly kind: "group"; readonly group: Group };

/** A struct that is being inferred. */
export interface StructDraft {
  /** The text that its name is made from. */
  readonly stem: string;
  readonly fields: readonly FieldDraft[];
  /**
   * The objects that it is made of, if objects of other places may be added: none for the root, for an arm of a union, and for a
   * struct that lacks a field because of a problem.
   */
  readonly objects: ReadonlySet<SampleObject> | undefined;
}

/** A field that is being inferred. */
export interface FieldDraft {
  readonly name: string;
  readonly type: Draft;
  readonly omit: readonly OmitFlag[];
  readonly doc: string;
}

/** The comment of a field whose samples have no value, so that its type is a guess. */
export const GUESS = "The samples have no value here: the type is a guess.";

/** An object of the samples. */
export type SampleObject = Readonly<Record<string, unknown>>;

/** The objects that share one type: the objects of one place, and similar objects below it. */
export interface Group {
  readonly objects: Set<SampleObject>;
  /** The kinds of each property of the objects. */
  readonly kinds: Map<string, number>;
  /** How to get from an object to those below it that belong to the group, by the text of the route. */
  readonly routes: Map<string, Route>;
  /** The number of steps from a sample to the group. */
  readonly depth: number;
  /** The discriminator if the group is a union, and its values. */
  discriminator: string | undefined;
  arms: Set<unknown>;
  /** True if its objects are dictionaries: its type is a map, which has no name. */
  isDictionary: boolean;
  /** The type, once it is known. */
  type: Draft | undefined;
  /** True once objects have come that its type was not made of. */
  hasGrown: boolean;
}

/** Steps from one object down to others: a property, any element of a list, any value of a map. */
export type Route = readonly (string | typeof ELEMENT | typeof ENTRY)[];
/** The step to the elements of a list. */
export const ELEMENT = 0;
/** The step to the values of a Map, or of an object whose keys are data. */
export const ENTRY = 1;

/** Returns the draft without groups around it. */
export function settled(draft: Draft): Exclude<Draft, { kind: "group" }> {
  let inner = draft;
  while (inner.kind === "group") inner = inner.group.type!;
  return inner;
}

/** True for a struct without fields, which takes no bytes. */
export function isEmptyStruct(draft: Draft): boolean {
  // A group in work contains itself, so that it has a field.
  if (draft.kind === "group") return draft.group.type !== undefined && isEmptyStruct(draft.group.type);
  return draft.kind === "struct" && draft.struct.fields.length === 0;
}
