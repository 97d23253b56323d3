/**
 * The canonical form of a metric's identity (docs/series-format.md, section 2): its name and its tags by ascending keys. Two metrics
 * are the same if these bytes are. Nothing is normalised.
 */
import { ByteReader, ByteWriter, DecodeError, MoonpackError } from "moonpack/bytes";
import type { Metric } from "./metric.js";

const MAX_NAME = 255;
const MAX_KEY = 127;
const MAX_VALUE = 1023;
const MAX_TAGS = 32;
/** Bytes of the whole form. */
const MAX_BYTES = 4096;

/** One tag, as bytes. */
interface TagBytes {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/** Makes canonical forms. It owns the memory for them, so one is made and kept. */
export class CanonicalForms {
  readonly #text = new ByteWriter();
  readonly #form = new ByteWriter();

  /** The canonical form of a metric, in memory of its own. Throws `ERR_INVALID_METRIC`. */
  of({ name, tags }: Pick<Metric, "name" | "tags">): Uint8Array<ArrayBuffer> {
    const form = this.#form;
    form.pos = 0;
    this.#add(this.#bytes(name, "name", 1, MAX_NAME));
    const list = tags === undefined ? [] : this.#tags(tags);
    form.uvar32(list.length);
    for (const { key, value } of list) {
      this.#add(key);
      this.#add(value);
    }
    if (form.pos > MAX_BYTES) throw invalid(`the name and the tags take ${form.pos} bytes, more than ${MAX_BYTES}`);
    return form.written().slice();
  }

  #tags(tags: Readonly<Record<string, string>>): TagBytes[] {
    if (typeof tags !== "object" || tags === null) throw invalid("the tags are not an object");
    const list: TagBytes[] = [];
    for (const name of Object.keys(tags)) {
      const key = this.#bytes(name, "tag", 1, MAX_KEY);
      const value = this.#bytes(tags[name], `value of tag ${JSON.stringify(name)}`, 0, MAX_VALUE);
      if (value.length > 0) list.push({ key, value });
    }
    if (list.length > MAX_TAGS) throw invalid(`${list.length} tags, more than ${MAX_TAGS}`);
    return list.sort((a, b) => Buffer.compare(a.key, b.key));
  }

  #add(bytes: Uint8Array): void {
    this.#form.uvar32(bytes.length);
    this.#form.raw(bytes);
  }

  #bytes(text: unknown, what: string, least: number, most: number): Uint8Array<ArrayBuffer> {
    if (typeof text !== "string") throw invalid(`the ${what} is not a string`);
    if (hasControl(text)) throw invalid(`the ${what} has a control character`);
    if (!text.isWellFormed()) throw invalid(`the ${what} has a lone surrogate`);
    this.#text.pos = 0;
    if (text.length <= most) this.#text.utf8(text);
    const { pos } = this.#text;
    if (text.length > most || pos > most) throw invalid(`the ${what} is longer than ${most} bytes`);
    if (pos < least) throw invalid(`the ${what} is empty`);
    return this.#text.written().slice();
  }
}

/** True if the text has one of U+0000 to U+001F, or U+007F. */
function hasControl(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x20 || unit === 0x7f) return true;
  }
  return false;
}

function invalid(message: string): MoonpackError {
  return new MoonpackError("ERR_INVALID_METRIC", message);
}

/** The name and the tags of a canonical form. Throws a DecodeError if it is not one. */
export function parseCanonical(form: Uint8Array): { name: string; tags: Record<string, string> } {
  const r = new ByteReader(form);
  const name = r.utf8(r.uvar32());
  const count = r.uvar32();
  if (name === "" || count > MAX_TAGS) throw new DecodeError("ERR_OUT_OF_RANGE", "not the form of a metric", 0);
  const tags: Record<string, string> = {};
  for (let i = 0; i < count; i++) {
    const key = r.utf8(r.uvar32());
    const value = r.utf8(r.uvar32());
    // A tag may be called __proto__.
    Object.defineProperty(tags, key, { value, enumerable: true, configurable: true, writable: true });
  }
  if (r.pos !== r.end) throw new DecodeError("ERR_TRAILING_BYTES", "bytes follow the last tag", r.pos);
  return { name, tags };
}
