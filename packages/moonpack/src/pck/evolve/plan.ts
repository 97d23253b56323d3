/**
 * What is to be done with the bytes of one schema to get values of another: data alone. `resolve` runs closures over it, emitters
 * write it down as code. Made by planner.ts (docs/pck-format.md, "Evolution").
 */
import type { Member, Node, Struct, UnionNode } from "../model/model.js";

/** How bytes of a writer's struct become a value of a reader's. */
export interface StructPlan {
  readonly from: Struct;
  readonly to: Struct;
  /** One for each field of the writer's, in the order of its bytes. */
  readonly fields: readonly FieldPlan[];
  /** Fields of the reader's that the writer has not. */
  readonly added: readonly FilledMember[];
}

/** What becomes of a field of the writer's. */
export interface FieldPlan {
  readonly from: Member;
  /** undefined: it is skipped, and checked as if it were read. */
  readonly target: Target | undefined;
}

/** The field of the reader's that a field of the writer's becomes. */
export interface Target {
  readonly member: Member;
  readonly conversion: Conversion;
  /** What it is where the writer's field is absent; undefined where that is required. */
  readonly ifAbsent: Fill | undefined;
  /** What it is where the writer's name or arm is not the reader's; undefined: such bytes are refused. */
  readonly ifUnknown: Fill | undefined;
}

/** A type that is read as `from` and answered as `to`. */
export type Conversion =
  | LeafConversion
  | EnumerationConversion
  | { readonly kind: "struct"; readonly from: NodeOf<"ref">; readonly to: NodeOf<"ref">; readonly plan: StructPlan }
  | UnionConversion
  | ListConversion
  | MapConversion
  /** Both may be null. */
  | {
      readonly kind: "nullable";
      readonly from: NodeOf<"nullable">;
      readonly to: NodeOf<"nullable">;
      readonly value: Conversion;
    }
  /** The writer's is always there, the reader's may be null. */
  | { readonly kind: "present"; readonly from: Node; readonly to: NodeOf<"nullable">; readonly value: Conversion };

export type NodeOf<K extends Node["kind"]> = Node & { readonly kind: K };

/** A bool, number, text or bytes: the same value, in a type that may hold more. */
export interface LeafConversion {
  readonly kind: "leaf";
  readonly from: Node;
  readonly to: Node;
}

/** The same name. */
export interface EnumerationConversion {
  readonly kind: "enumeration";
  readonly from: NodeOf<"enumeration">;
  readonly to: NodeOf<"enumeration">;
  /** For each name of the writer's its place among the reader's, -1 for none. */
  readonly places: readonly number[];
}

/** The arm of the same name. */
export interface UnionConversion {
  readonly kind: "union";
  readonly from: UnionNode;
  readonly to: UnionNode;
  /** For each arm of the writer's; undefined for one that the reader has not: it is skipped and checked, if not refused. */
  readonly arms: readonly (ArmPlan | undefined)[];
}

/** An arm that both have: its place among the reader's, and what becomes of its struct. */
export interface ArmPlan {
  readonly place: number;
  readonly plan: StructPlan;
}

/** Element by element. Their bits, if any, are the writer's. */
export interface ListConversion {
  readonly kind: "list";
  readonly from: NodeOf<"array">;
  readonly to: NodeOf<"array">;
  readonly element: Conversion;
}

/** Pair by pair. */
export interface MapConversion {
  readonly kind: "map";
  readonly from: NodeOf<"map">;
  readonly to: NodeOf<"map">;
  readonly key: Conversion;
  readonly value: Conversion;
  /** Is what ascends for the writer in another order for the reader? Enumerations only. */
  readonly isReordered: boolean;
}

/** A value that no bytes tell, made anew for each message. */
export type Fill =
  | { readonly kind: "null" | "false" }
  /** 0, or what has no elements, of this type. */
  | { readonly kind: "zero" | "empty"; readonly type: Node }
  | { readonly kind: "default"; readonly member: Member }
  | { readonly kind: "struct"; readonly filled: FilledStruct };

/** A field and what it is. */
export interface FilledMember {
  readonly member: Member;
  readonly fill: Fill;
}

/** A struct of which no bytes tell anything. */
export interface FilledStruct {
  readonly struct: Struct;
  /** In the order of their declaration. */
  readonly members: readonly FilledMember[];
  /** How many fields are made with it, those of its structs included. */
  readonly fields: number;
}

/** Where a reader may meet something that it cannot take, or does for sure. */
export interface Finding {
  /** Where it is found: a field of the reader's, in this pair of structs. */
  readonly plan: StructPlan;
  readonly member: Member;
  /** "no": there is no such decoder. "depends": it can meet a name or an arm that it does not know. */
  readonly verdict: "no" | "depends";
  /** Names both sides. */
  readonly text: string;
}

/** How bytes of one schema become values of another, and what stands against it. */
export interface Plan {
  readonly root: StructPlan;
  /** The root's, and those of all pairs of structs that it leads to. */
  readonly structs: readonly StructPlan[];
  readonly findings: readonly Finding[];
}
