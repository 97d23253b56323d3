import type { Diagnosis } from "moonpack";

/** The size of one key path, with the content of its containers. */
export interface PathSize {
  readonly path: string;
  readonly size: number;
  /** Number of values at this path. */
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

/** Adds up bytes by key path. All elements of an array count as `[*]`, and so do all keys that are not strings. */
export class SizeTree {
  readonly #nodes = new Map<string, Node>();
  readonly #levels: Level[] = [];
  readonly #top: string;
  /** Bytes of the last key; they count for its value. */
  #keyBytes = 0;

  /** `sequence`: the top-level values are messages of a sequence. */
  constructor(sequence: boolean) {
    this.#top = sequence ? "$[*]" : "$";
  }

  /** Adds the next item of a dump. */
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

/** Returns the last step of a path; `[*]` for any element of an array. */
function mergedStep(parent: Level, path: string): string {
  const step = path.slice(parent.path.length);
  return parent.isArray || /^\[[^"]/.test(step) ? "[*]" : step;
}
