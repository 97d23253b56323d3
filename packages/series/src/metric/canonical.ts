/**
 * The canonical form of a metric's identity (docs/series-format.md, section 2): its name, and its tags by ascending keys. Two metrics are
 * equal if these bytes are equal. Text is not normalised.
 */
import { ByteReader, ByteWriter, DecodeError, MoonpackError, recordOf } from "moonpack/bytes";
import type { Metric } from "./metric.js";

const MAX_NAME = 255;
const MAX_KEY = 127;
const MAX_VALUE = 1023;
const MAX_TAGS = 32;
/** Maximum bytes of the form. */
const MAX_BYTES = 4096;

/** One tag, as bytes. */
interface TagBytes {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/** Encodes canonical forms, with reused memory. */
export class CanonicalForms {
  readonly #text = new ByteWriter();
  readonly #form = new ByteWriter();

  /** Returns the canonical form of a metric in new memory. Throws `ERR_INVALID_METRIC`. */
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

/** True for a short, valid key of a tag. False also for long keys, whose bytes must be counted. */
export function isTagKey(key: string): boolean {
  return key !== "" && 3 * key.length <= MAX_KEY && !hasControl(key) && key.isWellFormed();
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

/** Decodes the name and the tags of a canonical form. Throws a DecodeError for an invalid form. */
export function parseCanonical(form: Uint8Array): { name: string; tags: Record<string, string> } {
  if (form.length > MAX_BYTES) throw new DecodeError("ERR_OUT_OF_RANGE", "the form of a metric is too long", MAX_BYTES);
  const r = new ByteReader(form);
  const name = readText(r, MAX_NAME);
  const start = r.pos;
  const count = r.uvar32();
  if (count > MAX_TAGS) throw new DecodeError("ERR_OUT_OF_RANGE", `a metric with ${count} tags`, start);
  const tags: [string, string][] = [];
  let before = form.subarray(0, 0);
  for (let i = 0; i < count; i++) {
    const at = r.pos;
    const key = readText(r, MAX_KEY);
    // A length of up to 127 is one byte.
    const keyBytes = form.subarray(at + 1, r.pos);
    if (Buffer.compare(before, keyBytes) >= 0)
      throw new DecodeError("ERR_MAP_ORDER", "the keys of tags do not ascend", at);
    before = keyBytes;
    const value = readText(r, MAX_VALUE);
    tags.push([key, value]);
  }
  if (r.pos !== r.end) throw new DecodeError("ERR_TRAILING_BYTES", "bytes follow the last tag", r.pos);
  return { name, tags: recordOf(tags) };
}

/** Reads a length-prefixed text of 1 to `most` bytes. */
function readText(r: ByteReader, most: number): string {
  const start = r.pos;
  const length = r.uvar32();
  if (length === 0 || length > most)
    throw new DecodeError("ERR_OUT_OF_RANGE", `a text of ${length} bytes in a metric`, start);
  const text = r.utf8(length);
  if (hasControl(text)) throw new DecodeError("ERR_OUT_OF_RANGE", "a control character in a metric", start);
  return text;
}
