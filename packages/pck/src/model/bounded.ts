/** Upper bounds of `maxElements`: schemas whose messages cannot reach the limit are decoded without counting. */
import { FREE_ELEMENTS } from "moonpack/bytes";
import type { Node, Struct } from "./model.js";
import type { Weights } from "./weights.js";

/** Structs nested deeper than this count as unbounded. */
const MAX_LEVELS = 500;

/** True if no message of these structs can exceed `maxElements` (0 for the default). */
export function isBounded(roots: readonly Struct[], weights: Weights, maxElements: number): boolean {
  return mostElements(roots, weights) <= alwaysGranted(maxElements);
}

/** Returns the elements that are granted to every message, whatever its size. `maxElements`: 0 for the default. */
export function alwaysGranted(maxElements: number): number {
  return maxElements > 0 ? maxElements : FREE_ELEMENTS;
}

/** Returns the most elements of a message of one of these structs; Infinity without a bound. */
export function mostElements(roots: readonly Struct[], weights: Weights): number {
  const bounds = new Bounds(weights);
  return roots.reduce((most, struct) => Math.max(most, bounds.most({ kind: "ref", struct }, 0)), 0);
}

/** Computes the most elements of values; Infinity without a bound. */
class Bounds {
  readonly #weights: Weights;
  /** Most elements of a struct besides its own weight. Infinity while it is computed, which is right for a cycle. */
  readonly #inside = new Map<Struct, number>();

  constructor(weights: Weights) {
    this.#weights = weights;
  }

  most(node: Node, level: number): number {
    return this.#weights.of(node) + this.#beside(node, level);
  }

  /** Elements that are counted only where a value is present. */
  #beside(node: Node, level: number): number {
    switch (node.kind) {
      case "ref":
        return this.#ofStruct(node.struct, level + 1);
      case "union":
        return node.arms.reduce((most, { struct }) => Math.max(most, this.most({ kind: "ref", struct }, level)), 0);
      case "array":
        return node.length === 0 ? Infinity : node.length * this.#beside(node.element, level);
      case "map":
        return Infinity;
      case "nullable":
        return this.#weights.nullable(node.value) + this.#beside(node.value, level);
      default:
        return 0;
    }
  }

  #ofStruct(struct: Struct, level: number): number {
    const known = this.#inside.get(struct);
    if (known !== undefined) return known;
    if (level > MAX_LEVELS) return Infinity;
    this.#inside.set(struct, Infinity);
    let most = 0;
    for (const { type, isOptional } of struct.members) {
      most += this.#beside(type, level) + (isOptional ? this.#weights.present(type) : 0);
    }
    this.#inside.set(struct, most);
    return most;
  }
}
