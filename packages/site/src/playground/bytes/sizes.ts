// Bytes by path, with all elements of an array together, as `moonpack inspect --sizes` counts them.
import type { Diagnosis } from "moonpack";

/** The size of a path, and of the paths inside it. */
export interface SizeNode {
  /** The step from the path around it: `.name`, `[*]`. */
  readonly step: string;
  size: number;
  /** Values at this path. */
  count: number;
  readonly parts: Map<string, SizeNode>;
}

/** A part of a {@link SizeNode} for the picture, without Maps. */
export interface SizePart {
  readonly path: string;
  readonly size: number;
  readonly count: number;
  readonly parts: readonly SizePart[];
}

/** The largest number of paths inside one path. Maps with more keys have data as keys. */
const MAX_PARTS = 500;
const OTHERS = "[*]";
/** Parts that are too small to be seen are left out. */
const MIN_SHARE = 1 / 2000;
/** The largest number of parts of a path that are shown. More are too small to see, and browsers draw them slowly. */
const MAX_VISIBLE = 100;

interface Level {
  readonly path: string;
  readonly node: SizeNode;
}

/** Adds up the items of a dump. */
export class Sizes {
  readonly root: SizeNode;
  readonly #levels: Level[] = [];
  readonly #isSequence: boolean;
  #keyBytes = 0;

  /** `isSequence`: the items at the top are several messages. */
  constructor(isSequence: boolean) {
    this.#isSequence = isSequence;
    this.root = nodeOf("$");
  }

  /** Adds the next item. */
  add({ offset, end, depth, path, role, format }: Diagnosis): void {
    const size = end - offset;
    if (format === "broken" || format.startsWith("absent")) return;
    this.#levels.length = Math.min(this.#levels.length, depth);
    if (this.#isSequence) this.root.size += size;
    for (const { node } of this.#levels) node.size += size;
    const around = this.#levels.at(-1);
    if (role === "key") {
      this.#keyBytes += size;
      return;
    }
    const node = this.#nodeFor(around, path);
    // The bytes of a key count for its value; the levels around it have them already.
    node.size += size + this.#keyBytes;
    node.count++;
    this.#keyBytes = 0;
    this.#levels.push({ path, node });
  }

  #nodeFor(around: Level | undefined, path: string): SizeNode {
    if (around === undefined) return this.#isSequence ? partOf(this.root, OTHERS) : this.root;
    const step = path.slice(around.path.length);
    return partOf(around.node, isIndex(step) ? OTHERS : step.replace(/\[\d+\]$/, ""));
  }
}

function isIndex(step: string): boolean {
  return /^\[[^"]/.test(step);
}

function nodeOf(step: string): SizeNode {
  return { step, size: 0, count: 0, parts: new Map() };
}

function partOf(node: SizeNode, step: string): SizeNode {
  const name = node.parts.has(step) || node.parts.size < MAX_PARTS ? step : OTHERS;
  let part = node.parts.get(name);
  if (part === undefined) node.parts.set(name, (part = nodeOf(name)));
  return part;
}

/** The parts that can be seen, the largest first. Nested at most `levels` deep. */
export function visibleParts(
  node: SizeNode,
  levels: number,
  whole: number = node.size,
  path: string = node.step,
): SizePart {
  const parts =
    levels === 0
      ? []
      : [...node.parts.values()]
          .filter(({ size }) => size > whole * MIN_SHARE)
          .sort((a, b) => b.size - a.size)
          .slice(0, MAX_VISIBLE)
          .map((part) => visibleParts(part, levels - 1, whole, path + part.step));
  return { path, size: node.size, count: node.count, parts };
}
