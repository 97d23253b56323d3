/**
 * Putting our Writer and Reader into a protobuf.js that is loaded, and taking them out again.
 *
 * Static code has captured the two classes before, so replacing them would change nothing for it: what it calls is changed
 * instead. `create` gives ours; objects that captured code makes by `new` get their methods from ours by the prototype.
 */
import { describe, invalidArgument } from "../bytes/errors.js";
import { type ReaderSettings, readerClass } from "./installed-reader.js";
import { companionMethods, type NativeBuffers, writerClass } from "./installed-writer.js";
import { type LongConstructor, lendLong, takeBackLong } from "./int64.js";
import { FieldReader } from "./read-fields.js";
import { Reader } from "./reader.js";
import { Writer } from "./writer.js";

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

/** What has been changed on which object: as it was, undefined where there was nothing, and as it is now. */
interface Change {
  readonly object: object;
  readonly key: PropertyKey;
  before: PropertyDescriptor | undefined;
  readonly ours: PropertyDescriptor;
}

/** The changes to each Reader class that is attached. */
const attached = new WeakMap<object, Change[]>();
/** Those of `install`. */
const installed = new WeakMap<object, Change[]>();
/** The Long that each installed library has been configured with. */
const longs = new WeakMap<object, { Long: LongConstructor | null }>();

/**
 * Makes protobuf.js's decoders take our Readers (they test `instanceof Reader`), and our Readers use its Long where none is
 * configured. Nothing else changes. {@link uninstall} undoes it. `ERR_INVALID_ARGUMENT` for what is no protobuf.js.
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
  if (!descendFrom(protobuf.Reader)) acceptInstances(changes, protobuf.Reader, (value) => value instanceof Reader);
  for (const original of [protobuf.Writer, protobuf.Reader]) followConfiguration(changes, original, protobuf);
  lendLong(protobuf.Reader, longOf(protobuf));
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
  const { Writer: OriginalWriter, BufferWriter, Reader: OriginalReader, BufferReader } = protobuf;
  const buffers = protobuf.util.Buffer as NativeBuffers | null | undefined;
  const OurWriter = writerClass(buffers);
  const found = { Long: longOf(protobuf) };
  longs.set(OriginalReader, found);
  const OurReader = readerClass(OriginalReader, found);
  const method = (value: unknown) => ({ value, writable: true, enumerable: true, configurable: true });
  change(
    changes,
    OriginalWriter,
    "create",
    method(() => new OurWriter()),
  );
  change(
    changes,
    OriginalReader,
    "create",
    method((bytes: Uint8Array) => new OurReader(bytes)),
  );
  // As before, only those for Buffers give some, and only `create` makes those by itself.
  const makesBuffers = (writer: object) => BufferWriter !== undefined && isInstance.call(BufferWriter, writer);
  const companions = companionMethods((writer) => (makesBuffers(writer) ? new OurWriter() : new Writer()));
  const writing = companions.map(([name, value]) => [name, method(value)] as const);
  for (const [name, descriptor] of writing) change(changes, OriginalWriter.prototype, name, descriptor);
  const reading = readerMethods(OurReader);
  for (const [name, descriptor] of reading) change(changes, OriginalReader.prototype, name, descriptor);
  // Those for Buffers have some methods of their own, which would hide ours.
  if (BufferWriter !== undefined) replaceOwn(changes, BufferWriter.prototype, writing);
  if (BufferReader !== undefined) replaceOwn(changes, BufferReader.prototype, reading);
  acceptInstances(changes, OriginalWriter, (value) => value instanceof Writer);
  if (typeof buffers?.isBuffer !== "function") return;
  if (BufferWriter !== undefined) acceptInstances(changes, BufferWriter, (value) => value instanceof OurWriter);
  const isOfBuffer = (value: unknown) => value instanceof OurReader && buffers.isBuffer(value.buf);
  if (BufferReader !== undefined) acceptInstances(changes, BufferReader, isOfBuffer);
}

/** Takes ours out again, also after {@link attach} alone. */
export function uninstall(protobuf: ProtobufJs): void {
  checkLibrary(protobuf);
  for (const registry of [installed, attached]) {
    for (const { object, key, before } of (registry.get(protobuf.Reader) ?? []).reverse()) {
      if (before === undefined) Reflect.deleteProperty(object, key);
      else Object.defineProperty(object, key, before);
    }
    registry.delete(protobuf.Reader);
  }
  if (descendsFrom(protobuf.Reader)) Object.setPrototypeOf(FieldReader.prototype, Object.prototype);
  takeBackLong(protobuf.Reader);
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

function longOf({ util: { Long } }: ProtobufJs): LongConstructor | null {
  return typeof Long === "function" ? (Long as LongConstructor) : null;
}

function change(changes: Change[], object: object, key: PropertyKey, ours: PropertyDescriptor): void {
  changes.push({ object, key, before: Object.getOwnPropertyDescriptor(object, key), ours });
  Object.defineProperty(object, key, ours);
}

/** `protobuf.configure()`, called for a Long of another kind, puts methods anew: ours stay, those are for `uninstall`. */
function followConfiguration(changes: Change[], original: object, protobuf: ProtobufJs): void {
  const configure = Object.getOwnPropertyDescriptor(original, "_configure")?.value as unknown;
  if (typeof configure !== "function") return;
  const configureBoth = function (this: unknown, ...args: unknown[]): unknown {
    const answer: unknown = Reflect.apply(configure, this, args);
    for (const registry of [attached, installed]) registry.get(protobuf.Reader)?.forEach(renew);
    const Long = longOf(protobuf);
    lendLong(protobuf.Reader, Long);
    const found = longs.get(protobuf.Reader);
    if (found !== undefined) found.Long = Long;
    return answer;
  };
  change(changes, original, "_configure", {
    value: configureBoth,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}

function renew(each: Change): void {
  const { object, key, ours } = each;
  const now = Object.getOwnPropertyDescriptor(object, key);
  if (now?.value === ours.value) return;
  each.before = now;
  Object.defineProperty(object, key, ours);
}

/**
 * Makes ours instances of the original class as if derived from it; answers whether that is possible: for one library at a
 * time. What {@link acceptInstances} does works for all, but a test that is a function costs 100 ns in Firefox, and decoders
 * ask once for each nested message.
 */
function descendFrom(original: OriginalClass): boolean {
  const { prototype } = FieldReader;
  if (Object.getPrototypeOf(prototype) !== Object.prototype) return false;
  if (Object.hasOwn(original, Symbol.hasInstance)) return false;
  return Reflect.setPrototypeOf(prototype, original.prototype); // false where it would be a circle
}

function descendsFrom(original: OriginalClass): boolean {
  return Object.getPrototypeOf(FieldReader.prototype) === original.prototype;
}

/** The test of every class that has none of its own. */
const isInstance = Function.prototype[Symbol.hasInstance];

/** Makes ours instances of the original class; of classes that somebody has derived from it, which inherit the test, none. */
function acceptInstances(changes: Change[], original: object, isOurs: (value: unknown) => boolean): void {
  const accepts = function (this: unknown, value: unknown): boolean {
    return (this === original && isOurs(value)) || isInstance.call(this, value);
  };
  change(changes, original, Symbol.hasInstance, { value: accepts, configurable: true });
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
