/** The wanted places of a message, as a tree, and how they are taken from a value that is decoded already. */
import type { Step } from "./paths.js";
import type { Key, Out } from "./walk.js";

/** What is wanted of a value. */
export class PathTree {
  /** Where the value itself goes. */
  readonly keys: Key[] = [];
  readonly fields = new Map<string, PathTree>();
  /** What is wanted of every element; undefined for nothing. */
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

/** What is wanted of every element. The values of one element are a row: the value at `i` goes to the list `i`. */
export interface EachTree {
  readonly tree: PathTree;
  /** Where each list goes. */
  readonly lists: Key[];
}

/** The lists of an {@link EachTree} while they are filled. */
export class Rows {
  /** Receives the values of one element. */
  readonly row: Out;
  readonly #lists: readonly unknown[][];

  /** Creates the lists, which are empty. */
  constructor({ lists }: EachTree, out: Out) {
    this.row = lists.map(() => undefined) as unknown as Out;
    this.#lists = lists.map((key) => {
      const list: unknown[] = [];
      out[key] = list;
      return list;
    });
  }

  /** Moves the row to the lists. */
  next(): void {
    const { row } = this;
    const lists = this.#lists;
    for (let i = 0; i < lists.length; i++) {
      lists[i]!.push(row[i]);
      row[i] = undefined;
    }
  }
}

/** Takes the wanted places from a decoded value. What it lacks stays as it is in `out`. */
export function put(tree: PathTree, value: unknown, out: Out): void {
  for (const key of tree.keys) out[key] = value;
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value) && !ArrayBuffer.isView(value)) {
    for (const [name, child] of tree.fields) if (Object.hasOwn(value, name)) put(child, (value as Out)[name], out);
  } else if (tree.each !== undefined) {
    const rows = new Rows(tree.each, out);
    for (const element of value as unknown as Iterable<unknown>) {
      put(tree.each.tree, element, rows.row);
      rows.next();
    }
  }
}
