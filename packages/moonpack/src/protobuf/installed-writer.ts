/** What an installed protobuf.js writes with. */
import { invalidArgument } from "../bytes/errors.js";
import { Writer } from "./writer.js";

/** As much of Node's Buffer, or of its polyfill, as is needed. */
export interface NativeBuffers {
  allocUnsafe(size: number): Uint8Array<ArrayBuffer>;
  from(memory: ArrayBuffer, start: number, length: number): Uint8Array<ArrayBuffer>;
  from(text: string, encoding: "base64"): Uint8Array<ArrayBuffer>;
  isBuffer(value: unknown): boolean;
}

/** A Writer whose results are Buffers where protobuf.js's are. */
export function writerClass(buffers: NativeBuffers | null | undefined): typeof Writer {
  if (typeof buffers?.allocUnsafe !== "function") return Writer;
  return class extends Writer {
    protected override decoded(text: string): Uint8Array {
      return buffers.from(text, "base64");
    }

    protected override result(bytes: Uint8Array, start: number, end: number): Uint8Array<ArrayBuffer> {
      const result = buffers.allocUnsafe(end - start); // small ones are cut from Node's pool, as protobuf.js's are
      result.set(bytes.subarray(start, end));
      return result;
    }

    protected override shared(bytes: Uint8Array<ArrayBuffer>, start: number, end: number): Uint8Array<ArrayBuffer> {
      return buffers.from(bytes.buffer, bytes.byteOffset + start, end - start);
    }
  };
}

/**
 * Methods for protobuf.js's own Writers, which captured code may still make by `new`: each has one of ours beside it that does
 * the work, which `companionFor` makes.
 */
export function companionMethods(
  companionFor: (original: object) => Writer,
): [string, (...args: never[]) => unknown][] {
  const companions = new WeakMap<object, Writer>();
  const companionOf = (original: object, method: string): Writer => {
    let writer = companions.get(original);
    if (writer === undefined) {
      // What it has written lies in fields of the original's: going on without it would lose it.
      if (method !== "reset" && isBegun(original)) {
        throw invalidArgument("a Writer begun before `install` cannot go on: reset it first");
      }
      writer = companionFor(original);
      companions.set(original, writer);
      // Fields of the original's that tell how far it is, and what it has.
      const names = Object.hasOwn(original, "buf") ? FIELDS_OF_8 : FIELDS;
      for (const name of names) {
        if (Object.hasOwn(original, name)) Object.defineProperty(original, name, toldBy(writer, name));
      }
      for (const name of LIST_OF_7) {
        if (Object.hasOwn(original, name)) Object.defineProperty(original, name, lost(name));
      }
    }
    return writer;
  };
  const methods: [string, (...args: never[]) => unknown][] = [];
  for (const name of publicMethods()) {
    methods.push([
      name,
      function (this: object, ...args: never[]): unknown {
        const writer = companionOf(this, name) as unknown as Record<string, (...args: never[]) => unknown>;
        const result = writer[name]!(...args);
        return result === writer ? this : result;
      },
    ]);
  }
  return methods;
}

/** What a Writer of protobuf.js says about itself; 8 shows its memory too. */
const FIELDS = ["pos", "len"] as const;
const FIELDS_OF_8 = ["pos", "len", "buf", "view", "states"] as const;
/** The ends of 7's list of operations, which all of its own methods begin with. */
const LIST_OF_7 = ["head", "tail"] as const;

/** A field that tells what a Writer's does. Once something sets it, which only the original's own methods do, it is a plain one. */
function toldBy(writer: Writer, name: (typeof FIELDS_OF_8)[number]): PropertyDescriptor & ThisType<object> {
  return {
    get: () => writer[name],
    set(value: unknown) {
      settle(this, name, value);
    },
    configurable: true,
    enumerable: true,
  };
}

/** Has it written anything, or is a fork open? 7's count from 0 in a fork. */
function isBegun({
  pos,
  len,
  states,
}: {
  readonly pos?: unknown;
  readonly len?: unknown;
  readonly states?: unknown;
}): boolean {
  return Number(pos) > 0 || Number(len) > 0 || (states !== null && states !== undefined);
}

/** What is not there for 7's own methods, once they are back: they would write garbage. `reset` sets it anew. */
function lost(name: (typeof LIST_OF_7)[number]): PropertyDescriptor & ThisType<object> {
  return {
    get: () => {
      throw invalidArgument(
        "a Writer used while moonpack was installed cannot go on after `uninstall`: reset it first",
      );
    },
    set(value: unknown) {
      settle(this, name, value);
    },
    configurable: true,
    enumerable: true,
  };
}

/** A plain field, as the original's own methods know it. */
function settle(original: object, name: string, value: unknown): void {
  Object.defineProperty(original, name, { value, writable: true, configurable: true, enumerable: true });
}

/** Every method that a Writer has, by whichever of its classes. */
function publicMethods(): Set<string> {
  const names = new Set<string>();
  for (let prototype = Writer.prototype; prototype !== Object.prototype; prototype = Object.getPrototypeOf(prototype)) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
      if (name !== "constructor" && typeof value === "function") names.add(name);
    }
  }
  return names;
}
