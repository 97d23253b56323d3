import { EncodeError } from "moonpack/bytes";
import type { Output } from "../shared/output.js";
import { type JsonStyle, jsonText, lineBreak } from "./json-text.js";
import { type ContainerKind, Place, type Sink } from "./sink.js";

/** Number of characters that are collected before they are written. */
const JOINED = 16 * 1024;

/** Writes values as JSON text: one value, or one per line. */
export class JsonSink implements Sink {
  readonly #output: Output;
  readonly #style: JsonStyle;
  readonly #place = new Place();
  #text = "";
  readonly #path = () => this.#place.path();

  constructor(output: Output, style: JsonStyle) {
    this.#output = output;
    this.#style = style;
  }

  value(value: unknown): void {
    this.#separate();
    this.#write(jsonText(value, this.#style, this.#place.depth, this.#path));
    this.#endValue();
    this.#place.value();
  }

  key(key: unknown): void {
    this.#place.key(key);
    if (this.#style.typed) return;
    if (typeof key === "string") return;
    throw new EncodeError(
      "ERR_UNSUPPORTED_TYPE",
      'JSON cannot hold a map with keys that are not strings; --typed writes it as {"$map": ..}',
      this.#path(),
    );
  }

  open(kind: ContainerKind): void {
    this.#separate();
    // A map that arrives in parts may have keys of any type. With typed forms it is therefore always a list of pairs.
    this.#write(kind === "array" ? "[" : this.#style.typed ? '{"$map":[' : "{");
    this.#place.open(kind);
  }

  async close(): Promise<void> {
    const { kind, count } = this.#place.level!;
    const indent = count > 0 ? lineBreak(this.#style, this.#place.depth - 1) : "";
    this.#place.close();
    this.#write(indent + (kind === "array" ? "]" : this.#style.typed ? "]}" : "}"));
    this.#endValue();
  }

  endMessage(): void {
    this.#write("\n");
  }

  async drain(): Promise<void> {
    await this.#output.drain();
  }

  async finish(): Promise<void> {
    this.#output.writeJson(this.#text);
    await this.#output.finish();
  }

  discard(): void {
    this.#output.discard();
  }

  /** Joins short texts: converting each one to bytes would cost more than writing it. */
  #write(text: string): void {
    this.#text += text;
    if (this.#text.length < JOINED) return;
    this.#output.writeJson(this.#text);
    this.#text = "";
  }

  /** Writes the separator before a value: a comma and a new line, and in a map the key. */
  #separate(): void {
    const level = this.#place.level;
    if (level === undefined) return;
    let text = (level.count > 0 ? "," : "") + lineBreak(this.#style, this.#place.depth);
    if (level.kind === "map") {
      const key = jsonText(level.key, this.#style, this.#place.depth, this.#path);
      text += this.#style.typed ? `[${key},` : key + (this.#style.indent > 0 ? ": " : ":");
    }
    this.#write(text);
  }

  /** Writes the text after a value: in a typed map, the end of its pair. */
  #endValue(): void {
    if (this.#style.typed && this.#place.level?.kind === "map") this.#write("]");
  }
}
