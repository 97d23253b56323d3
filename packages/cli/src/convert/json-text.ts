import { Extension, Timestamp } from "moonpack";
import { EncodeError } from "moonpack/bytes";
import { extensionNote } from "../shared/extensions.js";
import { pathStep } from "./sink.js";
import { looksTyped, typedForm } from "./typed.js";

/** How JSON text is written. */
export interface JsonStyle {
  /** Values that JSON cannot hold become typed forms; otherwise they are errors. */
  readonly typed: boolean;
  /** Blanks per level; 0 writes everything on one line. */
  readonly indent: number;
  /** Integers beyond 2^53 are written as plain digits. They are exact, but many readers round them. */
  readonly bigIntegers: boolean;
}

/**
 * Writes decoded values as JSON. Maps and plain objects become objects. A value that JSON cannot hold becomes a typed form, or
 * an error with its path. `depth` is the depth of the value, for indentation; `path` returns its path, for errors.
 */
export function jsonText(value: unknown, style: JsonStyle, depth: number, path: () => string): string {
  const writer = new JsonWriter(style, depth, path);
  writer.value(value);
  return writer.text;
}

class JsonWriter {
  text = "";
  readonly #style: JsonStyle;
  readonly #path: () => string;
  readonly #steps: unknown[] = [];
  #depth: number;

  constructor(style: JsonStyle, depth: number, path: () => string) {
    this.#style = style;
    this.#depth = depth;
    this.#path = path;
  }

  value(value: unknown): void {
    if (typeof value === "string") this.text += JSON.stringify(value);
    else if (typeof value === "number") this.text += this.#number(value);
    else if (typeof value === "boolean") this.text += value ? "true" : "false";
    else if (value === null) this.text += "null";
    else if (Array.isArray(value)) this.#array(value);
    else if (value instanceof Map) this.#map(value);
    else if (isPlainObject(value)) this.#map(new Map(Object.entries(value)));
    else this.text += typeof value === "bigint" && this.#style.bigIntegers ? String(value) : this.#form(value);
  }

  #number(value: number): string {
    if (Number.isSafeInteger(value) && value !== 0) return String(value);
    if (Object.is(value, -0)) return this.#style.typed ? this.#form(value) : "-0.0";
    if (!Number.isFinite(value)) return this.#form(value);
    const digits = String(value);
    // A float beyond 2^53 keeps `.0`. Its digits alone would be read back as a 64-bit integer.
    return Number.isInteger(value) && value !== 0 && !digits.includes("e") ? `${digits}.0` : digits;
  }

  #array(items: readonly unknown[]): void {
    this.#begin("[");
    for (let index = 0; index < items.length; index++) {
      this.#separate(index);
      this.#steps.push(index);
      this.value(items[index]);
      this.#steps.pop();
    }
    this.#end("]", items.length);
  }

  #map(map: ReadonlyMap<unknown, unknown>): void {
    for (const key of map.keys()) {
      if (typeof key !== "string") {
        this.#pairs(map);
        return;
      }
    }
    const wrapped = this.#style.typed && looksTyped(map);
    if (wrapped) this.text += '{"$obj":';
    this.#begin("{");
    let index = 0;
    for (const [key, value] of map) {
      this.#separate(index++);
      this.text += keyText(key as string) + (this.#style.indent > 0 ? ": " : ":");
      this.#steps.push(key);
      this.value(value);
      this.#steps.pop();
    }
    this.#end("}", index);
    if (wrapped) this.text += "}";
  }

  /** Writes a map whose keys are not all strings, as `[key, value]` pairs. */
  #pairs(map: ReadonlyMap<unknown, unknown>): void {
    if (!this.#style.typed) throw this.#unsupported("a map with keys that are not strings", '{"$map": ..}');
    this.text += '{"$map":';
    this.#begin("[");
    let index = 0;
    for (const [key, value] of map) {
      this.#separate(index++);
      this.text += "[";
      this.value(key);
      this.text += ",";
      this.#steps.push(key);
      this.value(value);
      this.#steps.pop();
      this.text += "]";
    }
    this.#end("]", index);
    this.text += "}";
  }

  #form(value: unknown): string {
    const form = typedForm(value);
    if (this.#style.typed && form !== undefined) return form;
    const [what, as] = nameOf(value);
    throw this.#unsupported(what, as);
  }

  #unsupported(what: string, form: string): EncodeError {
    const code = what.startsWith("an integer") ? "ERR_UNSAFE_INTEGER" : "ERR_UNSUPPORTED_TYPE";
    const path = this.#path() + this.#steps.map(pathStep).join("");
    return new EncodeError(code, `JSON cannot hold ${what}; --typed writes it as ${form}`, path);
  }

  #begin(bracket: string): void {
    this.text += bracket;
    this.#depth++;
  }

  #separate(index: number): void {
    if (index > 0) this.text += ",";
    this.text += lineBreak(this.#style, this.#depth);
  }

  #end(bracket: string, count: number): void {
    this.#depth--;
    this.text += count > 0 ? lineBreak(this.#style, this.#depth) + bracket : bracket;
  }
}

/** Returns a line break with the indentation of this depth, or nothing when everything is on one line. */
export function lineBreak(style: JsonStyle, depth: number): string {
  return style.indent > 0 ? "\n" + " ".repeat(style.indent * depth) : "";
}

/** Keys recur, so the JSON of this many keys is kept. */
const KEPT_KEYS = 1024;
const keyTexts = new Map<string, string>();

function keyText(key: string): string {
  let text = keyTexts.get(key);
  if (text !== undefined) return text;
  text = JSON.stringify(key);
  if (keyTexts.size < KEPT_KEYS && key.length < 64) keyTexts.set(key, text);
  return text;
}

/** True for an object as JSON.parse creates it. */
function isPlainObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function nameOf(value: unknown): [string, string] {
  if (typeof value === "bigint")
    return [
      `an integer beyond 2^53 (${value}) exactly for every reader`,
      '{"$int": ..}, --big-integers as plain digits',
    ];
  if (typeof value === "number") return [String(value), '{"$float": ..}'];
  if (value instanceof Uint8Array) return ["binary data", '{"$bin": ..}'];
  if (value instanceof Timestamp) return ["a timestamp", '{"$time": ..}'];
  if (value instanceof Extension)
    return [`an extension of type ${value.type}${extensionNote(value.type)}`, '{"$ext": ..}'];
  return [`a value of type ${typeof value}`, "nothing"];
}
