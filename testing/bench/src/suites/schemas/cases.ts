import { SocketInputs } from "../../measure/inputs.js";
import { timeOwn } from "../../measure/processor.js";
import type { Operation } from "../../types.js";

/** A schema with its codec and its messages. */
export interface SchemaCase {
  readonly id: string;
  readonly values: readonly object[];
  /** Encodes the same values repeatedly instead of copies, which would not fit into the processor's cache. */
  readonly isLarge?: boolean;
  encode(value: object): Uint8Array;
  decode(bytes: Uint8Array): object;
}

/** A turn: messages by the numbers of their schemas. */
export interface Turn {
  readonly operation: Operation;
  readonly schemas: readonly number[];
}

/** The time of a turn. */
export interface TurnTime {
  readonly micros: number;
}

/** Messages that are prepared together, few enough for the processor's cache: a service handles values that have just arrived. */
const GROUP = 32;

/** Takes measured results, so that the compiler cannot remove the work. */
const sink: { value: unknown } = { value: undefined };

/** The schemas of a process at work. The messages of each come one after the other, and again from the first. */
export class Work {
  readonly #cases: readonly SchemaCase[];
  readonly #payloads: readonly (readonly Uint8Array[])[];
  readonly #next: number[];
  readonly #inputs = new SocketInputs("buffer");

  constructor(cases: readonly SchemaCase[]) {
    this.#cases = cases;
    this.#payloads = cases.map((each) => each.values.map((value) => Uint8Array.from(each.encode(value))));
    this.#next = cases.map(() => 0);
  }

  /** The mean bytes of each schema's messages. */
  sizes(): number[] {
    return this.#payloads.map((each) => each.reduce((sum, { length }) => sum + length, 0) / each.length);
  }

  /** Takes a turn. Decoders get bytes that they have not seen, encoders objects that were just built. */
  take({ operation, schemas }: Turn): TurnTime {
    const cases = this.#cases;
    let milliseconds = 0;
    for (let from = 0; from < schemas.length; from += GROUP) {
      const group = schemas.slice(from, from + GROUP);
      const inputs = group.map((schema) => this.#input(operation, schema));
      milliseconds += timeOwn(
        operation === "encode"
          ? () => encodeAll(cases, group, inputs as object[])
          : () => decodeAll(cases, group, inputs as Uint8Array[]),
      );
      sink.value = undefined;
    }
    return { micros: Math.round(milliseconds * 1000) };
  }

  #input(operation: Operation, schema: number): object {
    const { values, isLarge = false } = this.#cases[schema]!;
    const index = this.#next[schema]!;
    this.#next[schema] = (index + 1) % values.length;
    if (operation === "decode") return this.#inputs.copy(this.#payloads[schema]![index]!) as Uint8Array;
    return isLarge ? values[index]! : newCopy(values[index]!);
  }
}

/** A copy of plain objects and arrays, however deep. Objects of classes (bytes, 64-bit integers) stay the same. */
function newCopy(value: object): object {
  if (Array.isArray(value)) {
    const list: unknown[] = value.slice(); // keeps numbers unboxed; `map` does not always
    for (let i = 0; i < list.length; i++) if (isObject(list[i])) list[i] = newCopy(list[i] as object);
    return list;
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  // The copy has the hidden class of an object literal: built key by key, a large one would be a dictionary.
  const copy: Record<string, unknown> = { ...value };
  for (const key of Object.keys(copy)) if (isObject(copy[key])) copy[key] = newCopy(copy[key]);
  return copy;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function encodeAll(cases: readonly SchemaCase[], schemas: readonly number[], inputs: readonly object[]): void {
  for (let i = 0; i < schemas.length; i++) sink.value = cases[schemas[i]!]!.encode(inputs[i]!);
}

function decodeAll(cases: readonly SchemaCase[], schemas: readonly number[], inputs: readonly Uint8Array[]): void {
  for (let i = 0; i < schemas.length; i++) sink.value = cases[schemas[i]!]!.decode(inputs[i]!);
}
