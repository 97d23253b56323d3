/**
 * A plan: how bytes of one schema (the writer's) become values of another (the reader's). It is data only: `resolve`
 * compiles it to closures, emitters to source code. Made by planner.ts (docs/pck-evolution.md).
 */
import type { Member, Node, NodeOf, Struct, UnionNode } from "../model/model.js";

export type { NodeOf } from "../model/model.js";

/** How bytes of a writer's struct become an object of the reader's struct. */
export interface StructPlan {
  readonly from: Struct;
  readonly to: Struct;
  /** The writer's fields, in the order of their bytes. */
  readonly fields: readonly FieldPlan[];
  /** The reader's fields that the writer lacks. */
  readonly added: readonly FilledMember[];
}

/** How a field of the writer is read. */
export interface FieldPlan {
  readonly from: Member;
  /** undefined for a field that is skipped. Its bytes are still checked. */
  readonly target: Target | undefined;
}

/** The reader's field that receives a field of the writer. */
export interface Target {
  readonly member: Member;
  readonly conversion: Conversion;
  /** The value where the writer's field is absent; undefined if that field is required. */
  readonly ifAbsent: Fill | undefined;
  /** The value for a name or arm that the reader lacks; undefined: decoding such bytes throws. */
  readonly ifUnknown: Fill | undefined;
}

/** How a value of type `from` is read and returned as type `to`. */
export type Conversion =
  | LeafConversion
  | EnumerationConversion
  | { readonly kind: "struct"; readonly from: NodeOf<"ref">; readonly to: NodeOf<"ref">; readonly plan: StructPlan }
  | UnionConversion
  | ListConversion
  | MapConversion
  /** Both types allow null. */
  | {
      readonly kind: "nullable";
      readonly from: NodeOf<"nullable">;
      readonly to: NodeOf<"nullable">;
      readonly value: Conversion;
    }
  /** Only the reader's type allows null. */
  | { readonly kind: "present"; readonly from: Node; readonly to: NodeOf<"nullable">; readonly value: Conversion };

/** A bool, number, text or bytes: the same value, in a type that holds at least the same values. */
export interface LeafConversion {
  readonly kind: "leaf";
  readonly from: Node;
  readonly to: Node;
}

/** An enumeration: the same name. */
export interface EnumerationConversion {
  readonly kind: "enumeration";
  readonly from: NodeOf<"enumeration">;
  readonly to: NodeOf<"enumeration">;
  /** The reader's index of each name of the writer; -1 for a name that the reader lacks. */
  readonly places: readonly number[];
}

/** A union: the arm of the same name. */
export interface UnionConversion {
  readonly kind: "union";
  readonly from: UnionNode;
  readonly to: UnionNode;
  /** The plan of each arm of the writer; undefined for an arm that the reader lacks. */
  readonly arms: readonly (ArmPlan | undefined)[];
}

/** An arm that both schemas have: the reader's index, and the plan of its struct. */
export interface ArmPlan {
  readonly place: number;
  readonly plan: StructPlan;
}

/** A list, element by element. The bits before the elements, if any, are the writer's. */
export interface ListConversion {
  readonly kind: "list";
  readonly from: NodeOf<"array">;
  readonly to: NodeOf<"array">;
  readonly element: Conversion;
}

/** A map, entry by entry. */
export interface MapConversion {
  readonly kind: "map";
  readonly from: NodeOf<"map">;
  readonly to: NodeOf<"map">;
  readonly key: Conversion;
  readonly value: Conversion;
  /** True if the reader sorts the keys in another order than the writer. Only enumerations do. */
  readonly isReordered: boolean;
}

/** The value of a field that is not in the bytes. It is made anew for each message. */
export type Fill =
  | { readonly kind: "null" | "false" }
  /** The 0 or the empty value of a type. */
  | { readonly kind: "zero" | "empty"; readonly type: Node }
  | { readonly kind: "default"; readonly member: Member }
  | { readonly kind: "struct"; readonly filled: FilledStruct };

/** A field and its value. */
export interface FilledMember {
  readonly member: Member;
  readonly fill: Fill;
}

/** A struct that has no bytes: all of its fields are filled. */
export interface FilledStruct {
  readonly struct: Struct;
  /** In the order of their declaration. */
  readonly members: readonly FilledMember[];
  /** Number of fields that are created, including the fields of its structs. */
  readonly fields: number;
}

/** A problem in reading a field. */
export interface Finding {
  /** The pair of structs in which it was found. */
  readonly plan: StructPlan;
  /** The reader's field. */
  readonly member: Member;
  /** "no": the schemas do not fit. "depends": decoding throws for a name or arm that the reader lacks. */
  readonly verdict: "no" | "depends";
  /** Describes the problem and names both schemas. */
  readonly text: string;
}

/** How bytes of one schema become values of another, and the problems in doing so. */
export interface Plan {
  readonly root: StructPlan;
  /** The plans of the root and of all pairs of structs that it reaches. */
  readonly structs: readonly StructPlan[];
  readonly findings: readonly Finding[];
}
