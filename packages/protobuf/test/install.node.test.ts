/**
 * attach, install and uninstall for both versions of protobuf.js, with reflection and with static code that was loaded before.
 */
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toHex } from "@moonpack/harness/hex.ts";
import { attach, configure, install, Reader, uninstall, Writer } from "@moonpack/protobuf";
import * as v7 from "@moonpack/protobufjs-7";
import * as v8 from "@moonpack/protobufjs-8";
import { afterEach, describe, expect, test } from "vitest";

const SOURCE = `syntax = "proto3";
package shop;
message Item { int32 id = 1; string name = 2; sint64 price = 3; repeated double sizes = 4; map<string, Item> parts = 5;
  bytes image = 6; oneof kind { bool sold = 7; float discount = 8; } repeated int32 codes = 9; Item next = 10; }
`;
const file = join(tmpdir(), `moonpack-install-${process.pid}.proto`);
writeFileSync(file, SOURCE);

/** Static code of a message. */
interface MessageClass {
  encode(message: object, writer?: object): { finish(): Uint8Array };
  encodeDelimited(message: object, writer?: object): { finish(): Uint8Array };
  decode(reader: object): object;
  decodeDelimited(reader: object): object;
}

const message = {
  id: -7,
  name: "héllo 🌙",
  sizes: [1.5, -0, 1e300],
  parts: { a: { id: 1 }, "": { name: "x".repeat(300) } },
  image: Uint8Array.of(1, 2, 255),
  discount: 0.25,
  codes: [0, 127, 128, -1],
  next: { id: 300, next: { name: "deep" } },
};

for (const [version, library] of [
  ["7.6", v7],
  ["8.8", v8],
] as const) {
  describe(`protobuf.js ${version}`, () => {
    const { protobuf } = library;
    const statics = (library.load(library.generate(file)).shop as { Item: MessageClass }).Item;
    const reflected = protobuf
      .parse(SOURCE, { keepCase: true })
      .root.lookupType("shop.Item") as unknown as MessageClass;
    const { Writer: TheirWriter, Reader: TheirReader, BufferWriter, BufferReader } = protobuf;
    const json = (value: object) => JSON.stringify(value);

    afterEach(() => uninstall(protobuf));

    for (const [kind, Message] of [
      ["static code", statics],
      ["reflection", reflected],
    ] as const) {
      const bytes = Message.encode(message).finish();
      const delimited = Message.encodeDelimited(message).finish();
      const decoded = json(Message.decode(bytes));

      test(`${kind}: our Writer needs no installation`, () => {
        expect(Buffer.from(Message.encode(message, new Writer()).finish())).toEqual(bytes);
        expect(Buffer.from(Message.encodeDelimited(message, new Writer()).finish())).toEqual(delimited);
      });

      test(`${kind}: attach makes decoders accept our Reader, and changes nothing else`, () => {
        attach(protobuf);
        attach(protobuf);
        expect(json(Message.decode(new Reader(bytes)))).toBe(decoded);
        expect(json(Message.decodeDelimited(new Reader(delimited)))).toBe(decoded);
        expect(json(Message.decode(bytes))).toBe(decoded);
        expect(TheirWriter.create()).not.toBeInstanceOf(Writer);
        expect(TheirReader.create(bytes) instanceof Reader).toBe(false);
        uninstall(protobuf);
        expect(new Reader(bytes) instanceof TheirReader).toBe(false);
      });

      test(`${kind}: install, with objects from every constructor`, () => {
        install(protobuf);
        install(protobuf);
        expect(TheirWriter.create()).toBeInstanceOf(Writer);
        expect(TheirReader.create(bytes)).toBeInstanceOf(Reader);
        for (const writer of [undefined, TheirWriter.create(), new TheirWriter(), new BufferWriter(), new Writer()]) {
          const result = Message.encode(message, writer).finish();
          expect(Buffer.from(result)).toEqual(bytes);
          // As without install: Writer.create and BufferWriter return Buffers, captured `new Writer` does not.
          expect(Buffer.isBuffer(result)).toBe(
            !(writer?.constructor === TheirWriter || writer?.constructor === Writer),
          );
        }
        expect(Buffer.from(Message.encodeDelimited(message, new TheirWriter()).finish())).toEqual(delimited);
        for (const reader of [
          bytes,
          new Uint8Array(bytes),
          new TheirReader(bytes),
          new BufferReader(Buffer.from(bytes)),
        ]) {
          expect(json(Message.decode(reader))).toBe(decoded);
        }
        expect(json(Message.decodeDelimited(new TheirReader(delimited)))).toBe(decoded);
        expect(json(Message.decodeDelimited(delimited))).toBe(decoded);
      });
    }

    test("a Writer of theirs that was begun before install throws instead of losing bytes", () => {
      const writer = new TheirWriter().uint32(1);
      install(protobuf);
      for (const go of [() => writer.uint32(2), () => writer.finish()]) {
        expect(go).toThrow(expect.objectContaining({ code: "ERR_INVALID_ARGUMENT" }));
      }
      expect([...writer.reset().uint32(2).finish()]).toEqual([2]);
    });

    test("a Writer of theirs that was used while installed works again after uninstall and reset", () => {
      const writer = new TheirWriter();
      install(protobuf);
      expect([...writer.uint32(1).finish()]).toEqual([1]);
      uninstall(protobuf);
      expect([...writer.reset().uint32(7).finish()]).toEqual([7]);
      expect([...writer.reset().string("x".repeat(300)).finish()]).toHaveLength(302);
    });

    test("a Writer of theirs with an open fork throws too", () => {
      const writer = new TheirWriter().string("abc").fork();
      install(protobuf);
      expect(() => writer.string("d")).toThrow(expect.objectContaining({ code: "ERR_INVALID_ARGUMENT" }));
    });

    test("a Writer of theirs that was used while installed and continues after uninstall loses no bytes without an error", () => {
      const goOn = (begun: InstanceType<typeof TheirWriter>) => {
        uninstall(protobuf);
        return [...begun.uint32(6).finish()];
      };
      for (const fork of [false, true]) {
        const begun = () => (fork ? new TheirWriter().uint32(5).fork().uint32(3) : new TheirWriter().uint32(5));
        const alone = goOn(begun());
        install(protobuf);
        const writer = begun();
        // 8.8 continues in its memory. 7.6 has a list of operations, which does not exist.
        if (version === "8.8") expect(goOn(writer)).toEqual(alone);
        else expect(() => goOn(writer)).toThrow(expect.objectContaining({ code: "ERR_INVALID_ARGUMENT" }));
      }
    });

    test("a Reader of theirs over an array reads bytes and numbers", () => {
      install(protobuf);
      const made = (list: number[]) => new (TheirReader as unknown as new (list: number[]) => Reader)(list);
      expect([...made([2, 1, 2]).bytes()]).toEqual([1, 2]);
      expect(made([0, 0, 0, 0, 0, 0, 8, 64]).double()).toBe(3);
    });

    test("their own objects have the right size, and continue after finish and reset", () => {
      install(protobuf);
      const writer = new TheirWriter();
      writer.uint32(8).fork().string("x".repeat(200)).ldelim();
      expect(writer.len).toBe(1 + 2 + 202);
      expect(writer.finish()).toEqual(writer.finish());
      expect([...writer.reset().bool(true).finish()]).toEqual([1]);
    });

    test("installed into protobufjs/minimal alone", () => {
      install(library.minimal);
      expect(TheirWriter.create()).toBeInstanceOf(Writer);
      expect(json(statics.decode(statics.encode(message).finish()))).toBe(
        json(reflected.decode(reflected.encode(message).finish())),
      );
      uninstall(library.minimal);
      expect(TheirWriter.create()).not.toBeInstanceOf(Writer);
    });

    test("protobuf.js's settings apply: recursionLimit, discardUnknown, arrays of bytes", () => {
      // Nested groups of an unknown field.
      const nested = (depth: number) =>
        new Uint8Array([...Array(depth).fill([0xa3, 0x06]).flat(), ...Array(depth).fill([0xa4, 0x06]).flat()]);
      const limit = TheirReader.recursionLimit;
      const accepted = () =>
        [4, 5, 6, 7, 8, 9].filter((depth) => {
          try {
            statics.decode(nested(depth));
            return true;
          } catch {
            return false;
          }
        });
      try {
        TheirReader.recursionLimit = 6;
        const theirs = accepted();
        expect(theirs.length).toBeLessThan(6);
        install(protobuf);
        expect(accepted()).toEqual(theirs);
        TheirReader.recursionLimit = limit;
        expect(accepted().length).toBe(6);
      } finally {
        TheirReader.recursionLimit = limit;
      }
      expect(TheirReader.create([8, 5] as unknown as Uint8Array).uint32()).toBe(8);
    });

    test("objects of `create` are instances of their classes, but not of classes that extend these", () => {
      class Derived extends (TheirWriter as unknown as new () => object) {}
      class DerivedReader extends (TheirReader as unknown as new (bytes: Uint8Array) => object) {}
      const kinds = () => {
        const [writer, reader, ofBuffer] = [
          TheirWriter.create(),
          TheirReader.create(new Uint8Array(1)),
          TheirReader.create(Buffer.alloc(1)),
        ];
        return [
          writer instanceof TheirWriter,
          writer instanceof BufferWriter,
          new TheirWriter() instanceof BufferWriter,
          {} instanceof TheirWriter,
          writer instanceof Derived,
          new Derived() instanceof Derived,
          new Derived() instanceof TheirWriter,
          reader instanceof TheirReader,
          reader instanceof BufferReader,
          ofBuffer instanceof BufferReader,
          reader instanceof DerivedReader,
          new TheirReader(new Uint8Array(1)) instanceof DerivedReader,
          new DerivedReader(new Uint8Array(1)) instanceof TheirReader,
        ];
      };
      const before = kinds();
      expect([TheirWriter.create().constructor, TheirReader.create(Buffer.alloc(1)).constructor]).toEqual([
        BufferWriter,
        BufferReader,
      ]);
      install(protobuf);
      expect(kinds()).toEqual(before);
      // Their constructor is ours, although they are instances of the original classes.
      expect(TheirWriter.create().constructor.prototype).toBeInstanceOf(Writer);
      expect(TheirReader.create(Buffer.alloc(1)).constructor.prototype).toBeInstanceOf(Reader);
      expect(new Writer()).toBeInstanceOf(TheirWriter);
      expect(new Writer()).not.toBeInstanceOf(BufferWriter);
      expect(new Reader(new Uint8Array(1)) instanceof DerivedReader).toBe(false);
      uninstall(protobuf);
      expect(new Writer()).not.toBeInstanceOf(TheirWriter);
    });

    test("results are Buffers where theirs are, and so is the shared view", () => {
      const isBuffer = () =>
        [() => TheirWriter.create(), () => new BufferWriter(), () => new TheirWriter()].flatMap((make) =>
          ["", "text", "x".repeat(100), "x".repeat(100_000)].flatMap((text) => {
            const writer = make().string(text) as unknown as Writer;
            const results = [writer.finish(), writer.finish(true), writer.reset().finish(), writer.finish(true)];
            expect(toHex(results[1]!)).toBe(toHex(results[0]!));
            return results.map((result) => Buffer.isBuffer(result));
          }),
        );
      const before = isBuffer();
      install(protobuf);
      expect(isBuffer()).toEqual(before);
    });

    test("uninstall restores everything", () => {
      const shape = () =>
        [TheirWriter, TheirReader, BufferWriter, BufferReader].flatMap((one) => [
          Object.getOwnPropertyDescriptors(one),
          Object.getOwnPropertyDescriptors(one.prototype),
        ]);
      TheirWriter.create();
      TheirReader.create(Buffer.alloc(1)); // `create` replaces itself when it is first called
      const before = shape();
      install(protobuf);
      expect(shape()).not.toEqual(before);
      uninstall(protobuf);
      expect(shape()).toEqual(before);
      for (let i = 0; i < before.length; i++) expect(Reflect.ownKeys(shape()[i]!)).toEqual(Reflect.ownKeys(before[i]!));
      expect(TheirWriter.create()).not.toBeInstanceOf(Writer);
    });
  });
}

describe("Long", () => {
  const [seven, eight] = [v7.protobuf, v8.protobuf];
  const [Long7, Long8] = [seven.util.Long, eight.util.Long];
  class OtherLong {
    readonly low = 0;
    readonly high = 0;
  }
  const bytes = new Uint8Array([5]);
  const made = (reader: { uint64(): unknown }) => (reader.uint64() as object).constructor;
  const set = (library: object, Long: unknown) => Object.assign(library, { Long });

  afterEach(() => {
    configure({ Long: null });
    for (const library of [seven, eight]) uninstall(library);
    set(seven.util, Long7);
    set(eight.util, Long8);
    for (const library of [seven, eight]) library.configure();
  });

  for (const [version, library] of [
    ["7.6", seven],
    ["8.8", eight],
  ] as const) {
    test(`${version}: protobuf.configure() while installed: our methods stay, with the new Long; uninstall restores the new methods`, () => {
      const kinds = () => {
        const [writer, reader, own] = [library.Writer.create(), library.Reader.create(bytes), new Reader(bytes)];
        return [
          writer instanceof Writer,
          (reader as object) instanceof Reader,
          typeof reader.uint64(),
          typeof own.uint64(),
        ];
      };
      install(library);
      const begun = library.Writer.create().uint32(1);
      expect(kinds()).toEqual([true, true, "object", "object"]);
      set(library.util, null);
      library.configure();
      expect(kinds()).toEqual([true, true, "number", "number"]);
      expect(typeof new library.Reader(bytes).uint64()).toBe("number");
      expect([...begun.uint32(2).finish()]).toEqual([1, 2]);
      uninstall(library);
      expect(kinds()).toEqual([false, false, "number", "number"]);
      set(library.util, OtherLong);
      attach(library);
      library.configure();
      expect(made(new Reader(bytes))).toBe(OtherLong);
      expect(kinds().slice(0, 2)).toEqual([false, false]);
    });
  }

  test("each installed library uses its own Long, whatever another library has or was configured", () => {
    set(seven.util, OtherLong);
    for (const order of [
      [seven, eight],
      [eight, seven],
    ]) {
      for (const library of order) install(library);
      expect(made(seven.Reader.create(bytes))).toBe(OtherLong);
      expect(made(new seven.Reader(bytes))).toBe(OtherLong);
      expect(made(eight.Reader.create(bytes))).toBe(Long8);
      configure({ Long: OtherLong });
      expect(made(eight.Reader.create(bytes))).toBe(Long8);
      configure({ Long: null });
      for (const library of order) uninstall(library);
    }
  });

  test("a library without Long reads numbers or the configured Long, not another library's", () => {
    set(seven.util, null);
    install(eight);
    install(seven);
    expect(seven.Reader.create(bytes).uint64()).toBe(5);
    expect(made(eight.Reader.create(bytes))).toBe(Long8);
    configure({ Long: OtherLong });
    expect(made(seven.Reader.create(bytes))).toBe(OtherLong);
  });

  test("our own Readers use the Long of the library that was attached first, and none after uninstall", () => {
    expect(new Reader(bytes).uint64()).toBe(5);
    set(seven.util, OtherLong);
    attach(seven);
    attach(eight);
    expect(made(new Reader(bytes))).toBe(OtherLong);
    uninstall(seven);
    expect(made(new Reader(bytes))).toBe(Long8);
    uninstall(eight);
    expect(new Reader(bytes).uint64()).toBe(5);
  });

  test("the configured Long takes precedence over an attached one, and stays after uninstall", () => {
    configure({ Long: OtherLong });
    install(eight);
    expect(made(new Reader(bytes))).toBe(OtherLong);
    uninstall(eight);
    expect(made(new Reader(bytes))).toBe(OtherLong);
  });
});

describe("our Readers as instances of theirs", () => {
  const eights = v8.protobuf.Reader;
  const sevens = v7.protobuf.Reader;
  const reader = () => new Reader(Uint8Array.of());
  const parent = () => Object.getPrototypeOf(Object.getPrototypeOf(Reader.prototype));

  afterEach(() => {
    for (const { protobuf } of [v7, v8]) uninstall(protobuf);
  });

  test("of the first attached library by inheritance, which every engine tests quickly; of others by a test", () => {
    attach(v8.protobuf);
    expect(parent()).toBe(eights.prototype);
    expect(Object.hasOwn(eights, Symbol.hasInstance)).toBe(false);
    attach(v7.protobuf);
    expect(reader()).toBeInstanceOf(eights);
    expect(reader()).toBeInstanceOf(sevens);
    expect(new eights(Uint8Array.of())).not.toBeInstanceOf(sevens);
    uninstall(v8.protobuf);
    expect(parent()).toBe(Object.prototype);
    expect(reader()).not.toBeInstanceOf(eights);
    expect(reader()).toBeInstanceOf(sevens);
    uninstall(v7.protobuf);
    expect(reader()).not.toBeInstanceOf(sevens);
  });

  test("a class with its own Symbol.hasInstance keeps it", () => {
    class Theirs extends eights {
      static override [Symbol.hasInstance](value: unknown): boolean {
        return value === 1;
      }
    }
    const library = { ...v8.protobuf, Reader: Theirs } as unknown as typeof v8.protobuf;
    attach(library);
    expect(parent()).toBe(Object.prototype);
    expect(reader()).toBeInstanceOf(Theirs);
    uninstall(library);
    expect(reader()).not.toBeInstanceOf(Theirs);
  });
});

test("values that are not a protobuf.js throw", () => {
  for (const other of [null, {}, { Writer: 1 }, "protobufjs"]) {
    expect(() => install(other as never)).toThrowError(expect.objectContaining({ code: "ERR_INVALID_ARGUMENT" }));
  }
});
