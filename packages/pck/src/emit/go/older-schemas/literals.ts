/** Values of a schema as Go expressions: defaults, and the values of absent fields. */
import type { Fill, FilledStruct } from "../../../evolve/plan.js";
import type { Member, Node, Struct } from "../../../model/model.js";
import type { GoContext } from "../context.js";
import { goString, Lines } from "../text.js";
import { absentFormOf, isPointer, zeroOf } from "../types.js";
import type { OlderFunctions } from "./functions.js";

/** Returns the expression of a field that is not in the bytes. */
export function fillOf(functions: OlderFunctions, member: Member, fill: Fill): string {
  const { context } = functions;
  switch (fill.kind) {
    case "null":
      return zeroOf(member);
    case "false":
      return "false";
    case "zero":
    case "empty":
      return absentFormOf(member) === "value" ? zeroOf(member) : memberOf(context, member, emptyOf(member.type));
    case "default":
      return memberOf(context, member, member.fallback);
    case "struct": {
      const made = `${defaultStruct(functions, fill.filled)}()`;
      return isPointer(member) || context.isRefPointer(member.type) ? `${context.runtime("Pointer")}(${made})` : made;
    }
  }
}

/** Returns the name of the function that makes a struct of which nothing is in the bytes. */
function defaultStruct(functions: OlderFunctions, { struct, members }: FilledStruct): string {
  const { names } = functions.context;
  const type = names.struct(struct);
  return functions.nameOf(`default ${struct.index}`, `default${type}${functions.suffix}`, "", (name) => {
    const lines = new Lines();
    lines.add(`// ${name} returns ${type} for bytes of ${functions.suffix}, which do not have it.`);
    lines.block(`func ${name}() ${type}`, () => {
      const fields = members.map(({ member, fill }) => `${names.field(member)}: ${fillOf(functions, member, fill)}`);
      lines.add(`return ${type}{${fields.join(", ")}}`);
    });
    return lines;
  });
}

/** Returns the value that a JavaScript decoder returns for an absent field of this type. */
function emptyOf({ kind }: Node): unknown {
  switch (kind) {
    case "utf8":
    case "ascii":
      return "";
    case "bytes":
      return new Uint8Array(0);
    case "array":
      return [];
    case "map":
      return new Map();
    default:
      return /64$/.test(kind) && kind !== "f64" ? 0n : 0;
  }
}

/** Returns the expression of a field's value. */
function memberOf(context: GoContext, member: Member, value: unknown): string {
  if (value === null) return zeroOf(member);
  const { type } = member;
  const literal = literalOf(context, type, value);
  return isPointer(member) ? pointerTo(context, type, literal) : literal;
}

/** Returns a constant with its type. A composite literal already names its type. */
function typed(context: GoContext, type: Node, literal: string): string {
  const says = type.kind === "enumeration" || literal.endsWith("}") || context.ownType(type) !== undefined;
  return says ? literal : `${context.type(type)}(${literal})`;
}

function literalOf(context: GoContext, node: Node, value: unknown): string {
  return context.owned(node, plainLiteral(context, node, value));
}

function plainLiteral(context: GoContext, node: Node, value: unknown): string {
  switch (node.kind) {
    case "f32":
    case "f64":
      return floatOf(context, node, value as number);
    case "utf8":
    case "ascii":
      return goString(value as string);
    case "enumeration":
      return context.names.named(node).parts[node.values.indexOf(value as string)]!;
    case "bytes":
      return `${context.type(node)}{${Array.from(value as Uint8Array).join(", ")}}`;
    case "ref":
      return `${context.isRefPointer(node) ? "&" : ""}${structOf(context, node.struct, value as object)}`;
    case "union": {
      const kind: unknown = Reflect.get(value as object, node.discriminator);
      const place = node.arms.findIndex((arm) => arm.name === kind);
      const fields = structOf(context, node.arms[place]!.struct, value as object);
      return `&${context.names.named(node).parts[place]}{Value: ${fields}}`;
    }
    case "array": {
      const items = (value as readonly unknown[]).map((item) => literalOf(context, node.element, item));
      return `${context.type(node)}{${items.join(", ")}}`;
    }
    case "map": {
      const pairs = [...(value as ReadonlyMap<unknown, unknown>)].map(
        ([key, item]) => `${literalOf(context, node.key, key)}: ${literalOf(context, node.value, item)}`,
      );
      return `${context.type(node)}{${pairs.join(", ")}}`;
    }
    case "nullable":
      return value === null ? "nil" : pointerTo(context, node.value, literalOf(context, node.value, value));
    default:
      return String(value); // a bool or an integer
  }
}

function pointerTo(context: GoContext, type: Node, literal: string): string {
  if (type.kind === "union") return literal;
  return type.kind === "ref" ? `&${literal}` : `${context.runtime("Pointer")}(${typed(context, type, literal)})`;
}

function structOf(context: GoContext, struct: Struct, value: object): string {
  const fields = struct.members.map(
    (member) => `${context.names.field(member)}: ${memberOf(context, member, Reflect.get(value, member.name))}`,
  );
  return `${context.names.struct(struct)}{${fields.join(", ")}}`;
}

/** Go has no constants for NaN, infinity and -0. */
function floatOf(context: GoContext, { kind }: Node, value: number): string {
  const isPlain = Number.isFinite(value) && !Object.is(value, -0);
  if (isPlain) return String(value);
  const call = Number.isNaN(value)
    ? `${context.use("math", "NaN")}()`
    : value === 0
      ? `${context.use("math", "Copysign")}(0, -1)`
      : `${context.use("math", "Inf")}(${value > 0 ? 1 : -1})`;
  return kind === "f32" ? `float32(${call})` : call;
}
