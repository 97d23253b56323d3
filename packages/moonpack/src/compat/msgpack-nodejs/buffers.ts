import { type AnyExtension, tables } from "../../msgpack/extension-table.js";
import { Extensions } from "../../msgpack/extensions.js";

/** A Buffer over the same memory. */
function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>): Buffer<ArrayBuffer> {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** Definitions of another set, whose `decode` receives Buffers. Later registrations in that set count too. */
class BufferDefinitions extends Map<number, AnyExtension> {
  readonly #source: ReadonlyMap<number, AnyExtension>;
  readonly #decoded: Set<unknown>;

  constructor(source: ReadonlyMap<number, AnyExtension>, decoded: Set<unknown>) {
    super();
    this.#source = source;
    this.#decoded = decoded;
  }

  override get(type: number): AnyExtension | undefined {
    const definition = this.#source.get(type);
    if (definition === undefined) return undefined;
    return {
      ...definition,
      decode: (bytes) => {
        const value = definition.decode(bufferOf(bytes));
        if (typeof value === "object" && value !== null) this.#decoded.add(value);
        return value;
      },
    };
  }
}

/**
 * The extensions of another set, for one stream: their `decode` receives Buffers, as in the original, whose stream passes
 * parts of a Buffer. Remembers the objects that `decode` returns: they are the caller's own and must not be changed.
 */
export class BufferExtensions extends Extensions {
  readonly #decoded = new Set<unknown>();

  constructor(extensions: Extensions) {
    super();
    const { byType } = tables.get(extensions)!;
    tables.set(this, { byType: new BufferDefinitions(byType, this.#decoded), byPrototype: new Map() });
  }

  /** Replaces each Uint8Array in a decoded message by a Buffer over the same memory. Values of extensions stay as they are. */
  withBuffers(message: unknown): unknown {
    // Not recursive: a message may be 4,096 levels deep.
    const containers: object[] = [];
    const convert = (value: unknown): unknown => {
      if (typeof value !== "object" || value === null || this.#decoded.has(value)) return value;
      if (value instanceof Uint8Array) return bufferOf(value as Uint8Array<ArrayBuffer>);
      if (!(value instanceof Date)) containers.push(value);
      return value;
    };
    const result = convert(message);
    for (let container = containers.pop(); container !== undefined; container = containers.pop()) {
      if (container instanceof Map) convertMap(container, convert);
      else convertMembers(container as Record<string, unknown>, convert);
    }
    this.#decoded.clear();
    return result;
  }
}

/** Converts the elements of an array or the properties of a plain object. */
function convertMembers(container: Record<string, unknown>, convert: (value: unknown) => unknown): void {
  for (const key of Object.keys(container)) {
    const value = container[key];
    const converted = convert(value);
    if (converted !== value) container[key] = converted;
  }
}

/** Converts keys and values of a Map, in their order. */
function convertMap(map: Map<unknown, unknown>, convert: (value: unknown) => unknown): void {
  const entries = [...map];
  map.clear();
  for (const [key, value] of entries) map.set(convert(key), convert(value));
}
