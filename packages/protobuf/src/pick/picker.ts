import {
  flagOption,
  invalidArgument,
  optionsObject,
  ownOption,
  recordOf,
  refuseUnknown,
  toBytes,
} from "moonpack/bytes";
import type { Int64Form } from "../int64.js";
import type { ReaderOptions } from "../reader/fields.js";
import { Reader } from "../reader/reader.js";
import { addPath, Field, GROUP } from "./fields.js";
import type { FieldPaths, PickedFields, ReflectedType } from "./types.js";
import { addRange, addTo, finished, isEndOf, joined, occurrence, open, type Ranges, startOf } from "./values.js";

/** Options of a {@link FieldPicker}: those of a Reader, and two others. */
export interface FieldPickOptions<I extends Int64Form = Int64Form, B extends boolean = boolean> extends ReaderOptions {
  /** As in {@link ReaderOptions}. */
  readonly int64?: I;
  /** The message type of protobuf.js, by reflection: paths are then names of fields. */
  readonly type?: ReflectedType;
  /**
   * True adds the property `rest`: the bytes of all fields of the message that were not picked as a whole, unknown ones too, in their order.
   * Write picked fields after it to forward the message: the last value of a field counts. Default false.
   */
  readonly rest?: B;
}

/** The property `rest`, if there is one. */
export type RestOf<B extends boolean> = true extends B ? { rest: Uint8Array<ArrayBuffer> } : unknown;

/**
 * Decodes only some fields of Protobuf messages, by number or by a message type of protobuf.js, and skips the rest. Keep one for each kind of
 * message.
 *
 * @example
 * const orders = new FieldPicker({ id: [1, "uint32"], city: [3, 2, "string"], skus: [[4], 1, "string"] });
 * orders.decode(bytes); // { id: 7, city: "London", skus: ["A1", "B2"] }
 */
export class FieldPicker<
  const P extends FieldPaths = FieldPaths,
  const I extends Int64Form = "long",
  const B extends boolean = false,
> {
  readonly #root = new Field(false);
  readonly #names: readonly string[];
  /** The result of a message without fields, which is copied for each. */
  readonly #empty: { readonly [name: string]: unknown };
  /** Undefined for the defaults: a Reader without options is made faster. */
  readonly #options: ReaderOptions | undefined;
  readonly #keepsRest: boolean;

  /** Throws `ERR_INVALID_ARGUMENT` for a wrong path, and for an invalid or unknown option. */
  constructor(paths: P, options?: FieldPickOptions<I, B>) {
    if (typeof paths !== "object" || paths === null || Array.isArray(paths))
      throw invalidArgument("paths must be an object of paths");
    const given = optionsObject(options);
    refuseUnknown(given, ["strict", "int64", "type", "rest"]);
    const type = ownOption(given, "type") as ReflectedType | undefined;
    if (type !== undefined && (typeof type?.decode !== "function" || typeof (type.fields ?? 0) !== "object"))
      throw invalidArgument("type must be a message type of protobuf.js, as from root.lookupType");
    this.#keepsRest = flagOption("rest", ownOption(given, "rest"), false);
    this.#options = readerOptions(given);
    this.#names = Object.keys(paths);
    if (this.#keepsRest && this.#names.includes("rest")) throw invalidArgument('a path cannot be named "rest" here');
    const names = this.#keepsRest ? [...this.#names, "rest"] : this.#names;
    this.#empty = recordOf(names.map((name) => [name, undefined]));
    for (const [index, name] of this.#names.entries()) addPath(this.#root, paths[name], index, type);
  }

  /**
   * Returns the values of a message. What the message lacks is undefined; a list and a map are empty. The last value of a field counts, and a
   * message that is there twice is merged. `bytes` values are views of the input. Throws a `DecodeError` with code and offset: the tags
   * and lengths of the whole message are checked, the content of skipped fields is not.
   */
  decode(bytes: Uint8Array): PickedFields<P, I> & RestOf<B> {
    const reader = new Reader(toBytes(bytes), this.#options);
    const { slots } = this.#root;
    const values: unknown[] = [];
    for (let i = 0; i < slots.length; i++) values.push(startOf(slots[i]!));
    const rest: Ranges | null = this.#keepsRest ? [] : null;
    walk(this.#root, reader, reader.len, 0, values, rest);
    // Each name is an own property already, so that no setter of Object.prototype is called.
    const result: { [name: string]: unknown } = { ...this.#empty };
    for (let i = 0; i < slots.length; i++) result[this.#names[i]!] = finished(slots[i]!, values[i], reader);
    if (rest !== null) result["rest"] = joined(reader.buf, rest);
    return result as never;
  }
}

/** Checks the options of readers once, and copies them. */
function readerOptions(given: object): ReaderOptions | undefined {
  const strict = ownOption(given, "strict") as boolean | undefined;
  const int64 = ownOption(given, "int64") as Int64Form | undefined;
  if (strict === undefined && int64 === undefined) return undefined;
  const options = { ...(strict !== undefined && { strict }), ...(int64 !== undefined && { int64 }) };
  return new Reader(new Uint8Array(0), options) && options;
}

/** Reads the wanted fields of the message or group `container` that ends at `end`; `group` is the number of a group, or 0. */
function walk(
  container: Field,
  reader: Reader,
  end: number,
  group: number,
  values: unknown[],
  rest: Ranges | null,
): void {
  while (group !== 0 || reader.pos < end) {
    const start = reader.pos;
    const tag = reader.tag();
    if (isEndOf(group, tag, start)) return;
    const wire = tag & 7;
    const number = tag >>> 3;
    const field = container.fields.get(number);
    if (field === undefined) reader.skipType(wire, 0, number);
    else if (occurs(field, reader, wire, number, values, rest)) continue;
    if (rest !== null) addRange(rest, start, reader.pos);
  }
}

/** Reads an occurrence of a field that paths name. Returns true if it is read as a whole. */
function occurs(
  field: Field,
  reader: Reader,
  wire: number,
  number: number,
  values: unknown[],
  rest: Ranges | null,
): boolean {
  const { leaf, index, isList, rivals, closed } = field;
  const { pos } = reader;
  if (closed !== null && wire === 0) {
    if (!closed.has(reader.int32())) return false;
    reader.pos = pos;
  }
  if (((field.wins >> wire) & 1) === 1)
    for (const rival of rivals) for (const slot of rival.all) values[slot.index] = startOf(slot);
  const isWhole = leaf !== null && ((leaf.wires >> wire) & 1) === 1;
  const isInner = ((field.wires >> wire) & 1) === 1;
  if (isWhole) {
    const value = occurrence(leaf, isList, reader, wire, number, values[index], rest);
    if (value === null) return false;
    values[index] = value;
  }
  if (isInner) {
    reader.pos = pos;
    if (isList) elements(field, reader, wire, number, values);
    else content(field, reader, wire, number, values);
  } else if (!isWhole) reader.skipType(wire, 0, number);
  return isWhole;
}

/** Reads the wanted fields of a message or group in a field. */
function content(field: Field, reader: Reader, wire: number, number: number, values: unknown[]): void {
  if (wire === GROUP) return walk(field, reader, 0, number, values, null);
  const { len } = reader;
  reader.len = open(reader);
  walk(field, reader, reader.len, 0, values, null);
  reader.len = len;
}

/** Reads the wanted fields of an occurrence of a repeated field: it adds an element to each list below it. */
function elements(field: Field, reader: Reader, wire: number, number: number, values: unknown[]): void {
  const { slots } = field;
  const lists: unknown[][] = [];
  for (let i = 0; i < slots.length; i++) {
    const slot = slots[i]!;
    lists.push(values[slot.index] as unknown[]);
    values[slot.index] = startOf(slot);
  }
  content(field, reader, wire, number, values);
  for (let i = 0; i < slots.length; i++) {
    const slot = slots[i]!;
    addTo(lists[i]!, finished(slot, values[slot.index], reader), reader);
    values[slot.index] = lists[i];
  }
}
