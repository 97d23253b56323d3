import { EncodeError } from "moonpack/bytes";
import { type AnySchema, type Codec, ContainerReader, codec, decodeFramed } from "moonpack/pck";
import { parseWholeJson } from "../convert/wholeJson.js";
import { badInput, DataError, describeError } from "../shared/failure.js";
import type { ByteWindow } from "../shared/input.js";

/** Brackets that are open around a value's innermost: a map is two of them in JSON for one in PCK. */
const JSON_DEPTH = 3 * 512;
const LINE_FEED = 0x0a;

/** A codec of a schema that only the run knows. */
export type AnyCodec = Codec<unknown, unknown>;

/** Makes a codec of any schema. */
export function codecOf(schema: AnySchema): AnyCodec {
  return codec(schema) as Codec<unknown, never> as AnyCodec;
}

/** A container that is read: its schema is known first. */
export class ContainerSource {
  readonly #window: ByteWindow;
  readonly #reader: ContainerReader;

  /** `reader`: whose values are wanted, if not the container's own. */
  constructor(window: ByteWindow, reader: AnySchema | undefined) {
    this.#window = window;
    this.#reader = new ContainerReader(reader === undefined ? {} : { reader });
  }

  /** The schema that the container says. */
  async schema(): Promise<AnySchema> {
    while (this.#reader.head === null && (await this.#more()));
    if (this.#reader.head === null) this.#reader.end();
    return this.#reader.head!.schema;
  }

  /** Its values, as they come. */
  async *values(): AsyncGenerator<unknown, void, undefined> {
    do yield* this.#reader;
    while (await this.#more());
    this.#reader.end();
  }

  /** Pushes what is read next; false at the input's end. What was pushed before has to be read by then. */
  async #more(): Promise<boolean> {
    const window = this.#window;
    if (!(await window.more())) return false;
    this.#reader.push(window.view());
    window.consume(window.size);
    return true;
  }
}

/** The value of the one message that the input is. */
export async function* messageValue(window: ByteWindow, codec: AnyCodec, framed: boolean): AsyncGenerator<unknown> {
  const bytes = await window.reachEnd();
  yield framed ? decodeFramed(bytes, codec as Codec<unknown, never>) : codec.decode(bytes);
}

/** The value of a JSON text; those of a list where `isList`. */
export async function* jsonValues(
  window: ByteWindow,
  file: string,
  codec: AnyCodec,
  isList: boolean,
): AsyncGenerator<unknown> {
  const json = parseWholeJson(await window.reachEnd(), { maxDepth: JSON_DEPTH });
  if (!isList) {
    yield valueFrom(json, codec, file, "");
    return;
  }
  if (!Array.isArray(json)) {
    throw badInput("ERR_UNSUPPORTED_TYPE", "a container is a list of values: [..] in JSON, or NDJSON", 0);
  }
  for (const [i, item] of json.entries()) yield valueFrom(item, codec, file, `, in element ${i} of the list`);
}

/** The values of NDJSON, a line each; blank lines are none. */
export async function* lineValues(window: ByteWindow, file: string, codec: AnyCodec): AsyncGenerator<unknown> {
  for (let line = 1; await window.reach(1); line++) {
    // Where the search for the line's end goes on: no byte is looked at twice.
    let seen = 0;
    let length = window.view().indexOf(LINE_FEED);
    while (length < 0 && !window.ended) {
      seen = window.size;
      await window.more();
      length = window.view().indexOf(LINE_FEED, seen);
    }
    const text = window.view().subarray(0, length < 0 ? window.size : length);
    const { position } = window;
    if (!isBlank(text)) {
      const json = parseWholeJson(text, { position, maxDepth: JSON_DEPTH });
      yield valueFrom(json, codec, file, `, line ${line}`);
    }
    window.consume(Math.min(text.length + 1, window.size));
  }
}

function isBlank(text: Uint8Array): boolean {
  return text.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}

/** What a JSON form stands for; where it is none, the error says where that lies. */
function valueFrom(json: unknown, codec: AnyCodec, file: string, place: string): unknown {
  try {
    return codec.fromJSON(withFloats(json));
  } catch (error) {
    if (!(error instanceof EncodeError)) throw error;
    throw new DataError(file === "-" ? "standard input" : file, describeError(error) + place, error);
  }
}

/** Digits beyond 2^53 are read as bigints, so that nothing is rounded; those that a float is, too, are floats here. */
function withFloats(json: unknown): unknown {
  if (typeof json === "bigint") return BigInt(Number(json)) === json ? Number(json) : json;
  if (Array.isArray(json)) return json.map(withFloats);
  if (typeof json !== "object" || json === null) return json;
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, withFloats(value)]));
}
