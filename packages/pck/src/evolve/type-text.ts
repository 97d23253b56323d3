/** Types as short text, for errors and lists of changes. Long names are shortened. */
import type { Node } from "../model/model.js";

const SHOWN_NAMES = 6;
const SHOWN_CHARACTERS = 40;

/** Returns a type as text: `array(u8, 3)`. */
export function typeText(node: Node): string {
  switch (node.kind) {
    case "bytes":
    case "ascii":
      return node.length === 0 ? node.kind : `${node.kind}(${node.length})`;
    case "enumeration":
      return `enumeration(${namesText(node.values)})`;
    case "ref":
      return `ref(${nameText(node.struct.name)})`;
    case "union":
      return `union(${namesText(node.arms.map((arm) => arm.name))})`;
    case "array":
      return `array(${typeText(node.element)}${node.length === 0 ? "" : `, ${node.length}`})`;
    case "map":
      return `map(${typeText(node.key)}, ${typeText(node.value)})`;
    case "nullable":
      return `nullable(${typeText(node.value)})`;
    default:
      return node.kind;
  }
}

/** Returns the first names of a list as text, and the number of the others. */
export function namesText(names: readonly string[]): string {
  const shown = names.slice(0, SHOWN_NAMES).map(nameText);
  if (names.length > SHOWN_NAMES) shown.push(`${names.length - SHOWN_NAMES} more`);
  return shown.join(", ");
}

/** Returns a name, shortened if it is long. */
export function nameText(name: string): string {
  return name.length > SHOWN_CHARACTERS ? `${name.slice(0, SHOWN_CHARACTERS)}..` : name;
}
