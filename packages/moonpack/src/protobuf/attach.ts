/**
 * Putting our Writer and Reader into a protobuf.js that is loaded, and taking them out again.
 *
 * Static code has captured the two classes before, so replacing them would change nothing for it: what it calls is changed
 * instead. `create` gives ours; objects that captured code makes by `new` get their methods from ours by the prototype.
 */
import { describe, invalidArgument } from "../bytes/errors.js";
import { type ReaderSettings, readerClass } from "./installed-reader.js";
import { companionMethods, type NativeBuffers, writerClass } from "./installed-writer.js";
import { configure, configuredLong, type LongConstructor } from "./int64.js";
import { FieldReader } from "./read-fields.js";
import { Reader } from "./reader.js";

/** A class of protobuf.js. */
interface OriginalClass {
  readonly prototype: object;
  create(...args: never[]): unknown;
}

/** What is needed of protobuf.js 7 or 8, the whole or `protobufjs/minimal`. */
export interface ProtobufJs {
  /** The class of its Writers, */
  readonly Writer: OriginalClass;
  /** that of those that make Buffers, */
  readonly BufferWriter?: OriginalClass | { readonly prototype: object };
  /** the class of its Readers, */
  readonly Reader: OriginalClass & ReaderSettings;
  /** that of those that read Buffers, */
  readonly BufferReader?: OriginalClass | { readonly prototype: object };
  /** and what it has found: a Long, and Node's Buffer. */
  readonly util: { readonly Long?: unknown; readonly Buffer?: unknown };
}

/** What has been changed on which object, as it was; undefined where there was nothing. */
type Change = readonly [object, PropertyKey, PropertyDescriptor | undefined];

/** The changes to each Reader class that is attached. */
const attached = new WeakMap<object, Change[]>();
/** Those of `install`. */
const installed = new WeakMap<object, Change[]>();

/**
 * Makes protobuf.js's decoders take our Readers (they test `instanceof Reader`), and our Readers use its Long. Nothing else
 * changes. {@link uninstall} undoes it. `ERR_INVALID_ARGUMENT` for what is no protobuf.js.
 *
 * @example
 * attach(protobuf);
 * Message.decode(new Reader(bytes));
 */
export function attach(protobuf: ProtobufJs): void {
  checkLibrary(protobuf);
  if (attached.has(protobuf.Reader)) return;
  const changes: Change[] = [];
  attached.set(protobuf.Reader, changes);
  const isOriginal = (value: unknown) => Function.prototype[Symbol.hasInstance].call(protobuf.Reader, value);
  const accepts = (value: unknown) => value instanceof Reader || isOriginal(value);
  change(changes, protobuf.Reader, Symbol.hasInstance, { value: accepts, configurable: true });
  const { Long } = protobuf.util;
  if (configuredLong() === null && typeof Long === "function") configure({ Long: Long as LongConstructor });
}

/**
 * Makes a protobuf.js that is loaded write and read with ours, static code too that was loaded before. In Node `finish` goes
 * on to answer Buffers. {@link uninstall} undoes it. `ERR_INVALID_ARGUMENT` for what is no protobuf.js 7 or 8.
 *
 * @example
 * import protobuf from "protobufjs";
 * install(protobuf);
 */
export function install(protobuf: ProtobufJs): void {
  attach(protobuf);
  if (installed.has(protobuf.Reader)) return;
  const changes: Change[] = [];
  installed.set(protobuf.Reader, changes);
  const { Writer, BufferWriter, Reader: Original, BufferReader } = protobuf;
  const OurWriter = writerClass(protobuf.util.Buffer as NativeBuffers | null | undefined);
  const OurReader = readerClass(Original);
  const method = (value: unknown) => ({ value, writable: true, enumerable: true, configurable: true });
  change(
    changes,
    Writer,
    "create",
    method(() => new OurWriter()),
  );
  change(
    changes,
    Original,
    "create",
    method(
      (bytes: Uint8Array | readonly number[]) =>
        new OurReader(Array.isArray(bytes) ? Uint8Array.from(bytes) : (bytes as Uint8Array)),
    ),
  );
  const writing = companionMethods(OurWriter).map(([name, value]) => [name, method(value)] as const);
  for (const [name, descriptor] of writing) change(changes, Writer.prototype, name, descriptor);
  const reading = readerMethods(OurReader);
  for (const [name, descriptor] of reading) change(changes, Original.prototype, name, descriptor);
  // Those for Buffers have some methods of their own, which would hide ours.
  if (BufferWriter !== undefined) replaceOwn(changes, BufferWriter.prototype, writing);
  if (BufferReader !== undefined) replaceOwn(changes, BufferReader.prototype, reading);
}

/** Takes ours out again, also after {@link attach} alone. */
export function uninstall(protobuf: ProtobufJs): void {
  checkLibrary(protobuf);
  for (const registry of [installed, attached]) {
    for (const [object, key, before] of (registry.get(protobuf.Reader) ?? []).reverse()) {
      if (before === undefined) Reflect.deleteProperty(object, key);
      else Object.defineProperty(object, key, before);
    }
    registry.delete(protobuf.Reader);
  }
}

function checkLibrary(protobuf: ProtobufJs): void {
  const isLibrary =
    typeof protobuf === "object" &&
    protobuf !== null &&
    typeof protobuf.Writer === "function" &&
    typeof protobuf.Reader === "function" &&
    typeof protobuf.util === "object";
  if (!isLibrary) throw invalidArgument(`expected protobuf.js, not ${describe(protobuf)}`);
}

function change(changes: Change[], object: object, key: PropertyKey, descriptor: PropertyDescriptor): void {
  changes.push([object, key, Object.getOwnPropertyDescriptor(object, key)]);
  Object.defineProperty(object, key, descriptor);
}

type Method = readonly [string, PropertyDescriptor];

function replaceOwn(changes: Change[], prototype: object, methods: readonly Method[]): void {
  for (const [name, descriptor] of methods) {
    if (Object.hasOwn(prototype, name)) change(changes, prototype, name, descriptor);
  }
}

/** Our Reader's methods work on protobuf.js's own objects: they have `buf`, `pos` and `len`, and what is absent is at its default. */
function readerMethods(OurReader: typeof Reader): Method[] {
  const methods = new Map<string, PropertyDescriptor>();
  for (const { prototype } of [FieldReader, Reader, OurReader]) {
    for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
      if (name !== "constructor") methods.set(name, descriptor);
    }
  }
  return [...methods];
}
