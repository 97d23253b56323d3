/**
 * The writer of pages. It writes the same bytes as the complete writer (message.ts), by recursion at any depth, with two thirds of
 * the code. `canonical` and `fidelity: "json"` need the complete one. docs/pages-size.md lists the parts that pages lack, and the
 * size of each.
 */

import { Failure } from "../../bytes/failure.js";
import { containerHeader } from "../read/formats.js";
import { BaseWriter, isPolluted } from "./base.js";
import { isMap, isPlainObject } from "./classify.js";
import { writeExtension } from "./extension.js";
import { propertyEntries } from "./properties.js";
import type { EncoderSettings } from "./settings.js";

/** The number of new keys after which learning stops, so that keys that never recur cost little. */
const MAX_NEW_KEYS = 1024;
/** After this many more messages, all keys are discarded, and learning starts again. */
const REST_MESSAGES = 4096;
/** The longest known key, in bytes with its header. */
const MAX_KEY_BYTES = 16;

/** A key at one place, with its encoded bytes. A known key costs a comparison and two to four stores instead of a loop. */
class KnownKey {
  readonly text: string;
  /** The number of bytes with the header, up to 16 (four words). In the placeholder before a first key: the map header's size. */
  size: number;
  readonly word0: number;
  readonly word1: number;
  readonly word2: number;
  readonly word3: number;
  /** The key that followed this one the last time, and the key that followed it before that. */
  next: KnownKey | null = null;
  other: KnownKey | null = null;
  /** The placeholder before the first key of the objects in this key's value. */
  inside: KnownKey | null = null;

  constructor(text: string, size: number, view: DataView, at: number) {
    this.text = text;
    this.size = size;
    this.word0 = view.getInt32(at);
    this.word1 = view.getInt32(at + 4);
    this.word2 = view.getInt32(at + 8);
    this.word3 = view.getInt32(at + 12);
  }
}

export class PageWriter extends BaseWriter {
  /** The last written key: the key that last followed it is expected next. Null after an unknown key. */
  declare place: KnownKey | null;
  #root: KnownKey;
  /** The number of keys that may still be learned; below 0, it counts messages without learning. */
  #credit = MAX_NEW_KEYS;
  readonly keys: { hits: number; misses: number } = { hits: 0, misses: 0 };

  constructor(settings: EncoderSettings) {
    super(settings);
    this.place = this.#root = new KnownKey("", 0, this.view, 0);
  }

  override root(value: unknown): void {
    this.isPlain = !isPolluted();
    if (this.#credit <= 0 && --this.#credit < -REST_MESSAGES) {
      this.#credit = MAX_NEW_KEYS;
      this.#root = new KnownKey("", 0, this.view, 0);
    }
    this.place = this.#root;
    this.write(value);
  }

  override object(object: Record<string, unknown>): void {
    this.open(object);
    const outer = this.place;
    const inside = outer === null ? null : (outer.inside ??= new KnownKey("", 1, this.view, 0));
    const start = this.pos;
    // Guesses the header's size from the last object here. A wrong guess moves the members.
    const header = inside === null ? 1 : inside.size;
    let place = inside;
    let n = 0;
    // Undefined before the first key: a Proxy may throw earlier.
    let key: string | undefined;
    this.pos = start + header;
    try {
      for (key in object) {
        const value = object[key];
        if (value === undefined && this.dropsUndefined) continue;
        if (this.pos > this.safeEnd) this.atSafeEnd();
        n++;
        const next: KnownKey | null = place === null ? null : place.next;
        if (next !== null && next.text === key) {
          this.#known(next);
          place = next;
        } else place = this.#other(place, key);
        if (typeof value === "string") this.string(value);
        else if (typeof value === "number") this.number(value);
        else {
          this.place = place;
          this.write(value);
        }
      }
    } catch (error) {
      throw key === undefined ? Failure.from(error) : Failure.at(error, key, object);
    }
    if (inside !== null) inside.size = containerHeader(n);
    this.closeHeader(start, header, n);
    this.close();
  }

  #known({ size, word0, word1, word2, word3 }: KnownKey): void {
    const { view, pos } = this;
    view.setInt32(pos, word0);
    if (size > 4) {
      view.setInt32(pos + 4, word1);
      if (size > 8) {
        view.setInt32(pos + 8, word2);
        view.setInt32(pos + 12, word3);
      }
    }
    this.pos = pos + size;
  }

  /** Writes a key that was not expected after `place`, and returns its place; null if it is unknown. */
  #other(place: KnownKey | null, key: string): KnownKey | null {
    const { pos } = this;
    this.string(key);
    if (place === null) return null;
    let known = place.other;
    if (known === null || known.text !== key) {
      const size = this.pos - pos;
      if (size > MAX_KEY_BYTES || this.#credit <= 0) return null;
      this.#credit--;
      known = new KnownKey(key, size, this.view, pos);
    }
    place.other = place.next;
    return (place.next = known);
  }

  override container(value: unknown): boolean {
    if (typeof value === "object" && value !== null) {
      if (Array.isArray(value)) this.array(value);
      else if (isPlainObject(value)) this.#pairs(value, propertyEntries(value, this.dropsUndefined));
      else if (isMap(value) && this.settings.js === null) this.#pairs(value, [...value]);
      else return this.#parts(value);
      return true;
    }
    return this.#parts(value);
  }

  /** Writes a map with keys of any type. */
  #pairs(holder: unknown, pairs: readonly (readonly [unknown, unknown])[]): void {
    this.open(holder);
    this.room(5);
    this.mapHeader(pairs.length);
    for (const entry of pairs) {
      const key = entry[0];
      try {
        this.write(key);
        this.write(entry[1]);
      } catch (error) {
        throw Failure.at(error, key, holder);
      }
    }
    this.close();
  }

  /** Writes a value that only a preset of `fidelity` can encode; false if it cannot. */
  #parts(value: unknown): boolean {
    const parts = this.settings.js?.toParts(value);
    if (parts === undefined) return false;
    const { pos: start } = this;
    this.array(
      parts.isPairs === true ? (parts.data as unknown[][]).flatMap((entry) => [entry[0], entry[1]]) : parts.data,
    );
    const data = this.bytes.slice(start, this.pos);
    this.pos = start;
    writeExtension(this, parts.type, data);
    return true;
  }
}
