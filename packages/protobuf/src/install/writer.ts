/** The Writers of a protobuf.js in which ours is installed. */
import { EncodeError, invalidArgument } from "moonpack/bytes";
import { Writer } from "../writer/writer.js";
import type { Library } from "./library.js";
import { noRoom } from "./original-errors.js";

/** The classes that take the place of protobuf.js's Writer and BufferWriter. */
export interface WriterClasses {
  readonly Plain: typeof Writer;
  readonly ForBuffers: typeof Writer;
}

/** Makes Writer classes that follow the configuration of a protobuf.js, also when it changes later. */
export function writerClasses({ protobuf }: Library): WriterClasses {
  class Plain extends Writer {
    protected override decoded(text: string): Uint8Array {
      try {
        return super.decoded(text);
      } catch (cause) {
        throw cause instanceof EncodeError ? withText(cause, "invalid encoding") : cause;
      }
    }

    override finishInto<Target extends Uint8Array>(target: Target, offset = 0): Target {
      if (ArrayBuffer.isView(target) && !(offset >= 0 && offset + this.pos <= target.length)) throw noRoom();
      return super.finishInto(target, Number(offset));
    }
  }

  class ForBuffers extends Plain {
    protected override decoded(text: string): Uint8Array {
      const { util } = protobuf;
      if (util._Buffer_from) return util._Buffer_from(text, "base64");
      return util.Buffer ? util.Buffer.from(text, "base64") : super.decoded(text);
    }

    protected override result(bytes: Uint8Array, start: number, end: number): Uint8Array<ArrayBuffer> {
      const { BufferWriter } = protobuf;
      if (typeof BufferWriter?.alloc !== "function") return super.result(bytes, start, end);
      const result = BufferWriter.alloc(end - start); // small ones are slices of Node's pool
      result.set(bytes.subarray(start, end));
      return result;
    }

    protected override shared(bytes: Uint8Array<ArrayBuffer>, start: number, end: number): Uint8Array<ArrayBuffer> {
      const { buffer, byteOffset } = bytes;
      const BufferClass = protobuf.util.Buffer;
      const view = BufferClass?.from(buffer, byteOffset + start, end - start);
      const isView = view?.buffer === buffer && view.byteOffset === byteOffset + start && view.length === end - start;
      return isView ? view : this.result(bytes, start, end); // not every Buffer class has views
    }
  }

  return { Plain, ForBuffers };
}

/** Returns the error with another text. */
function withText(error: EncodeError, text: string): EncodeError {
  error.message = text;
  return error;
}

/**
 * Returns methods for protobuf.js's own Writers, which static code may still create with `new`. Each of these Writers has a
 * companion: a Writer of ours, created by `companionFor`, that does the work.
 */
export function companionMethods(
  companionFor: (original: object) => Writer,
): [string, (...args: never[]) => unknown][] {
  const companions = new WeakMap<object, Writer>();
  const companionOf = (original: object, method: string): Writer => {
    let writer = companions.get(original);
    if (writer === undefined) {
      // The bytes that it has are in fields of the original. The companion does not have them.
      if (method !== "reset" && isBegun(original)) {
        throw invalidArgument("this Writer was begun before `install` and cannot continue: reset it first");
      }
      writer = companionFor(original);
      companions.set(original, writer);
      // The original's fields return the companion's size and bytes.
      const names = Object.hasOwn(original, "buf") ? FIELDS_OF_8 : FIELDS;
      for (const name of names) {
        if (Object.hasOwn(original, name)) Object.defineProperty(original, name, fieldOf(writer, name));
      }
      for (const name of LIST_OF_7) {
        if (Object.hasOwn(original, name)) Object.defineProperty(original, name, missing(name));
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

/** The fields of a Writer of protobuf.js for its size; in 8 for its memory too. */
const FIELDS = ["pos", "len"] as const;
const FIELDS_OF_8 = ["pos", "len", "buf", "view", "states"] as const;
/** The ends of version 7's list of operations, which all methods of version 7 use. */
const LIST_OF_7 = ["head", "tail"] as const;

/** Returns a field with the value of the companion's. The original's own methods set it after `uninstall`: then it is a plain field. */
function fieldOf(writer: Writer, name: (typeof FIELDS_OF_8)[number]): PropertyDescriptor & ThisType<object> {
  return {
    get: () => writer[name],
    set(value: unknown) {
      makePlain(this, name, value);
    },
    configurable: true,
    enumerable: true,
  };
}

/** True if the Writer has bytes or an open fork. In a fork, version 7 counts from 0. */
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

/** Returns a field that throws when 7's own methods read it after `uninstall`: they would write wrong bytes. `reset` sets it again. */
function missing(name: (typeof LIST_OF_7)[number]): PropertyDescriptor & ThisType<object> {
  return {
    get: () => {
      throw invalidArgument(
        "this Writer was used while moonpack was installed and cannot continue after `uninstall`: reset it first",
      );
    },
    set(value: unknown) {
      makePlain(this, name, value);
    },
    configurable: true,
    enumerable: true,
  };
}

/** Makes a plain field of it, as the original's constructor does. */
function makePlain(original: object, name: string, value: unknown): void {
  Object.defineProperty(original, name, { value, writable: true, configurable: true, enumerable: true });
}

/** Returns the names of all methods of our Writer, its base classes included. */
function publicMethods(): Set<string> {
  const names = new Set<string>();
  for (let prototype = Writer.prototype; prototype !== Object.prototype; prototype = Object.getPrototypeOf(prototype)) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
      if (name !== "constructor" && typeof value === "function") names.add(name);
    }
  }
  return names;
}
