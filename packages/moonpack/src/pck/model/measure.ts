/**
 * Which structs have a finite value, and their sizes: the least fixpoint over required references.
 *
 * As in Knuth's generalisation of Dijkstra's algorithm (1977): structs are settled in ascending order of the fewest bytes
 * they take. So when one arm of a union is settled it is the least one, each reference is looked at once, and a struct is
 * laid out after all that it needs.
 */
import { schemaError } from "./errors.js";
import { layOut, type OpenStruct } from "./layout.js";
import type { Node, Struct } from "./model.js";

/** A struct and how many of its needs are open. */
interface Waiting {
  readonly struct: OpenStruct;
  open: number;
}

/** One required reference, or a union: met by the first of its arms. */
interface Need {
  readonly of: Waiting;
  isMet: boolean;
}

/** Settles and lays out every struct. `ERR_SCHEMA` names one that has no finite value. */
export function measure(structs: readonly OpenStruct[]): void {
  const needs = new Map<Struct, Need[]>();
  const ready: OpenStruct[] = [];
  for (const struct of structs) {
    const waiting: Waiting = { struct, open: 0 };
    for (const { isOptional, type } of struct.members) {
      const targets = isOptional ? [] : targetsOf(type);
      if (targets.length === 0) continue;
      waiting.open++;
      const need: Need = { of: waiting, isMet: false };
      for (const target of targets) addTo(needs, target, need);
    }
    if (waiting.open === 0) addReady(ready, layOut(struct));
  }
  let settled = 0;
  for (let struct = ready.pop(); struct !== undefined; struct = ready.pop()) {
    settled++;
    for (const need of needs.get(struct) ?? []) {
      if (need.isMet) continue;
      need.isMet = true;
      if (--need.of.open === 0) addReady(ready, layOut(need.of.struct));
    }
  }
  const endless = structs.find((struct) => struct.minBytes === Infinity);
  if (settled === structs.length || endless === undefined) return;
  throw schemaError(endless.name, "contains itself and has no finite value: make a reference optional");
}

function addTo(needs: Map<Struct, Need[]>, target: Struct, need: Need): void {
  const known = needs.get(target);
  if (known === undefined) needs.set(target, [need]);
  else known.push(need);
}

/** Structs of which one is part of every value of the type; none where a value without any exists. */
function targetsOf(node: Node): readonly Struct[] {
  if (node.kind === "ref") return [node.struct];
  if (node.kind === "union") return node.arms.map((arm) => arm.struct);
  return node.kind === "array" && node.length > 0 ? targetsOf(node.element) : [];
}

/** Puts a struct where it belongs among those that are ready: the one of the fewest bytes is the last. */
function addReady(ready: OpenStruct[], struct: OpenStruct): void {
  let from = 0;
  let to = ready.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (ready[middle]!.minBytes > struct.minBytes) from = middle + 1;
    else to = middle;
  }
  ready.splice(from, 0, struct);
}
