/** Decides which types can be read as which other types, and how. */
import type { Node, NodeOf, Struct } from "../model/model.js";
import { numberFits } from "./numbers.js";
import type { ArmPlan, Conversion, StructPlan } from "./plan.js";

/** Returns the plan of a pair of structs, which may still be empty. */
export type PairOf = (from: Struct, to: Struct) => StructPlan;

/** Two types, or parts of types, that do not fit. */
export interface Misfit {
  readonly kind: "misfit";
  readonly from: Node;
  readonly to: Node;
}

/** Returns how `from` is read as `to`. Appends to `missing` the names and arms that only `from` has. */
export function converted(from: Node, to: Node, pair: PairOf, missing: string[]): Conversion | Misfit {
  const inner = (a: Node, b: Node) => converted(a, b, pair, missing);
  if (to.kind === "nullable") {
    const isNullable = from.kind === "nullable";
    const value = inner(isNullable ? from.value : from, to.value);
    if (!isConversion(value)) return value;
    return isNullable ? { kind: "nullable", from, to, value } : { kind: "present", from, to, value };
  }
  switch (from.kind) {
    case "enumeration": {
      if (to.kind !== "enumeration") break;
      const places = placesAmong(from.values, to.values, missing);
      return { kind: "enumeration", from, to, places };
    }
    case "ref":
      if (to.kind !== "ref") break;
      return { kind: "struct", from, to, plan: pair(from.struct, to.struct) };
    case "union": {
      if (to.kind !== "union") break;
      const names = to.arms.map((arm) => arm.name);
      const places = placesAmong(
        from.arms.map((arm) => arm.name),
        names,
        missing,
      );
      const arms = places.map((place, i): ArmPlan | undefined =>
        place < 0 ? undefined : { place, plan: pair(from.arms[i]!.struct, to.arms[place]!.struct) },
      );
      return { kind: "union", from, to, arms };
    }
    case "array": {
      if (to.kind !== "array" || !isLengthFit(from, to)) break;
      const element = inner(from.element, to.element);
      return isConversion(element) ? { kind: "list", from, to, element } : element;
    }
    case "map": {
      if (to.kind !== "map") break;
      const key = inner(from.key, to.key);
      if (!isConversion(key)) return key;
      const value = inner(from.value, to.value);
      return isConversion(value) ? { kind: "map", from, to, key, value, isReordered: isReordered(key) } : value;
    }
    default:
      if (isLeafFit(from, to)) return { kind: "leaf", from, to };
  }
  return { kind: "misfit", from, to };
}

function isConversion(result: Conversion | Misfit): result is Conversion {
  return result.kind !== "misfit";
}

function isLeafFit(from: Node, to: Node): boolean {
  switch (from.kind) {
    case "bytes":
      return to.kind === "bytes" && isLengthFit(from, to);
    case "ascii":
      return to.kind === "utf8" || (to.kind === "ascii" && isLengthFit(from, to));
    case "bool":
    case "utf8":
      return to.kind === from.kind;
    default:
      return numberFits(from.kind, to.kind);
  }
}

type Lengthy = NodeOf<"array" | "ascii" | "bytes">;

/** True if every length of `from` is a length of `to`. */
function isLengthFit(from: Lengthy, to: Lengthy): boolean {
  return to.length === 0 || to.length === from.length;
}

/** Returns the index of each name in `others`; -1 for a missing one. */
function placesAmong(names: readonly string[], others: readonly string[], missing: string[]): readonly number[] {
  const places = new Map(others.map((name, place) => [name, place]));
  return names.map((name) => {
    const place = places.get(name);
    if (place === undefined) missing.push(name);
    return place ?? -1;
  });
}

/** True if the reader's order of keys differs from the writer's. */
function isReordered(key: Conversion): boolean {
  if (key.kind !== "enumeration") return false;
  const kept = key.places.filter((place) => place >= 0);
  return kept.some((place, i) => i > 0 && place < kept[i - 1]!);
}
