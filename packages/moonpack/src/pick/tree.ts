/** The wanted paths as a tree: for each container the keys and elements to look for. */
import { invalidArgument } from "../bytes/errors.js";
import { type Step, stepsOf } from "./paths.js";

/** Texts of fewer bytes are found by their length in an array, longer ones in a Map. */
const SHORT = 32;

/** A key or an element that a path names, with the places below it. */
export class Wanted {
  /** The bytes of a text key. */
  readonly bytes: Uint8Array;
  readonly node: Node;
  /** Other nodes of the same item: a pointer's `0` is a key too, the number 0 is not. */
  also: Node[] | null = null;

  constructor(bytes: Uint8Array, node: Node) {
    this.bytes = bytes;
    this.node = node;
  }
}

/** More wanted keys of one length are found by their last bytes. */
const MAX_LIST = 16;

/** The wanted text keys of one length. */
export class Candidates {
  readonly list: Wanted[] = [];
  /** The same by {@link endOf}; null for a short list. */
  byEnd: Map<number, Wanted[]> | null = null;

  add(wanted: Wanted): void {
    this.list.push(wanted);
    if (this.byEnd !== null) this.#addByEnd(wanted);
    else if (this.list.length > MAX_LIST) {
      this.byEnd = new Map();
      for (const each of this.list) this.#addByEnd(each);
    }
  }

  #addByEnd(wanted: Wanted): void {
    const { bytes } = wanted;
    const end = endOf(bytes, 0, bytes.length);
    const list = this.byEnd!.get(end);
    if (list === undefined) this.byEnd!.set(end, [wanted]);
    else list.push(wanted);
  }
}

/** The last bytes of a text of `size` bytes at `from`, at most four: recurring keys begin alike. */
export function endOf(src: Uint8Array, from: number, size: number): number {
  let end = 0;
  for (let at = from + Math.max(0, size - 4); at < from + size; at++) end = (end << 8) | src[at]!;
  return end;
}

const NO_BYTES = /* @__PURE__ */ new Uint8Array(0);

/** The general loop over the pairs of a map; see walk.ts. */
export interface PairsWalker {
  /** Walks through the last `left` of the `n` pairs of a map; returns the position after it. */
  pairs(node: Node, n: number, left: number, pos: number, depth: number): number;
}

/** The maps at one place that have the same keys again and again; see records.ts. */
export interface MapRecords {
  /** The number of keys for which there is a generated walk; -1 if there is none. */
  readonly size: number;
  /** Walks through the pairs from `pos` on. `depth`: the containers around the pairs. Returns the position after the map. */
  readonly walk: ((walker: PairsWalker, pos: number, depth: number) => number) | null;
  /** Maps for which `walk` was called. */
  hits: number;
  /** Counts a map of `n` pairs whose first key is at `pos`, which the general loop has walked. */
  count(src: Uint8Array, pos: number, end: number, n: number, stack: Int32Array): void;
}

/** A place of a message, with the places below it. */
export class Node {
  /** Text keys by their bytes' number. Filled with null: holes and reads out of bounds double the time. */
  readonly texts: (Candidates | null)[] = new Array<Candidates | null>(SHORT).fill(null);
  longTexts: Map<number, Candidates> | null = null;
  /** All wanted text keys. */
  readonly byText = new Map<string, Wanted>();
  numbers: Map<number | bigint, Wanted> | null = null;
  elements: Map<number, Wanted> | null = null;
  /** The largest key of `elements`. */
  lastElement = -1;
  each: Node | null = null;
  /** The index of the value in the results; -1 if only places below it are wanted. */
  slot = -1;
  isRaw = false;
  /** True if a place below it is wanted. */
  isInner = false;
  /** True below `each`: its value is one of many. */
  readonly inEach: boolean;
  /** The places directly below it, with the steps to them. */
  readonly children: { readonly step: Step; readonly node: Node }[] = [];
  /** The maps that were found here; null until the first one, and if no code is generated for them. */
  records: MapRecords | null = null;
  /** The slots of this place and of all below it. */
  readonly slots: number[] = [];

  constructor(inEach: boolean) {
    this.inEach = inEach;
  }

  /** The wanted text keys of `n` bytes. */
  textsOf(n: number): Candidates | null {
    return n < SHORT ? this.texts[n]! : (this.longTexts?.get(n) ?? null);
  }
}

/** The tree of several paths. */
export class Tree {
  readonly root = new Node(false);
  /** The number of values. */
  size = 0;
  /** Number of values to find. All values of one `each` count once. */
  ends = 0;
  readonly #bySteps = new Map<string, Node>();

  /** Adds a path; its value gets the next slot. Throws `ERR_INVALID_ARGUMENT` for a wrong path. */
  add(path: unknown, isRaw: boolean): void {
    const slot = this.size++;
    let node = this.root;
    let name = "";
    node.slots.push(slot);
    const steps = stepsOf(path);
    for (const step of steps) {
      name += nameOf(step);
      let next = this.#bySteps.get(name);
      if (next === undefined) this.#bySteps.set(name, (next = this.#addNode(node, step)));
      node = next;
      node.slots.push(slot);
    }
    if (node.slot >= 0) throw invalidArgument(`the path ${describePath(path)} is there twice`);
    node.slot = slot;
    node.isRaw = isRaw;
    if (!node.inEach) this.ends++;
  }

  #addNode(parent: Node, step: Step): Node {
    const node = new Node(parent.inEach || step.isEach);
    parent.isInner = true;
    parent.children.push({ step, node });
    if (step.isEach) {
      parent.each = node;
      if (!parent.inEach) this.ends++;
      return node;
    }
    if (step.text !== undefined) addText(parent, step.text, node);
    if (step.index !== undefined) {
      addTo((parent.elements ??= new Map()), step.index, node);
      parent.lastElement = Math.max(parent.lastElement, step.index);
    }
    if (step.number !== undefined) addTo((parent.numbers ??= new Map()), step.number, node);
    return node;
  }
}

/** Returns a name that only equal steps have. */
function nameOf({ text, index, number, isEach }: Step): string {
  return isEach
    ? "*,"
    : `${number === undefined ? (index === undefined ? "t" : "p") : "n"}${JSON.stringify(text ?? `${typeof number} ${String(number)}`)},`;
}

function addText(parent: Node, text: string, node: Node): void {
  const known = parent.byText.get(text);
  if (known !== undefined) {
    (known.also ??= []).push(node);
    return;
  }
  const bytes = new TextEncoder().encode(text);
  const wanted = new Wanted(bytes, node);
  const n = bytes.length;
  const candidates = parent.textsOf(n) ?? new Candidates();
  candidates.add(wanted);
  parent.byText.set(text, wanted);
  if (n < SHORT) parent.texts[n] = candidates;
  else (parent.longTexts ??= new Map()).set(n, candidates);
}

function addTo<K>(map: Map<K, Wanted>, key: K, node: Node): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, new Wanted(NO_BYTES, node));
  else (known.also ??= []).push(node);
}

function describePath(path: unknown): string {
  return typeof path === "string" ? JSON.stringify(path) : `[${(path as unknown[]).map(String).join(", ")}]`;
}
