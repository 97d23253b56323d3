/** Values that a schema says, as expressions in Go: defaults, and what stands for a field that is absent. */
import type { Fill, FilledStruct } from "../../../evolve/plan.js";
import type { Member, Node, Struct } from "../../../model/model.js";
import type { Shared } from "../shared.js";
import { goString, Lines } from "../text.js";
import { absenceOf, isPointer, zeroOf } from "../types.js";
import type { OlderFunctions } from "./functions.js";

/** What a field is of which no bytes tell anything. */
export function fillOf(functions: OlderFunctions, member: Member, fill: Fill): string {
  const { shared } = functions;
  switch (fill.kind) {
    case "null":
      return zeroOf(member);
    case "false":
      return "false";
    case "zero":
    case "empty":
      return absenceOf(member) === "value" ? zeroOf(member) : memberOf(shared, member, emptyOf(member.type));
    case "default":
      return memberOf(shared, member, member.fallback);
    case "struct": {
      const made = `${defaultStruct(functions, fill.filled)}()`;
      return isPointer(member) || shared.isRefPointer(member.type) ? `${shared.run("Pointer")}(${made})` : made;
    }
  }
}

/** The function that makes a struct of which no bytes tell anything. */
function defaultStruct(functions: OlderFunctions, { struct, members }: FilledStruct): string {
  const { names } = functions.shared;
  const type = names.struct(struct);
  return functions.of(`default ${struct.index}`, `default${type}${functions.suffix}`, "", (name) => {
    const lines = new Lines();
    lines.add(`// ${name} is ${type} where ${functions.suffix} has none.`);
    lines.block(`func ${name}() ${type}`, () => {
      const fields = members.map(({ member, fill }) => `${names.field(member)}: ${fillOf(functions, member, fill)}`);
      lines.add(`return ${type}{${fields.join(", ")}}`);
    });
    return lines;
  });
}

/** The value that a type has where it is absent, as a decoder in JavaScript answers it. */
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

/** The expression of a field's value. */
function memberOf(shared: Shared, member: Member, value: unknown): string {
  if (value === null) return zeroOf(member);
  const { type } = member;
  const literal = literalOf(shared, type, value);
  return isPointer(member) ? pointerTo(shared, type, literal) : literal;
}

/** A constant of a type's own; what is made of braces says its type itself. */
function typed(shared: Shared, type: Node, literal: string): string {
  const says = type.kind === "enumeration" || literal.endsWith("}") || shared.ownType(type) !== undefined;
  return says ? literal : `${shared.type(type)}(${literal})`;
}

function literalOf(shared: Shared, node: Node, value: unknown): string {
  return shared.owned(node, plainLiteral(shared, node, value));
}

function plainLiteral(shared: Shared, node: Node, value: unknown): string {
  switch (node.kind) {
    case "f32":
    case "f64":
      return floatOf(shared, node, value as number);
    case "utf8":
    case "ascii":
      return goString(value as string);
    case "enumeration":
      return shared.names.named(node).parts[node.values.indexOf(value as string)]!;
    case "bytes":
      return `${shared.type(node)}{${Array.from(value as Uint8Array).join(", ")}}`;
    case "ref":
      return `${shared.isRefPointer(node) ? "&" : ""}${structOf(shared, node.struct, value as object)}`;
    case "union": {
      const kind: unknown = Reflect.get(value as object, node.discriminator);
      const place = node.arms.findIndex((arm) => arm.name === kind);
      const fields = structOf(shared, node.arms[place]!.struct, value as object);
      return `&${shared.names.named(node).parts[place]}{Value: ${fields}}`;
    }
    case "array": {
      const items = (value as readonly unknown[]).map((item) => literalOf(shared, node.element, item));
      return `${shared.type(node)}{${items.join(", ")}}`;
    }
    case "map": {
      const pairs = [...(value as ReadonlyMap<unknown, unknown>)].map(
        ([key, item]) => `${literalOf(shared, node.key, key)}: ${literalOf(shared, node.value, item)}`,
      );
      return `${shared.type(node)}{${pairs.join(", ")}}`;
    }
    case "nullable":
      return value === null ? "nil" : pointerTo(shared, node.value, literalOf(shared, node.value, value));
    default:
      return String(value); // a bool or an integer
  }
}

function pointerTo(shared: Shared, type: Node, literal: string): string {
  if (type.kind === "union") return literal;
  return type.kind === "ref" ? `&${literal}` : `${shared.run("Pointer")}(${typed(shared, type, literal)})`;
}

function structOf(shared: Shared, struct: Struct, value: object): string {
  const fields = struct.members.map(
    (member) => `${shared.names.field(member)}: ${memberOf(shared, member, Reflect.get(value, member.name))}`,
  );
  return `${shared.names.struct(struct)}{${fields.join(", ")}}`;
}

/** Go has no constants for what is no number, nor for -0. */
function floatOf(shared: Shared, { kind }: Node, value: number): string {
  const isPlain = Number.isFinite(value) && !Object.is(value, -0);
  if (isPlain) return String(value);
  const call = Number.isNaN(value)
    ? `${shared.use("math", "NaN")}()`
    : value === 0
      ? `${shared.use("math", "Copysign")}(0, -1)`
      : `${shared.use("math", "Inf")}(${value > 0 ? 1 : -1})`;
  return kind === "f32" ? `float32(${call})` : call;
}
