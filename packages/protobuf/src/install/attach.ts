/**
 * `attach`, `install` and `uninstall`: our Writer and Reader in a protobuf.js that is already loaded.
 *
 * Static code captures the classes of protobuf.js when it is loaded. So we keep the classes and change their members: `create`
 * returns our objects, and the prototypes get our methods, for objects that static code creates with `new`.
 */
import { describe, invalidArgument } from "moonpack/bytes";
import { attachLong, detachLong, type LongConstructor } from "../int64.js";
import { attachErrors, detachErrors } from "../reader/attached-errors.js";
import { FieldReader } from "../reader/fields.js";
import { Reader } from "../reader/reader.js";
import { Writer } from "../writer/writer.js";
import type { Library, ProtobufJs, ProtobufJsInside } from "./library.js";
import { errorTranslator } from "./original-errors.js";
import { readerClass } from "./reader.js";
import { companionMethods, writerClasses } from "./writer.js";

/** A changed property, with its descriptors before and after the change. `before` is undefined for a new property. */
interface Change {
  readonly object: object;
  readonly key: PropertyKey;
  before: PropertyDescriptor | undefined;
  readonly after: PropertyDescriptor;
}

/** A library and the changes that were made in it. */
interface Attached {
  readonly library: Library;
  /** The changes of `attach`, then the changes of `install`. */
  readonly changes: Change[];
  isInstalled: boolean;
}

/** The attached libraries, by their Reader classes. */
const attached = /* @__PURE__ */ new WeakMap<object, Attached>();

/**
 * Attaches our Reader to protobuf.js: decoders of protobuf.js, which test `instanceof Reader`, accept it. Our Readers then throw
 * errors of protobuf.js. They return its Long, unless `configure` of this package has set another class. Nothing else changes. {@link uninstall} undoes it.
 * Throws `ERR_INVALID_ARGUMENT` if `protobuf` is not protobuf.js.
 *
 * @example
 * attach(protobuf);
 * Message.decode(new Reader(bytes));
 */
export function attach(protobuf: ProtobufJs): void {
  attachedTo(protobuf);
}

/**
 * Installs our Writer and Reader in protobuf.js. Static code that was loaded earlier uses them too. `finish` still returns a
 * Buffer where it did before, of the Buffer class that protobuf.js is configured with. An error of reading has the class and the
 * text of protobuf.js. It is also a `DecodeError`, with `code`, `offset` and `needMore`. {@link uninstall} undoes it. For protobuf.js
 * 7 and 8; the version is not checked. Throws `ERR_INVALID_ARGUMENT` if `protobuf` is not protobuf.js.
 *
 * @example
 * import protobuf from "protobufjs";
 * install(protobuf);
 */
export function install(protobuf: ProtobufJs): void {
  const entry = attachedTo(protobuf);
  if (entry.isInstalled) return;
  entry.isInstalled = true;
  const { library, changes } = entry;
  const { Writer: OriginalWriter, BufferWriter, Reader: OriginalReader, BufferReader } = protobuf;
  library.makesBuffers = makesBuffers(protobuf);
  const { Plain, ForBuffers } = writerClasses(library);
  const OurReader = readerClass(library);
  const createWriter = () => (library.makesBuffers ? new ForBuffers() : new Plain());
  const createReader = (bytes: Uint8Array) => {
    const isBytes = bytes instanceof Uint8Array || Array.isArray(bytes) || library.isBuffer(bytes);
    if (!isBytes) throw invalidArgument("illegal buffer"); // protobuf.js's text
    return new OurReader(bytes);
  };
  change(changes, OriginalWriter, "create", method(createWriter));
  change(changes, OriginalReader, "create", method(createReader));
  const returnsBuffers = (writer: object) => BufferWriter !== undefined && isInstance.call(BufferWriter, writer);
  // For objects that static code creates with `new`: these methods call a Writer of ours, the companion of the object.
  const companions = companionMethods((writer) => (returnsBuffers(writer) ? new ForBuffers() : new Plain()));
  const writing = companions.map(([name, value]) => [name, method(value)] as const);
  for (const [name, descriptor] of writing) change(changes, OriginalWriter.prototype, name, descriptor);
  const reading = readerMethods(OurReader);
  for (const [name, descriptor] of reading) change(changes, OriginalReader.prototype, name, descriptor);
  // The classes for Buffers override some methods, which would hide ours.
  if (BufferWriter !== undefined) replaceOwn(changes, BufferWriter.prototype, writing);
  if (BufferReader !== undefined) replaceOwn(changes, BufferReader.prototype, reading);
  acceptInstances(changes, OriginalWriter, (value) => value instanceof Writer);
  if (BufferWriter !== undefined) acceptInstances(changes, BufferWriter, (value) => value instanceof ForBuffers);
  const readsBuffer = (value: unknown) => value instanceof OurReader && library.isBuffer(value.buf);
  if (BufferReader !== undefined) acceptInstances(changes, BufferReader, readsBuffer);
}

/** Undoes {@link install} and {@link attach}. */
export function uninstall(protobuf: ProtobufJs): void {
  checkLibrary(protobuf);
  for (const { object, key, before } of attached.get(protobuf.Reader)?.changes.reverse() ?? []) {
    if (before === undefined) Reflect.deleteProperty(object, key);
    else Object.defineProperty(object, key, before);
  }
  attached.delete(protobuf.Reader);
  if (isBaseClass(protobuf.Reader)) Object.setPrototypeOf(FieldReader.prototype, Object.prototype);
  detachLong(protobuf.Reader);
  detachErrors(protobuf.Reader);
}

function attachedTo(protobuf: ProtobufJs): Attached {
  checkLibrary(protobuf);
  const { Writer: OriginalWriter, Reader: OriginalReader } = protobuf;
  const found = attached.get(OriginalReader);
  if (found !== undefined) return found;
  const changes: Change[] = [];
  const library = describeLibrary(protobuf as ProtobufJsInside, () => originalMethods(OriginalReader, changes));
  const entry = { library, changes, isInstalled: false };
  attached.set(OriginalReader, entry);
  if (!setBaseClass(OriginalReader)) acceptInstances(changes, OriginalReader, (value) => value instanceof Reader);
  for (const original of [OriginalWriter, OriginalReader]) followConfiguration(entry, original);
  attachLong(OriginalReader, library.Long);
  attachErrors(OriginalReader, library.translate);
  return entry;
}

function describeLibrary(protobuf: ProtobufJsInside, methods: () => object): Library {
  return {
    protobuf,
    isVersion7: "_slice" in protobuf.Reader.prototype,
    Long: longOf(protobuf),
    makesBuffers: false,
    isBuffer(value) {
      return this.makesBuffers && protobuf.util.Buffer?.isBuffer?.(value) === true;
    },
    translate: errorTranslator(methods),
  };
}

/** Returns an object with the methods of protobuf.js's Reader as they were before our changes. */
function originalMethods({ prototype }: ProtobufJs["Reader"], changes: readonly Change[]): object {
  const methods = Object.create(Object.prototype, Object.getOwnPropertyDescriptors(prototype)) as object;
  for (const { object, key, before } of changes) {
    if (object !== prototype) continue;
    if (before === undefined) Reflect.deleteProperty(methods, key);
    else Object.defineProperty(methods, key, before);
  }
  return methods;
}

/**
 * Returns true if protobuf.js is configured to create BufferWriters. To be called while `Writer.create` is protobuf.js's own.
 */
function makesBuffers({ Writer: OriginalWriter, BufferWriter }: ProtobufJs): boolean {
  return BufferWriter !== undefined && isInstance.call(BufferWriter, OriginalWriter.create());
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

function method(value: unknown): PropertyDescriptor {
  return { value, writable: true, enumerable: true, configurable: true };
}

function change(changes: Change[], object: object, key: PropertyKey, after: PropertyDescriptor): void {
  changes.push({ object, key, before: Object.getOwnPropertyDescriptor(object, key), after });
  Object.defineProperty(object, key, after);
}

/**
 * `protobuf.configure()` sets `create` and a few methods again, for a new Long or Buffer class. We then put our members back, and
 * `uninstall` will restore the members that `configure` has set.
 */
function followConfiguration(entry: Attached, original: object): void {
  const { library, changes } = entry;
  const { protobuf } = library;
  const configure = Object.getOwnPropertyDescriptor(original, "_configure")?.value as unknown;
  if (typeof configure !== "function") return;
  const configureAndRenew = function (this: unknown, ...args: unknown[]): unknown {
    const result: unknown = Reflect.apply(configure, this, args);
    if (entry.isInstalled && original === protobuf.Writer) library.makesBuffers = makesBuffers(protobuf);
    changes.forEach(renew);
    library.Long = longOf(protobuf);
    attachLong(protobuf.Reader, library.Long);
    return result;
  };
  change(changes, original, "_configure", method(configureAndRenew));
}

/** Makes a change again. The property that has replaced ours becomes `before`. */
function renew(each: Change): void {
  const { object, key, after } = each;
  const now = Object.getOwnPropertyDescriptor(object, key);
  if (now?.value === after.value) return;
  each.before = now;
  Object.defineProperty(object, key, after);
}

/**
 * Makes our Readers instances of the original class by inheritance. Returns false if that is not possible, for example because they
 * inherit from the class of another library. {@link acceptInstances} works for any number of libraries, but its test is a function.
 * That costs 100 ns in Firefox, and decoders test once for each nested message.
 */
function setBaseClass(original: ProtobufJs["Reader"]): boolean {
  const { prototype } = FieldReader;
  if (Object.getPrototypeOf(prototype) !== Object.prototype) return false;
  if (Object.hasOwn(original, Symbol.hasInstance)) return false;
  return Reflect.setPrototypeOf(prototype, original.prototype); // false if it would make a circle
}

/** Returns true if our Readers inherit from the original class. */
function isBaseClass(original: ProtobufJs["Reader"]): boolean {
  return Object.getPrototypeOf(FieldReader.prototype) === original.prototype;
}

/** The default `instanceof` of classes. */
const isInstance = Function.prototype[Symbol.hasInstance];

/**
 * Makes our objects instances of the original class. Classes that extend it inherit the test, but our objects are not
 * instances of them.
 */
function acceptInstances(changes: Change[], original: object, isOurs: (value: unknown) => boolean): void {
  const accepts = function (this: unknown, value: unknown): boolean {
    return (this === original && isOurs(value)) || isInstance.call(this, value);
  };
  change(changes, original, Symbol.hasInstance, { value: accepts, configurable: true });
}

type Method = readonly [string, PropertyDescriptor];

/** Replaces the methods that a prototype overrides. */
function replaceOwn(changes: Change[], prototype: object, methods: readonly Method[]): void {
  for (const [name, descriptor] of methods) {
    if (Object.hasOwn(prototype, name)) change(changes, prototype, name, descriptor);
  }
}

/**
 * Returns the methods of our Reader, for Readers that protobuf.js has created. These have only the fields `buf`, `pos` and `len`. The
 * methods use defaults for the other fields of our Readers.
 */
function readerMethods(OurReader: typeof Reader): Method[] {
  const methods = new Map<string, PropertyDescriptor>();
  for (const { prototype } of [FieldReader, Reader, OurReader]) {
    for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
      if (name !== "constructor") methods.set(name, descriptor);
    }
  }
  return [...methods];
}
