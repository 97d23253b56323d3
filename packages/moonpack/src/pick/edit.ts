/** Changes places of a message: what stays is copied, what is new is encoded. */
import { DecodeError, invalidArgument, MoonpackError } from "../bytes/errors.js";
import type { BytesInput } from "../bytes/input.js";
import { encode } from "../msgpack/encoder.js";
import type { CodecOptions, DecoderOptions, EncoderOptions } from "../msgpack/options.js";
import { trailingBytes } from "../msgpack/read/base.js";
import { containerHeader } from "../msgpack/read/formats.js";
import { skipItems, tooDeep } from "./skip.js";
import { decodingFor, Source } from "./source.js";
import { type Node, Tree } from "./tree.js";

/**
 * A change: a new value, undefined to remove the place, or a function that returns one of these for the old value. Give the parameter of a
 * function its type: `(n: number) => n + 1`.
 */
export type Change =
  | ((old: never) => unknown)
  | object
  | string
  | number
  | bigint
  | boolean
  | symbol
  | null
  | undefined;

/**
 * Changes by their paths: an object of JSON Pointers, or pairs with any paths. `-` as the last step appends to an array.
 *
 * @example
 * const changes: Changes = { "/user/name": "Ada", "/count": (n: number) => n + 1, "/tags/-": "new", "/old": undefined };
 */
export type Changes = { readonly [pointer: string]: Change } | Iterable<readonly [path: unknown, change: Change]>;

/** The options of encoder and decoder that both know. */
export type EditOptions = CodecOptions & Pick<EncoderOptions, "canonical"> & DecoderOptions;

/**
 * Returns the bytes of a message with some places changed without decoding the rest. A value replaces a
 * place or adds a key, undefined removes it, and a function gets the old value, undefined if the place is not there. Removing what is
 * not there changes nothing.
 *
 * Headers that change are the shortest, everything else is copied. New keys are the last of their map, so canonical bytes may not stay
 * canonical.
 *
 * Errors: as in `Decoder.decode` for the bytes that are read, as in `encode` for new values, and `ERR_NO_PLACE` if a place's parent is not there,
 * `ERR_DUPLICATE_KEY` if a key to change is there twice, `ERR_INVALID_ARGUMENT` for wrong paths and two changes of one place.
 *
 * @example
 * edit(bytes, { "/user/name": "Ada", "/count": (n: number) => n + 1 });
 */
export function edit(input: BytesInput, changes: Changes, options?: EditOptions): Uint8Array<ArrayBuffer> {
  const { given, tree } = changesOf(changes);
  return new Editor(new Source(input, decodingFor(options)), given, options).edit(tree.root);
}

/** Trees of the last sets of pointers: to build one takes as long as to edit 1 KB. */
const TREES = /* @__PURE__ */ new Map<string, Tree>();
const MAX_TREES = 64;
const MAX_TREE_NAME = 1024;

/** The changes, and the tree of their places. */
function changesOf(changes: unknown): { readonly given: readonly unknown[]; readonly tree: Tree } {
  if (typeof changes !== "object" || changes === null)
    throw invalidArgument("changes must be an object of JSON Pointers, or pairs of path and change");
  if (typeof (changes as { [Symbol.iterator]?: unknown })[Symbol.iterator] !== "function") {
    const pointers = Object.keys(changes);
    return {
      given: pointers.map((one) => (changes as Readonly<Record<string, unknown>>)[one]),
      tree: treeOf(pointers),
    };
  }
  const given: unknown[] = [];
  const paths: unknown[] = [];
  for (const pair of changes as Iterable<unknown>) {
    if (!Array.isArray(pair) || pair.length !== 2) throw invalidArgument("a change must be a pair of path and change");
    paths.push(pair[0]);
    given.push(pair[1]);
  }
  return { given, tree: newTree(paths) };
}

/** The tree of some pointers, which is kept. It never changes. */
function treeOf(pointers: readonly string[]): Tree {
  // No valid pointer has a lone surrogate, so the name and the number of pointers are of one list only.
  const name = pointers.join("\ud800");
  const known = TREES.get(name);
  if (known !== undefined && known.size === pointers.length) return known;
  const tree = newTree(pointers);
  if (name.length > MAX_TREE_NAME) return tree;
  if (TREES.size >= MAX_TREES) TREES.clear();
  TREES.set(name, tree);
  return tree;
}

function newTree(paths: readonly unknown[]): Tree {
  const tree = new Tree();
  for (const path of paths) tree.add(path, false);
  checkPlaces(tree.root);
  return tree;
}

/** Refuses changes that meet at one place, and changes of every element. */
function checkPlaces(node: Node): void {
  if (node.slot >= 0 && node.isInner)
    throw invalidArgument("a place changes, and a place in it: one change can be of one place");
  if (node.each !== null) throw invalidArgument('a change has one place: "*" is for reading');
  const known = new Set<string>();
  for (const { step, node: child } of node.children) {
    for (const name of [
      step.text === undefined ? "" : `"${step.text}`,
      step.index === undefined ? "" : String(step.index),
    ]) {
      if (name !== "" && known.has(name))
        throw invalidArgument(`two changes are of one place, ${name.replace('"', "")}`);
      known.add(name);
    }
    checkPlaces(child);
  }
}

/** A place in the message that changes. */
interface Found {
  /** Offset of the key, or of the element. */
  readonly start: number;
  /** Offset of the value. */
  readonly value: number;
  readonly end: number;
  /** The new value: bytes, undefined to remove it, or the changes of places in it. */
  readonly change: Uint8Array | Plan | undefined;
}

/** The changes of one container. */
interface Plan {
  readonly start: number;
  /** Offset of its first key or element. */
  readonly body: number;
  readonly end: number;
  /** A new header; null to keep the old one. */
  readonly header: Uint8Array | null;
  /** In the order of the message. */
  readonly found: readonly Found[];
  /** Keys and values, or elements, that go last. */
  readonly added: readonly Uint8Array[];
}

/** Plans the changes in one walk over the message, then joins parts of it with the new values. */
class Editor {
  readonly #source: Source;
  readonly #changes: readonly unknown[];
  readonly #options: EditOptions | undefined;
  readonly #parts: Uint8Array[] = [];
  /** Bytes of the input that have been copied or replaced. */
  #done = 0;

  constructor(source: Source, changes: readonly unknown[], options: EditOptions | undefined) {
    this.#source = source;
    this.#changes = changes;
    this.#options = options;
  }

  edit(root: Node): Uint8Array<ArrayBuffer> {
    const { end, change } = this.#found(root, 0, 0, 0);
    if (end !== this.#source.end) throw trailingBytes(end);
    if (change === undefined) throw noPlace("the whole message cannot be removed");
    this.#source.checkInput();
    this.#emit({ start: 0, value: 0, end, change });
    this.#copyUntil(end);
    return joined(this.#parts);
  }

  /** Plans the changes at an item that is there. */
  #found(node: Node, start: number, value: number, depth: number): Found {
    if (node.isInner) {
      const change = this.#container(node, value, depth);
      return { start, value, end: change.end, change };
    }
    const end = this.#source.skip(value, 1, depth);
    // Without changes the root has no slot.
    const nothing: Plan = { start: value, body: value, end, header: null, found: [], added: [] };
    return { start, value, end, change: node.slot < 0 ? nothing : this.#changed(node, value, depth) };
  }

  #container(node: Node, start: number, depth: number): Plan {
    const { type, size, body } = this.#source.item(start);
    if (depth >= this.#source.stack.length) throw tooDeep(this.#source.stack.length, start);
    if (type === "map") return this.#map(node, size, start, body, depth + 1);
    if (type === "array") return this.#array(node, size, start, body, depth + 1);
    for (const child of node.children) this.#requireNothing(child.node);
    return { start, body, end: this.#source.skip(start, 1, depth), header: null, found: [], added: [] };
  }

  #map(node: Node, size: number, start: number, body: number, depth: number): Plan {
    const source = this.#source;
    const found = new Map<Node, Found>();
    let pos = body;
    for (let i = 0; i < size; i++) {
      const value = source.skip(pos, 1, depth);
      const wanted = source.key(node, pos);
      if (wanted === null) pos = source.skip(value, 1, depth);
      else {
        if (found.has(wanted.node)) throw new DecodeError("ERR_DUPLICATE_KEY", "duplicate key", pos);
        const place = this.#found(wanted.node, pos, value, depth);
        found.set(wanted.node, place);
        pos = place.end;
      }
    }
    const added: Uint8Array[] = [];
    for (const { step, node: child } of node.children) {
      const bytes = found.has(child) ? undefined : this.#added(child, depth);
      if (bytes !== undefined) added.push(encode(step.text ?? step.number), bytes);
    }
    return this.#plan(start, body, pos, size, [...found.values()], added, added.length / 2, 0x80);
  }

  #array(node: Node, size: number, start: number, body: number, depth: number): Plan {
    const source = this.#source;
    const found: Found[] = [];
    const added: Uint8Array[] = [];
    let pos = body;
    let at = 0;
    const byIndex = [...node.children].sort((a, b) => (a.step.index ?? Infinity) - (b.step.index ?? Infinity));
    for (const { step, node: child } of byIndex) {
      if (step.index !== undefined && step.index < size) {
        pos = source.skip(pos, step.index - at, depth);
        const place = this.#found(child, pos, pos, depth);
        found.push(place);
        pos = place.end;
        at = step.index + 1;
      } else if (step.text === "-" && child.slot >= 0) {
        const bytes = this.#added(child, depth);
        if (bytes !== undefined) added.push(bytes);
      } else this.#requireNothing(child);
    }
    return this.#plan(start, body, source.skip(pos, size - at, depth), size, found, added, added.length, 0x90);
  }

  /** `token`: a fixmap or fixarray. `items`: pairs or elements that are added. */
  #plan(
    start: number,
    body: number,
    end: number,
    size: number,
    found: readonly Found[],
    added: readonly Uint8Array[],
    items: number,
    token: number,
  ): Plan {
    const removed = found.filter(({ change }) => change === undefined).length;
    const header = items === removed ? null : headerOf(token, size + items - removed);
    return { start, body, end, header, found, added };
  }

  /** The bytes of a place's new value; undefined to remove it. */
  #changed(node: Node, pos: number, depth: number): Uint8Array | undefined {
    const change = this.#changes[node.slot];
    return this.#encoded(typeof change === "function" ? change(this.#source.value(pos, depth)) : change, depth);
  }

  /** The bytes of a place that was not there; undefined if nothing is added. */
  #added(node: Node, depth: number): Uint8Array | undefined {
    if (node.isInner) return void this.#requireNothing(node);
    const change = this.#changes[node.slot];
    return this.#encoded(typeof change === "function" ? change(undefined) : change, depth);
  }

  #encoded(value: unknown, depth: number): Uint8Array | undefined {
    this.#source.checkInput();
    if (value === undefined) return undefined;
    const bytes = encode(value, this.#options);
    // Its depth counts from the whole message.
    skipItems(bytes, 0, bytes.length, 1, depth, this.#source.stack);
    return bytes;
  }

  /** Throws unless all changes of a place that cannot be there remove something. */
  #requireNothing(node: Node): void {
    if (node.slot >= 0 && this.#changes[node.slot] !== undefined)
      throw noPlace("a change has no place: its parent is not there");
    for (const { node: child } of node.children) this.#requireNothing(child);
  }

  #emit({ start, value, end, change }: Found): void {
    if (change === undefined) {
      this.#copyUntil(start);
      this.#done = end;
    } else if (change instanceof Uint8Array) this.#replace(value, end, change);
    else {
      if (change.header !== null) this.#replace(change.start, change.body, change.header);
      for (const place of change.found) this.#emit(place);
      this.#copyUntil(change.end);
      for (const bytes of change.added) this.#parts.push(bytes);
    }
  }

  #replace(pos: number, end: number, bytes: Uint8Array): void {
    this.#copyUntil(pos);
    this.#parts.push(bytes);
    this.#done = end;
  }

  #copyUntil(pos: number): void {
    if (pos > this.#done) this.#parts.push(this.#source.bytes.subarray(this.#done, pos));
    this.#done = pos;
  }
}

function noPlace(message: string): MoonpackError {
  return new MoonpackError("ERR_NO_PLACE", message);
}

/** The shortest header of a map or an array. */
function headerOf(token: number, n: number): Uint8Array {
  const size = containerHeader(n);
  const header = new Uint8Array(size);
  header[0] = size === 1 ? token | n : (token === 0x80 ? 0xde : 0xdc) + (size === 5 ? 1 : 0);
  for (let i = size - 1, rest = n; i > 0; i--, rest >>>= 8) header[i] = rest;
  return header;
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let pos = 0;
  for (const part of parts) {
    bytes.set(part, pos);
    pos += part.length;
  }
  return bytes;
}
