/** The Buffer class that protobuf.js is configured with: an installed copy uses it wherever the original does. */

import { toHex } from "@moonpack/harness/hex.ts";
import { install, uninstall } from "@moonpack/protobuf";
import * as v7 from "@moonpack/protobufjs-7";
import * as v8 from "@moonpack/protobufjs-8";
import { afterEach, describe, expect, test } from "vitest";

/** A Buffer class of a user. Its static members are added below. */
class CustomBuffer extends Uint8Array {
  utf8Write(text: string, position: number) {
    const bytes = Buffer.from(text);
    this.set(bytes, position);
    return bytes.length;
  }

  utf8Slice(start: number, end: number) {
    return Buffer.from(this.buffer, this.byteOffset + start, end - start).toString();
  }
}

/** Another one, whose `from` returns views of memory, as Node's does. */
class ViewBuffer extends CustomBuffer {}

type BufferLike = typeof CustomBuffer;

/** Adds the static members that protobuf.js calls. */
function addStatics(Class: BufferLike, from: (memory: ArrayBuffer, start: number, length: number) => Uint8Array): void {
  const statics = {
    alloc: (size: number) => new Class(size),
    allocUnsafe: (size: number) => new Class(size),
    byteLength: (text: string) => Buffer.byteLength(text),
    isBuffer: (value: unknown) => value instanceof Class,
    from(value: number[] | ArrayBuffer | string, start?: number | "base64", length?: number) {
      if (typeof value === "string") return new Class(Buffer.from(value, start as "base64"));
      return value instanceof ArrayBuffer ? from(value, start as number, length!) : new Class(value);
    },
  };
  for (const [name, value] of Object.entries(statics)) {
    Object.defineProperty(Class, name, { value, writable: true, configurable: true });
  }
}

addStatics(CustomBuffer, (memory) => new CustomBuffer(memory.slice(0))); // no rule says that it must be a view
addStatics(ViewBuffer, (memory, start, length) => new ViewBuffer(memory, start, length));

const SOURCE = `syntax = "proto3"; message Item { string name = 1; bytes image = 2; repeated Item parts = 3; }`;
const CLASSES = { Buffer, CustomBuffer, ViewBuffer, none: null } as const;

for (const [version, library] of [
  [7, v7 as unknown as typeof v8],
  [8, v8],
] as const) {
  describe(`protobuf.js ${version}`, () => {
    const { protobuf } = library;
    const Item = protobuf.parse(SOURCE).root.lookupType("Item");
    const message = { name: "héllo 🌙", image: Uint8Array.of(1, 2, 3), parts: [{ name: "x".repeat(300) }] };
    const bytes = new Uint8Array(Item.encode(message).finish());

    const setBuffer = (value: unknown) => Object.assign(protobuf.util, { Buffer: value });
    const configure = (value: unknown) => {
      setBuffer(value);
      protobuf.configure();
    };

    afterEach(() => {
      uninstall(protobuf);
      configure(Buffer);
    });

    /** The effects of the configured class: classes of results, of decoded bytes, and of Writers and Readers. */
    function report() {
      const decoded = (input: Uint8Array) => {
        const { name, image, parts } = Item.decode(input) as unknown as typeof message;
        const empty = protobuf.Reader.create(input).buf.constructor.name;
        return [name, image.constructor.name, toHex(image), parts.length, empty];
      };
      const emptyBytes = (input: Uint8Array) => protobuf.Reader.create(input).bytes().constructor.name;
      const inputs = [Uint8Array, CustomBuffer, ViewBuffer].map((Class) => new Class(bytes));
      const writer = protobuf.Writer.create();
      const result = Item.encode(message).finish();
      return {
        result: [result.constructor.name, toHex(result)],
        large: Item.encode({ ...message, image: new Uint8Array(2_000_000) })
          .finish()
          .constructor.name.replace("FastBuffer", "Buffer"),
        captured: [protobuf.Writer, ...(protobuf.util.Buffer ? [protobuf.BufferWriter] : [])].map(
          (Captured) => new Captured().string("text").finish().constructor.name,
        ),
        base64: toHex(protobuf.Writer.create().bytes("AQID").finish()),
        isBufferWriter: writer instanceof protobuf.BufferWriter,
        decoded: inputs.map(decoded),
        readers: inputs.map((input) => protobuf.Reader.create(input) instanceof protobuf.BufferReader),
        empty: [new Uint8Array(1), new CustomBuffer(1)].map(emptyBytes),
      };
    }

    for (const [name, Class] of Object.entries(CLASSES)) {
      test(`${name}, configured before install`, () => {
        configure(Class);
        const original = report();
        install(protobuf);
        expect(report()).toEqual(original);
      });

      test(`${name}, configured after install; uninstall keeps it`, () => {
        configure(Class);
        const original = report();
        configure(Buffer);
        install(protobuf);
        configure(Class);
        expect(report()).toEqual(original);
        configure(Buffer);
        configure(Class);
        expect(report()).toEqual(original);
        uninstall(protobuf);
        expect(report()).toEqual(original);
      });
    }

    test("a class that is set without configure() has no effect on Writers", () => {
      const classOf = () => protobuf.Writer.create().string("x").finish().constructor.name;
      const original = (() => {
        setBuffer(CustomBuffer);
        return classOf();
      })();
      configure(Buffer);
      install(protobuf);
      setBuffer(CustomBuffer);
      expect(classOf()).toBe(original);
    });

    test("the shared view has the class too, with the same bytes", () => {
      for (const Class of [CustomBuffer, ViewBuffer]) {
        configure(Class);
        install(protobuf);
        const writer = protobuf.Writer.create().string("text") as unknown as { finish(shared: boolean): Uint8Array };
        const shared = writer.finish(true);
        expect(shared).toBeInstanceOf(Class);
        expect(toHex(shared)).toBe("0474657874");
        uninstall(protobuf);
      }
    });
  });
}
