/**
 * The steps that read one struct, field by field. Shared by execute.ts (recursion) and execute-deep.ts (trampoline).
 */

import { type AbsenceTest, absenceOf, absentValueOf } from "../closures/absence.js";
import type { Get } from "../closures/closure.js";
import { creator } from "../closures/objects.js";
import type { Member, Node } from "../model/model.js";
import type { Weights } from "../model/weights.js";
import { notCanonical } from "../runtime/reader.js";
import type { CodecSettings } from "../settings.js";
import type { AddedWeights } from "./added-weight.js";
import type { FillCompiler, Make } from "./fill-values.js";
import type { Conversion, FieldPlan, StructPlan } from "./plan.js";

/** The steps that read a struct of the writer and make an object of the reader. */
export interface StructSteps {
  readonly create: () => Record<string, unknown>;
  /** Number of bits in the bit store: presence bits, then bools. */
  readonly bits: number;
  readonly bools: readonly { readonly name: string; readonly bit: number }[];
  readonly required: readonly Step[];
  /** One step for each presence bit. */
  readonly optionals: readonly OptionalStep[];
  /** Fields that the writer lacks. */
  readonly added: readonly { readonly name: string; readonly make: Make }[];
  /** Elements that the added fields count. */
  readonly weight: number;
}

/** Reads one field of the writer. */
export interface Step {
  /** The reader's field; undefined for a skipped one. */
  readonly name: string | undefined;
  readonly get: Get;
  /** Checks and replaces the value; undefined where it stays as it is. */
  readonly adjust: Adjust | undefined;
  /** undefined for a skipped field. */
  readonly conversion: Conversion | undefined;
  /** Makes the value of a name or arm that the reader lacks. */
  readonly unknown: Make | undefined;
}

/** Reads one optional field of the writer. */
export interface OptionalStep extends Step {
  /** Makes the value of an absent field. */
  readonly absent: Make;
  /** Elements that a present value counts. */
  readonly weight: number;
}

/** Checks a value whose bytes begin at `pos`, and returns the value of the reader's field. */
export type Adjust = (value: unknown, pos: number) => unknown;

/** Compiles conversions to closures. `unknown` makes the value of a name or arm that the reader lacks. */
export interface ConversionCompiler {
  readonly settings: CodecSettings;
  readonly fills: Pick<FillCompiler, "make">;
  readonly weights: Weights;
  readonly added: Pick<AddedWeights, "of">;
  converted(conversion: Conversion, unknown: Make | undefined): Get;
  skipped(type: Node): Get;
}

/** Compiles the steps of a struct. `first`: properties before the fields. */
export function stepsOf(
  plan: StructPlan,
  first: readonly (readonly [string, unknown])[],
  compiler: ConversionCompiler,
): StructSteps {
  const { settings, fills, weights } = compiler;
  const { optionals, bools } = plan.from;
  const ofKind = (isOptional: boolean) =>
    plan.fields.filter(({ from }) => from.isOptional === isOptional && from.type.kind !== "bool");
  const bits = plan.fields.filter(({ from }) => from.type.kind === "bool");
  return {
    create: creator(plan.to, first, settings),
    bits: optionals.length + bools.length,
    bools: bits.flatMap(({ target }, i) =>
      target === undefined ? [] : [{ name: target.member.name, bit: optionals.length + i }],
    ),
    required: ofKind(false).map((field) => stepOf(field, compiler)),
    optionals: ofKind(true).map((field) => {
      const ifAbsent = field.target?.ifAbsent;
      const weight = weights.present(field.from.type);
      return { ...stepOf(field, compiler), absent: ifAbsent === undefined ? nothing : fills.make(ifAbsent), weight };
    }),
    added: plan.added.map(({ member, fill }) => ({ name: member.name, make: fills.make(fill) })),
    weight: compiler.added.of(plan),
  };
}

function nothing(): undefined {
  return undefined;
}

/** Compiles the step of one field. */
export function stepOf({ from, target }: FieldPlan, compiler: ConversionCompiler): Step {
  const { settings, fills } = compiler;
  if (target === undefined) {
    const adjust = adjustmentOf(from, from.type, undefined, settings);
    return { name: undefined, get: compiler.skipped(from.type), adjust, conversion: undefined, unknown: undefined };
  }
  const { member, conversion, ifUnknown } = target;
  const unknown = ifUnknown === undefined ? undefined : fills.make(ifUnknown);
  const adjust = adjustmentOf(from, member.type, member, settings);
  return { name: member.name, get: compiler.converted(conversion, unknown), adjust, conversion, unknown };
}

/**
 * Returns the adjustment of a field; undefined where there is nothing to check. `type`: the value's; `member`: the
 * reader's field.
 */
function adjustmentOf(
  from: Member,
  type: Node,
  member: Member | undefined,
  settings: CodecSettings,
): Adjust | undefined {
  const isRedundant = sizeAbsence(from, type, settings);
  const isAbsent = member && sizeAbsence(member, type, settings);
  const absent = isAbsent && absentValueOf(member, settings);
  if (isRedundant === undefined && isAbsent === undefined) return undefined;
  return (value, pos) => {
    if (isRedundant?.(value)) throw notCanonical(pos);
    return isAbsent?.(value) ? absent!() : value;
  };
}

/**
 * Returns the test for a value that is absent because it is 0 or empty; undefined where there is none. The flag "null"
 * does not matter here: a decoded value is null only where null stands for an unknown name.
 */
function sizeAbsence({ omit }: Member, type: Node, settings: CodecSettings): AbsenceTest | undefined {
  const flags = new Set([...omit].filter((flag) => flag !== "null"));
  return flags.size === 0 ? undefined : absenceOf({ omit: flags, type }, settings);
}
