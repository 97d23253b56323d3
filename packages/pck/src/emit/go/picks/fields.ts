/** The fields of a type that holds some fields of messages: names and types. */
import { invalidArgument } from "moonpack/bytes";
import type { Node } from "../../../model/model.js";
import type { Key } from "../../../runtime/take.js";
import { outputsOf, type Place, placeAt } from "../../picks/outputs.js";
import type { EmittedPick } from "../../picks/picks.js";
import type { GoContext } from "../context.js";
import { absentFormOf } from "../types.js";

/** The type of a wanted value. */
export interface PickType {
  /** The type without the pointer. */
  readonly go: string;
  /** Whether it is a pointer, because a message may lack the value. */
  readonly isPointer: boolean;
  /** The memory of the value, without what its type points to. */
  readonly size: number;
  /** The type of the elements of a list that a path makes. */
  readonly element: PickType | undefined;
}

/** Returns the types of all values, by their keys. Throws `ERR_INVALID_ARGUMENT` for values of several types. */
export function pickTypes(context: GoContext, { name, struct, fields, tree }: EmittedPick): ReadonlyMap<Key, PickType> {
  const root = new Set<Node>([{ kind: "ref", struct }]);
  return new Map(
    outputsOf(tree).map(({ key, path }) => {
      const place = placeAt(root, false, path, (member) => absentFormOf(member) === "nil");
      return [key, typeOf(context, place, `${name}.${fields[key as number]}`)] as const;
    }),
  );
}

/** Returns the type in Go, with the pointer. */
export function goText({ go, isPointer }: PickType): string {
  return `${isPointer ? "*" : ""}${go}`;
}

function typeOf(context: GoContext, place: Place, field: string): PickType {
  const { types, arms, list, isNull, isMissing } = place;
  const nodes = [...types].map((type) => (type.kind === "nullable" ? type.value : type));
  const found = new Map<string, PickType>();
  const add = (type: PickType) => found.set(goText(type), type);
  if (arms.size > 0) add({ go: "string", isPointer: false, size: 16, element: undefined });
  if (list !== undefined) {
    const element = typeOf(context, list, field);
    add({ go: `[]${goText(element)}`, isPointer: false, size: 24, element });
  }
  for (const node of nodes)
    add({ go: context.type(node), isPointer: false, size: context.memory.sizeOf(node), element: undefined });
  const [type] = found.values();
  if (type === undefined || found.size > 1) {
    const names = [...found.keys()].join(", ");
    throw invalidArgument(`picks: ${field} has values of several types, but a field in Go has one: ${names}`);
  }
  const mayLack = isNull || isMissing || [...types].some(({ kind }) => kind === "nullable");
  const isNilable = list !== undefined || nodes.some((node) => isNilableType(context, node));
  return { ...type, isPointer: mayLack && !isNilable };
}

/** True for a type that has nil. */
function isNilableType(context: GoContext, node: Node): boolean {
  if (node.kind === "ref") return context.isRefPointer(node);
  return (
    node.kind === "union" ||
    node.kind === "map" ||
    ((node.kind === "bytes" || node.kind === "array") && node.length === 0)
  );
}
