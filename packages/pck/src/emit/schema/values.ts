/** Default values as source text. */
import { isIdentifier, quoted } from "../../generate/code.js";
import type { MapNode, Node, Struct } from "../../model/model.js";
import { call, type Expression, list, object } from "./expression.js";

/** Returns the expression of a value of a type as `decode` returns it. `typeText` returns the text of a type. */
export function valueText(value: unknown, type: Node, typeText: (type: Node) => string): Expression {
  if (typeof value === "string") return quoted(value);
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value !== "object" || value === null) return Object.is(value, -0) ? "-0" : String(value);
  switch (type.kind) {
    case "nullable":
      return valueText(value, type.value, typeText);
    case "array":
      return list((value as readonly unknown[]).map((item) => valueText(item, type.element, typeText)));
    case "map":
      return mapText(value as ReadonlyMap<unknown, unknown>, type, typeText);
    case "ref":
      return structText(value, type.struct, typeText);
    case "union": {
      const name: unknown = Reflect.get(value, type.discriminator);
      return structText(value, type.arms.find((arm) => arm.name === name)!.struct, typeText);
    }
    default:
      return call("Uint8Array.of", ...Array.from(value as Uint8Array, String));
  }
}

function mapText(
  map: ReadonlyMap<unknown, unknown>,
  { key, value }: MapNode,
  typeText: (type: Node) => string,
): Expression {
  const entries = Array.from(map, ([name, item]) =>
    list([valueText(name, key, typeText), valueText(item, value, typeText)]),
  );
  // TypeScript infers `string` for the names of enumerations and arms in a Map.
  const { kind } = value.kind === "nullable" ? value.value : value;
  const hasNames = ["enumeration", "union", "ref", "array", "map"].includes(kind);
  return call(hasNames ? `new Map<${typeText(key)}, ${typeText(value)}>` : "new Map", list(entries));
}

/** Returns the properties of a struct. A union's discriminator is text: it is not a field. */
function structText(value: object, { members }: Struct, typeText: (type: Node) => string): Expression {
  const types = new Map(members.map(({ name, type }) => [name, type]));
  return object(
    Object.entries(value).map(([name, item]) => {
      const type = types.get(name);
      return [keyText(name), type === undefined ? quoted(item) : valueText(item, type, typeText)];
    }),
  );
}

/** Returns the key of an entry in an object literal, with its colon. */
export function keyText(name: string): string {
  // A computed __proto__ is a property like any other.
  if (name === "__proto__") return '["__proto__"]: ';
  return `${isIdentifier(name) ? name : quoted(name)}: `;
}
