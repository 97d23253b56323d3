import { type AnySchema, type Codec, ContainerReader, codec, decodeFramed } from "@moonpack/pck";
import { EncodeError } from "moonpack/bytes";
import { parseWholeJson } from "../convert/whole-json.js";
import { DataError, describeError } from "../shared/failure.js";
import type { ByteWindow } from "../shared/input.js";
import { allowedNames } from "./allowed-names.js";

/** Open brackets in JSON that one level in PCK can take: a map is a list of pairs. */
const JSON_DEPTH = 3 * 512;
const LINE_FEED = 0x0a;

/** A codec of a schema that is known only at run time. */
export type AnyCodec = Codec<unknown, unknown>;

/** How values are decoded. */
export interface Reading {
  /** Most elements in one value; by default the library's limit. */
  readonly maxElements?: number;
}

/** Creates a codec of any schema. */
export function codecOf(schema: AnySchema, reading: Reading = {}): AnyCodec {
  return codec(schema, reading) as Codec<unknown, never> as AnyCodec;
}

/** Reads a container. Its schema is known before its values. */
export class ContainerSource {
  readonly #window: ByteWindow;
  readonly #reader: ContainerReader;

  /** `reader` is the schema to read the values as, if not the container's own. */
  constructor(window: ByteWindow, reader: AnySchema | undefined, reading: Reading = {}) {
    this.#window = window;
    this.#reader = new ContainerReader(reader === undefined ? reading : { ...reading, reader });
  }

  /** Returns the schema in the container. */
  async schema(): Promise<AnySchema> {
    while (this.#reader.head === null && (await this.#more()));
    if (this.#reader.head === null) this.#reader.end();
    return this.#reader.head!.schema;
  }

  /** Returns the values as they arrive. */
  async *values(): AsyncGenerator<unknown, void, undefined> {
    do yield* this.#reader;
    while (await this.#more());
    this.#reader.end();
  }

  /**
   * Pushes the next bytes: those in the window, or else the next of the input. Returns false at its end. Values pushed before must
   * be read first.
   */
  async #more(): Promise<boolean> {
    const window = this.#window;
    if (window.size === 0 && !(await window.more())) return false;
    this.#reader.push(window.view());
    window.consume(window.size);
    return true;
  }
}

/** Returns the value of an input that is one message. */
export async function* messageValue(window: ByteWindow, codec: AnyCodec, framed: boolean): AsyncGenerator<unknown> {
  const bytes = await window.reachEnd();
  yield framed ? decodeFramed(bytes, codec as Codec<unknown, never>) : codec.decode(bytes);
}

/** Returns the value of a JSON text; with `isMany`, the values of a list, or the only one. */
export async function* jsonValues(
  window: ByteWindow,
  file: string,
  codec: AnyCodec,
  isMany: boolean,
): AsyncGenerator<unknown> {
  const json = parseWholeJson(await window.reachEnd(), 0, JSON_DEPTH);
  if (isMany && Array.isArray(json)) yield* itemsOf(json, codec, file);
  else yield valueFrom(json, codec, file, "");
}

/** Returns the values of NDJSON, one per line, or of a list that is the only line. Blank lines are skipped. */
export async function* lineValues(window: ByteWindow, file: string, codec: AnyCodec): AsyncGenerator<unknown> {
  const valueAt = ({ json, line }: JsonLine) => valueFrom(json, codec, file, `, line ${line}`);
  // A schema is a struct, so a list cannot be a value: it waits for the next line, which decides.
  let list: JsonLine | undefined;
  let isFirst = true;
  for await (const one of jsonLines(window)) {
    if (list !== undefined) valueAt(list);
    if (isFirst && Array.isArray(one.json)) list = one;
    else yield valueAt(one);
    isFirst = false;
  }
  if (list !== undefined) yield* itemsOf(list.json as unknown[], codec, file);
}

/** Returns the values of a list. */
function* itemsOf(list: readonly unknown[], codec: AnyCodec, file: string): Generator<unknown> {
  for (const [i, item] of list.entries()) yield valueFrom(item, codec, file, `, in element ${i} of the list`);
}

/** A line of NDJSON: its value and its number. */
interface JsonLine {
  readonly json: unknown;
  readonly line: number;
}

/** Returns the JSON of each line, and the line's number. Blank lines are skipped. */
export async function* jsonLines(window: ByteWindow): AsyncGenerator<JsonLine> {
  for (let line = 1; await window.reach(1); line++) {
    // The search for a line's end continues here, so that every byte is searched once.
    let seen = 0;
    let length = window.view().indexOf(LINE_FEED);
    while (length < 0 && !window.ended) {
      seen = window.size;
      await window.more();
      length = window.view().indexOf(LINE_FEED, seen);
    }
    const text = window.view().subarray(0, length < 0 ? window.size : length);
    const { position } = window;
    if (!isBlank(text)) yield { json: parseWholeJson(text, position, JSON_DEPTH), line };
    window.consume(Math.min(text.length + 1, window.size));
  }
}

function isBlank(text: Uint8Array): boolean {
  return text.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}

/** Converts a value from its JSON form. An error names its place. */
function valueFrom(json: unknown, codec: AnyCodec, file: string, place: string): unknown {
  try {
    return codec.fromJSON(json, { int64: "any" });
  } catch (error) {
    if (!(error instanceof EncodeError)) throw error;
    const text = describeError(error);
    const end = text.lastIndexOf(" (at ");
    const whole = text.slice(0, end) + allowedNames(error, codec.schema) + text.slice(end) + place;
    throw new DataError(file === "-" ? "standard input" : file, whole, error);
  }
}
