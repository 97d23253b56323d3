/**
 * The complete writer, used on servers, and by streams on every runtime. It writes one message by recursion over the value. It
 * expects keys (expected-keys.ts), may pause (pause.ts), and writes the other containers with a stack (stack.ts). base.ts has the
 * code that it shares with the writer of pages.
 */

import type { MoonpackError } from "../../bytes/errors.js";
import { Failure } from "../../bytes/failure.js";
import { KEPT_IN_USE_BYTES } from "../../bytes/kept-memory.js";
import { SharedViews } from "../../bytes/shared-views.js";
import type { WriteTarget } from "../../bytes/slab.js";
import { containerHeader } from "../read/formats.js";
import { arrayPrototype, BaseWriter, isPolluted, objectPrototype } from "./base.js";
import { ExpectedKeys, type KeyEntry, UNCOUNTED, UNSTABLE } from "./expected-keys.js";
import { PAUSE } from "./failure.js";
import { toJsonValue } from "./json.js";
import type { Pauses } from "./pause.js";
import { propertyEntries } from "./properties.js";
import type { EncoderSettings } from "./settings.js";
import { writeContainer } from "./stack.js";

/** Containers nested deeper than this are written with a stack on the heap: recursion takes about 400 bytes a level. */
const MAX_RECURSION = 512;
/** The most expected keys of one object. An object with more is a dictionary; its keys rarely recur. */
const MAX_KNOWN_KEYS = 200;

export class MessageWriter extends BaseWriter {
  /** `canonical`: the number of nested keys that are being written. */
  keyDepth = 0;
  readonly keys: ExpectedKeys = new ExpectedKeys();
  /** The key whose value is being written: its objects should begin with the same key as the last ones. */
  declare place: KeyEntry;
  /** Records the containers that a pause interrupts; null for a writer that never pauses. See pause.ts. */
  pauses: Pauses | null = null;
  /** A value that begins after this position throws PAUSE; Infinity for no pause. */
  pauseAt = Infinity;
  override readonly maxRecursion = MAX_RECURSION;
  /** The views that `encodeShared` returns. */
  #views: SharedViews | null = null;
  readonly #json: boolean;

  constructor(settings: EncoderSettings) {
    super(settings);
    this.place = this.keys.nowhere;
    this.#json = settings.json;
  }

  override begin(target: WriteTarget | null): void {
    this.pauseAt = Infinity;
    super.begin(target);
  }

  override root(value: unknown): void {
    const { settings } = this;
    this.isPlain = !settings.canonical && !settings.json && !isPolluted();
    this.keys.begin(this.values);
    this.place = this.keys.isExpecting && this.pauses === null ? this.keys.root : this.keys.nowhere;
    this.write(this.#json ? toJsonValue(value, "") : value);
  }

  override failed(error: unknown): MoonpackError {
    this.keyDepth = 0;
    return super.failed(error);
  }

  override setSafeEnd(): void {
    super.setSafeEnd();
    this.safeEnd = Math.min(this.safeEnd, this.pauseAt);
  }

  override atSafeEnd(): void {
    if (this.pos > this.pauseAt) throw PAUSE;
    super.atSafeEnd();
  }

  override fromReplacement(error: unknown, replacement: unknown): unknown {
    return error === PAUSE ? this.pauses!.replacement(replacement) : error;
  }

  override container(value: unknown): boolean {
    return writeContainer(this, value);
  }

  /** True when `write` writes this object itself, by recursion. */
  takes(value: object): boolean {
    const prototype: unknown = Object.getPrototypeOf(value);
    const isPlain =
      prototype === objectPrototype || prototype === null || (prototype === arrayPrototype && Array.isArray(value));
    return isPlain && this.isPlain && this.depth < MAX_RECURSION;
  }

  /** Returns the message with its memory. The writer continues with `spare`, or with new memory. */
  take(spare: Uint8Array<ArrayBuffer> | null): Uint8Array<ArrayBuffer> {
    const { bytes, start, pos } = this;
    this.memory.replace(spare ?? new Uint8Array(Math.min(bytes.length, KEPT_IN_USE_BYTES)));
    this.toMemory();
    return new Uint8Array(bytes.buffer, start, pos - start);
  }

  override shared(): Uint8Array<ArrayBuffer> {
    return (this.#views ??= new SharedViews()).view(this.bytes, this.pos);
  }

  override notANumber(): void {
    if (this.#json) this.bytes[this.pos++] = 0xc0;
    else super.notANumber();
  }

  override atElement(error: unknown, array: readonly unknown[], i: number, n: number): unknown {
    return error === PAUSE ? this.pauses!.array(array, i, n) : super.atElement(error, array, i, n);
  }

  override object(object: Record<string, unknown>): void {
    if (this.depth >= MAX_RECURSION) return void writeContainer(this, object);
    this.open(object);
    if (this.place !== this.keys.nowhere) this.expected(object, this.place);
    else if (this.pauseAt !== Infinity) this.#fromEntries(object);
    else this.members(object);
    this.close();
  }

  /** Writes the header and the members. In a mix of objects V8 takes less time with a list of the keys than with for-in. */
  members(object: Record<string, unknown>): void {
    const keys = Object.keys(object);
    const n = keys.length;
    const start = this.pos;
    let omitted = 0;
    let i = 0;
    this.mapHeader(n);
    try {
      for (; i < n; i++) {
        const key = keys[i]!;
        const value = object[key];
        if (value === undefined && this.dropsUndefined) {
          omitted++;
          continue;
        }
        if (this.pos > this.safeEnd) this.atSafeEnd();
        this.string(key);
        if (typeof value === "string") this.string(value);
        else if (typeof value === "number") this.number(value);
        else this.write(value);
      }
    } catch (error) {
      throw Failure.at(error, keys[i], object);
    }
    if (this.keys.isExpecting) this.keys.misses += n - omitted;
    if (omitted === 0) return;
    this.values -= n;
    this.closeHeader(start, containerHeader(n), n - omitted);
  }

  /**
   * Writes the header and the members where keys are expected. The header's size is guessed from the last object that began
   * with the same key. A wrong guess moves the members, but only once: from then on, objects that begin with this key are
   * written like objects with unexpected keys.
   */
  expected(object: Record<string, unknown>, parentKey: KeyEntry): void {
    const { keys } = this;
    const start = this.pos;
    let header = 1;
    let previous: KeyEntry = parentKey;
    let first: KeyEntry | null = null;
    let isExpected = false;
    let unexpected = 0;
    let n = 0;
    let key = "";
    try {
      for (key in object) {
        if (first === null) {
          first = parentKey.firstInside;
          if (first === null || first.text !== key) first = keys.inside(parentKey, key);
          isExpected = first !== null && first.memberCount !== UNSTABLE;
          if (first === null || !isExpected) break;
          header = containerHeader(first.memberCount);
          this.pos += header;
        }
        const value = object[key];
        if (value === undefined && this.dropsUndefined) continue;
        if (this.pos > this.safeEnd) this.atSafeEnd();
        let next: KeyEntry | null = n === 0 ? first : previous.next;
        if (next === null || next.text !== key) next = n < MAX_KNOWN_KEYS ? keys.after(previous, key) : null;
        if (next !== null) {
          previous = next;
          this.expectedKey(next);
        } else {
          unexpected++;
          this.string(key);
        }
        n++;
        if (typeof value === "number") this.number(value);
        else if (typeof value === "string") this.string(value);
        else {
          this.place = next ?? keys.nowhere;
          this.write(value);
        }
      }
    } catch (error) {
      throw first === null ? Failure.from(error) : Failure.at(error, key, object);
    }
    if (first === null || !isExpected) {
      this.place = keys.nowhere;
      return this.members(object);
    }
    if (first.memberCount === UNCOUNTED) first.memberCount = n;
    else if (containerHeader(n) !== header) first.memberCount = UNSTABLE;
    keys.hits += n - unexpected;
    keys.misses += unexpected;
    this.closeHeader(start, header, n);
  }

  /** Writes a key from its kept bytes. */
  expectedKey(key: KeyEntry): void {
    const { view, pos } = this;
    const { size } = key;
    view.setInt32(pos, key.word0, true);
    if (size > 4) {
      view.setInt32(pos + 4, key.word1, true);
      if (size > 8) {
        view.setInt32(pos + 8, key.word2, true);
        view.setInt32(pos + 12, key.word3, true);
        if (size > 16) for (let i = 16; i < size; i++) this.bytes[pos + i] = key.bytes[i]!;
      }
    }
    this.pos = pos + size;
  }

  /** Writes an object that a pause may interrupt: lists its entries first. */
  #fromEntries(object: Record<string, unknown>): void {
    if (this.pauses!.isLarge(object)) throw PAUSE;
    const entries = propertyEntries(object, this.dropsUndefined);
    this.mapHeader(entries.length);
    let i = 0;
    let at = this.pos;
    try {
      for (; i < entries.length; i++) {
        at = this.pos;
        if (at > this.safeEnd) this.atSafeEnd();
        this.string(entries[i]![0]);
        this.write(entries[i]![1]);
      }
    } catch (error) {
      if (error === PAUSE) throw this.pauses!.entries(object, entries, i, at);
      throw Failure.at(error, entries[i]![0], object);
    }
  }
}
