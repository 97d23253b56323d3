/**
 * Finds the structs that have a finite value, and their sizes: the least fixpoint over required references.
 *
 * This is Knuth's generalisation of Dijkstra's algorithm (1977): structs are laid out in ascending order of their
 * fewest bytes. The first arm of a union to be laid out is therefore the smallest, each reference is visited once, and
 * a struct is laid out after all structs that it needs.
 */
import { schemaError } from "./errors.js";
import { layOut, type OpenStruct } from "./layout.js";
import type { Node, Struct } from "./model.js";

/** A struct that waits for its required references. */
interface Waiting {
  readonly struct: OpenStruct;
  /** How many of them are not laid out yet. */
  open: number;
}

/** A required reference, or a required union: its first arm that is laid out meets it. */
interface Requirement {
  readonly of: Waiting;
  isMet: boolean;
}

/** Lays out every struct. `ERR_SCHEMA` names one that has no finite value. */
export function measure(structs: readonly OpenStruct[]): void {
  const needs = new Map<Struct, Requirement[]>();
  const ready: OpenStruct[] = [];
  for (const struct of structs) {
    const waiting: Waiting = { struct, open: 0 };
    for (const { isOptional, type } of struct.members) {
      const targets = isOptional ? [] : targetsOf(type);
      if (targets.length === 0) continue;
      waiting.open++;
      const need: Requirement = { of: waiting, isMet: false };
      for (const target of targets) addTo(needs, target, need);
    }
    if (waiting.open === 0) addReady(ready, layOut(struct));
  }
  let done = 0;
  for (let struct = ready.pop(); struct !== undefined; struct = ready.pop()) {
    done++;
    for (const need of needs.get(struct) ?? []) {
      if (need.isMet) continue;
      need.isMet = true;
      if (--need.of.open === 0) addReady(ready, layOut(need.of.struct));
    }
  }
  const endless = structs.find((struct) => struct.minBytes === Infinity);
  if (done === structs.length || endless === undefined) return;
  throw schemaError(endless.name, "contains itself and has no finite value: make a reference optional");
}

function addTo(needs: Map<Struct, Requirement[]>, target: Struct, need: Requirement): void {
  const known = needs.get(target);
  if (known === undefined) needs.set(target, [need]);
  else known.push(need);
}

/** Returns structs one of which is part of every value of the type; none if there is a value without structs. */
function targetsOf(node: Node): readonly Struct[] {
  if (node.kind === "ref") return [node.struct];
  if (node.kind === "union") return node.arms.map((arm) => arm.struct);
  return node.kind === "array" && node.length > 0 ? targetsOf(node.element) : [];
}

/** Inserts a struct into the ready structs, which are sorted: the one of the fewest bytes is the last. */
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
