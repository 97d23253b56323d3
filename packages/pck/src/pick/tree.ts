/** The wanted places of a message, as a tree, and the lists of `*`. */
import { isInBits, type Node } from "../model/model.js";
import type { Key, Out } from "../runtime/take.js";
import type { Step } from "./paths.js";

/** The parts to take from a value. */
export class PathTree {
  /** Where the value itself goes. */
  readonly keys: Key[] = [];
  readonly fields = new Map<string, PathTree>();
  /** The parts to take from every element; undefined for nothing. */
  each: EachTree | undefined;

  /** Adds a path. `key`: where its value goes. */
  add(steps: readonly Step[], key: Key): void {
    let node: PathTree = this;
    let place = key;
    for (const { name, isEach } of steps) {
      if (isEach) {
        node.each ??= { tree: new PathTree(), lists: [] };
        place = node.each.lists.push(place) - 1;
        node = node.each.tree;
      } else {
        let next = node.fields.get(name);
        if (next === undefined) node.fields.set(name, (next = new PathTree()));
        node = next;
      }
    }
    node.keys.push(place);
  }
}

/** The parts to take from every element. The values of one element are a row: the value at `i` goes to the list `i`. */
export interface EachTree {
  readonly tree: PathTree;
  /** Where each list goes. */
  readonly lists: Key[];
}

/** Puts a value where it goes. */
export function putKeys({ keys }: PathTree, value: unknown, out: Out): void {
  for (let i = 0; i < keys.length; i++) out[keys[i]!] = value;
}

/** Returns as how many elements the items of a list count: as in `decode`, eight bools or nullables are one. */
export function slotsOf(element: Node, count: number): number {
  return isInBits(element) ? Math.ceil(count / 8) : count;
}
