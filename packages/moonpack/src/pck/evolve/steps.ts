/** What is done with the bytes of one struct, field by field: the same for recursion and for a stack on the heap. */
import { refused } from "../../bytes/pack-reader.js";
import { creator } from "../codec/objects.js";
import { type Absence, absenceOf, absentValueOf } from "../codec/presence.js";
import type { Get } from "../codec/read-containers.js";
import type { CodecSettings } from "../codec/settings.js";
import type { Member, Node } from "../model/model.js";
import type { FillCompiler, Make } from "./fill-values.js";
import type { Conversion, FieldPlan, StructPlan } from "./plan.js";

/** How a struct is read and what is made of it. */
export interface StructSteps {
  readonly create: () => Record<string, unknown>;
  /** Bits in the bit store: presence, then bools. */
  readonly bits: number;
  readonly bools: readonly { readonly name: string; readonly bit: number }[];
  readonly required: readonly Step[];
  /** One for each presence bit. */
  readonly optionals: readonly OptionalStep[];
  readonly added: readonly { readonly name: string; readonly make: Make }[];
}

/** Reads one field of the writer's. */
export interface Step {
  /** The reader's; undefined for what is skipped. */
  readonly name: string | undefined;
  readonly get: Get;
  /** Looks at what was read, at `pos` on, and answers what it is to be. */
  readonly settle: Settle | undefined;
  /** undefined for what is skipped. */
  readonly conversion: Conversion | undefined;
  readonly unknown: Make | undefined;
}

export interface OptionalStep extends Step {
  readonly absent: Make;
}

export type Settle = (value: unknown, pos: number) => unknown;

/** Makes closures of conversions; `unknown`: what a name or arm becomes that the reader has not. */
export interface ConversionCompiler {
  readonly settings: CodecSettings;
  readonly fills: FillCompiler;
  converted(conversion: Conversion, unknown: Make | undefined): Get;
  skipped(type: Node): Get;
}

/** `first`: properties that come before the fields. */
export function stepsOf(
  plan: StructPlan,
  first: readonly (readonly [string, unknown])[],
  compiler: ConversionCompiler,
): StructSteps {
  const { settings, fills } = compiler;
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
      return { ...stepOf(field, compiler), absent: ifAbsent === undefined ? nothing : fills.make(ifAbsent) };
    }),
    added: plan.added.map(({ member, fill }) => ({ name: member.name, make: fills.make(fill) })),
  };
}

function nothing(): undefined {
  return undefined;
}

function stepOf({ from, target }: FieldPlan, compiler: ConversionCompiler): Step {
  const { settings, fills } = compiler;
  if (target === undefined) {
    const settle = settlerOf(from, from.type, undefined, settings);
    return { name: undefined, get: compiler.skipped(from.type), settle, conversion: undefined, unknown: undefined };
  }
  const { member, conversion, ifUnknown } = target;
  const unknown = ifUnknown === undefined ? undefined : fills.make(ifUnknown);
  const settle = settlerOf(from, member.type, member, settings);
  return { name: member.name, get: compiler.converted(conversion, unknown), settle, conversion, unknown };
}

/** undefined where nothing has to be looked at. `type`: that of the value; `member`: the reader's field. */
function settlerOf(from: Member, type: Node, member: Member | undefined, settings: CodecSettings): Settle | undefined {
  const isRedundant = sizeAbsence(from, type, settings);
  const isAbsent = member && sizeAbsence(member, type, settings);
  const absent = isAbsent && absentValueOf(member, settings);
  if (isRedundant === undefined && isAbsent === undefined) return undefined;
  return (value, pos) => {
    if (isRedundant?.(value)) throw refused("ERR_NOT_CANONICAL", "a field that is present and means absent", pos);
    return isAbsent?.(value) ? absent!() : value;
  };
}

/** Is a value absent by its size, 0 or empty? What is read is null only where that stands for an unknown name. */
function sizeAbsence({ omit }: Member, type: Node, settings: CodecSettings): Absence | undefined {
  const flags = new Set([...omit].filter((flag) => flag !== "null"));
  return flags.size === 0 ? undefined : absenceOf({ omit: flags, type }, settings);
}
