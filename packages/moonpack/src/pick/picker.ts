import { invalidArgument } from "../bytes/errors.js";
import { type BytesInput, toBytes } from "../bytes/input.js";
import { choiceOption, ownOptions } from "../bytes/options.js";
import { areSparse, recordOf } from "../bytes/sparse.js";
import { codecOptions } from "../msgpack/codec-options.js";
import type { DecodedAt } from "../msgpack/decoder.js";
import type { DecoderOptions } from "../msgpack/options.js";
import { PickedChunks } from "./chunks.js";
import type { Path } from "./paths.js";
import { decodingFor } from "./source.js";
import { Tree } from "./tree.js";
import type { Paths, Picked, RawNames } from "./types.js";
import { Walk } from "./walk.js";

/** Options of a {@link Picker}: the options of a decoder for the returned values, and three others. */
export interface PickOptions extends DecoderOptions {
  /**
   * `check` (default): the whole message is walked, so that truncated messages and bytes after the message are errors, and the last of
   * equal keys counts, as in `decode`. `ignore`: the walk ends when all values are found, and the first of equal keys counts. Only for
   * bytes that you wrote: a gateway that reads the first `role` before a service that reads the last one can be deceived.
   */
  readonly rest?: "check" | "ignore";
  /** `last` (default): the last of equal keys counts. `error`: a wanted key that is there twice is `ERR_DUPLICATE_KEY`. */
  readonly duplicates?: "last" | "error";
  /** The names of values that are returned as a {@link Raw}; true for all. */
  readonly raw?: RawNames;
}

/**
 * Decodes only some places of messages, and skips the rest. What it returns is what `decode` would
 * return at these places, with all options and errors of a decoder. Skipped parts are checked for structure only: their text and
 * extensions are not looked at.
 *
 * Keep one for each kind of message. It has the methods of a decoder, so it fits where one is taken.
 *
 * @example
 * const orders = new Picker({ id: "/id", name: "/user/name", skus: "/items/0/sku" });
 * orders.decode(bytes); // { id: 7, name: "Ada", skus: "A1" }
 */
export class Picker<const P extends Paths = Paths, const R extends RawNames = false> {
  readonly #walk: Walk;
  /** The names of the values; null for a list, undefined for one value. */
  readonly #names: readonly string[] | null | undefined;
  /** An object of the names, which is copied for each message. */
  readonly #empty: { readonly [name: string]: unknown };
  /** True if names are array indices, such as "1023": a copy would have an array of that length. */
  readonly #isSparse: boolean;

  /**
   * `paths`: one path, a list of paths, or an object of paths. Throws `ERR_INVALID_ARGUMENT` for a wrong path or option. Both are read
   * once.
   */
  constructor(paths: P, options?: PickOptions & { readonly raw?: R }) {
    const { rest, duplicates, raw } = ownOptions(options);
    const decoding = codecOptions(options, ["rest", "duplicates", "raw"]);
    const named = namedPaths(paths);
    const isRaw = rawRule(raw, named.names);
    const tree = new Tree();
    for (const [slot, path] of named.paths.entries()) tree.add(path, isRaw(slot));
    this.#names = named.names;
    const names = named.names ?? [];
    this.#isSparse = areSparse(names, 0, names.length);
    this.#empty = recordOf(names.map((name) => [name, undefined]));
    const ignoresRest = choiceOption("rest", rest, ["check", "ignore"]) === "ignore";
    const refusesDuplicates = choiceOption("duplicates", duplicates, ["last", "error"]) === "error";
    if (ignoresRest && refusesDuplicates)
      throw invalidArgument('duplicates: "error" needs the whole message: it cannot be combined with rest: "ignore"');
    this.#walk = new Walk(
      tree,
      { refusesDuplicates, ignoresRest },
      decodingFor(Object.keys(decoding ?? {}).length === 0 ? undefined : decoding),
    );
  }

  /**
   * Returns the values of one message: all properties are there, and what the message lacks is undefined. `*` gives a list with an item
   * for each element. Errors as `Decoder.decode`.
   */
  decode(input: BytesInput): Picked<unknown, P, R>;
  /** Returns the same, with the type of the message. */
  decode<T>(input: BytesInput): Picked<T, P, R>;
  decode<T>(input: BytesInput): Picked<T, P, R> {
    const walk = this.#walk.idle();
    walk.whole(input);
    return this.#result<T>(walk);
  }

  /** Returns the values of the message at `offset`, and its end. Later bytes are ignored. */
  decodeAt(input: BytesInput, offset: number): DecodedAt<Picked<unknown, P, R>>;
  /** Returns the same, with the type of the message. */
  decodeAt<T>(input: BytesInput, offset: number): DecodedAt<Picked<T, P, R>>;
  decodeAt<T>(input: BytesInput, offset: number): DecodedAt<Picked<T, P, R>> {
    const bytes = toBytes(input);
    if (!Number.isInteger(offset) || offset < 0 || offset > bytes.length)
      throw invalidArgument(`offset must be an integer from 0 to ${bytes.length}`);
    return this.#next<T>(bytes, offset);
  }

  /** Returns the values of consecutive messages, one at each step of the iterator. */
  decodeMulti(input: BytesInput): Generator<Picked<unknown, P, R>, void, undefined>;
  /** Returns the same, with the type of the messages. */
  decodeMulti<T>(input: BytesInput): Generator<Picked<T, P, R>, void, undefined>;
  *decodeMulti<T>(input: BytesInput): Generator<Picked<T, P, R>, void, undefined> {
    const bytes = toBytes(input);
    const size = bytes.length;
    for (let offset = 0; offset < size; ) {
      if (bytes.length !== size) throw invalidArgument("the input was detached between two values");
      const { value, end } = this.#next<T>(bytes, offset);
      yield value;
      offset = end;
    }
  }

  /**
   * @internal For `decodeStream(source, { pick })`. Messages that cross chunks may have `maxBytes`, and at most `maxBufferedBytes`.
   */
  chunks<T = unknown>(): PickedChunks<Picked<T, P, R>> {
    const { maxDepth, maxBytes, maxBufferedBytes } = this.#walk.settings;
    const limit = Math.min(maxBytes, maxBufferedBytes);
    return new PickedChunks((bytes, offset) => this.#next<T>(bytes, offset), maxDepth, limit);
  }

  #next<T>(bytes: Uint8Array<ArrayBuffer>, offset: number): DecodedAt<Picked<T, P, R>> {
    const walk = this.#walk.idle();
    walk.at(bytes, offset);
    return { value: this.#result<T>(walk), end: walk.pos };
  }

  #result<T>(walk: Walk): Picked<T, P, R> {
    const names = this.#names;
    const { values } = walk;
    let result: unknown;
    if (names === undefined) result = values[0];
    else if (names === null) result = values.slice();
    else {
      const object = this.#isSparse ? recordOf(names.map((name) => [name, undefined])) : { ...this.#empty };
      // Each name is an own property already, so that no setter of Object.prototype is called.
      for (let i = 0; i < names.length; i++) object[names[i]!] = values[i];
      result = object;
    }
    walk.clear();
    return result as Picked<T, P, R>;
  }
}

/**
 * Returns the values at one path, a list of paths or an object of paths. It creates a {@link Picker} for this one call, which takes about
 * 15 us: keep a Picker to avoid that.
 *
 * @example
 * pick(bytes, "/user/name"); // "Ada"
 */
export function pick<const P extends Paths, const R extends RawNames = false>(
  input: BytesInput,
  paths: P,
  options?: PickOptions & { readonly raw?: R },
): Picked<unknown, NoInfer<P>, NoInfer<R>> {
  return new Picker<P, R>(paths, options).decode(input);
}

/** The paths and their names. An array is a list of paths if its items are paths, and one path if they are steps. */
function namedPaths(paths: unknown): {
  readonly paths: readonly unknown[];
  readonly names: readonly string[] | null | undefined;
} {
  if (typeof paths === "string") return { paths: [paths], names: undefined };
  if (Array.isArray(paths)) return isPathList(paths) ? { paths, names: null } : { paths: [paths], names: undefined };
  if (typeof paths !== "object" || paths === null)
    throw invalidArgument("paths must be a path, a list of paths or an object of paths");
  return { paths: Object.values(paths), names: Object.keys(paths) };
}

/** A list of pointers or of lists of keys. `["a"]` is a path, `["/a"]` a list: a key with "/" in front needs `[["/a"]]`. */
function isPathList(list: readonly unknown[]): boolean {
  return list.every(
    (item) => Array.isArray(item) || (typeof item === "string" && (item === "" || item.startsWith("/"))),
  );
}

function rawRule(raw: unknown, names: readonly string[] | null | undefined): (slot: number) => boolean {
  if (raw === undefined || typeof raw === "boolean") return () => raw === true;
  if (!Array.isArray(raw)) throw invalidArgument("raw must be a boolean or a list of names");
  for (const name of raw)
    if (!names?.includes(name))
      throw invalidArgument(`raw names ${JSON.stringify(name)}, which is not one of the paths`);
  const wanted = new Set<unknown>(raw);
  return (slot) => wanted.has(names![slot]);
}

export type { Path };
