/** The order in which a function in either language reads the fields of an older struct. */
import type { FieldPlan, StructPlan, Target } from "../../evolve/plan.js";
import type { Member, Struct } from "../../model/model.js";

/** A field whose presence or value is a bit: the bit's number, and what becomes of the field. */
export interface BitField extends FieldPlan {
  readonly bit: number;
}

/** A bool that is kept. */
export interface KeptBool extends BitField {
  readonly target: Target;
}

/** The fields of an older struct in the order of their bytes: bits, required fields, optional fields. */
export interface FieldOrder {
  /** Bits at the start of the struct: one for each optional field, then one for each bool. */
  readonly bitCount: number;
  /** False if no function needs the value of a bit: the bits are only checked. */
  readonly usesBits: boolean;
  readonly bools: readonly KeptBool[];
  readonly required: readonly FieldPlan[];
  readonly optional: readonly BitField[];
}

/** Returns the order for a struct that is read as a new one. */
export function fieldOrder({ from, fields }: Pick<StructPlan, "from" | "fields">): FieldOrder {
  const targets = new Map(fields.map((field) => [field.from, field.target]));
  const optional = from.optionals.map((member, bit) => ({ from: member, target: targets.get(member), bit }));
  const bools = from.bools.flatMap((member, i) => {
    const target = targets.get(member);
    return target === undefined ? [] : [{ from: member, target, bit: from.optionals.length + i }];
  });
  return {
    bitCount: from.optionals.length + from.bools.length,
    usesBits: optional.length + bools.length > 0,
    bools,
    required: fields.filter((field) => !field.from.isOptional && field.from.type.kind !== "bool"),
    optional,
  };
}

/** Returns the order for a struct that is skipped. */
export function skippedFieldOrder(struct: Struct): FieldOrder {
  const members = [...struct.fixed, ...struct.dynamic];
  const required = members.map((from) => ({ from, target: undefined }));
  return { ...fieldOrder({ from: struct, fields: [] }), required };
}

/** Which value of an optional field means absent, besides null. */
export function absentValue({ omit }: Member): "zero" | "empty" | undefined {
  return omit.has("zero") ? "zero" : omit.has("empty") ? "empty" : undefined;
}
