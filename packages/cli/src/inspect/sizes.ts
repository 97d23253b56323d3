import type { Diagnosis } from "moonpack";

/** What one key path takes, its containers' content included. */
export interface PathSize {
  readonly path: string;
  readonly size: number;
  /** Values at this path. */
  readonly count: number;
}

interface Node {
  readonly path: string;
  size: number;
  count: number;
}

interface Level {
  readonly path: string;
  readonly isArray: boolean;
  readonly node: Node;
}

/** Adds up bytes by key path. Elements of an array, and keys that are no strings, count together as `[*]`. */
export class SizeTree {
  readonly #nodes = new Map<string, Node>();
  readonly #levels: Level[] = [];
  readonly #top: string;
  /** Bytes of a key, which count for its value. */
  #keyBytes = 0;

  /** `sequence`: the values at the top are messages of a sequence. */
  constructor(sequence: boolean) {
    this.#top = sequence ? "$[*]" : "$";
  }

  /** Counts the next item of a dump. */
  add({ offset, end, depth, path, role, format }: Diagnosis): void {
    const size = end - offset;
    this.#levels.length = depth;
    for (const { node } of this.#levels) node.size += size;
    const parent = this.#levels[depth - 1];
    if (role === "key") {
      this.#keyBytes += size;
      return;
    }
    const node = this.#node(parent === undefined ? this.#top : parent.node.path + mergedStep(parent, path));
    node.size += size + this.#keyBytes;
    node.count++;
    this.#keyBytes = 0;
    this.#levels.push({ path, isArray: format.includes("array"), node });
  }

  /** All paths, the largest first. */
  sorted(): PathSize[] {
    return [...this.#nodes.values()].sort((a, b) => b.size - a.size);
  }

  #node(path: string): Node {
    let node = this.#nodes.get(path);
    if (node === undefined) this.#nodes.set(path, (node = { path, size: 0, count: 0 }));
    return node;
  }
}

/** The last step of a path, all elements of an array as one. */
function mergedStep(parent: Level, path: string): string {
  const step = path.slice(parent.path.length);
  return parent.isArray || /^\[[^"]/.test(step) ? "[*]" : step;
}
