/** The format of each kind of value, as the client's service decides it: the table of docs/hazelcast.md. */
import { HazelcastJsonValue, UUID } from "hazelcast-client";
import { Extensions, Timestamp } from "moonpack/msgpack";
import { describe, expect, test } from "vitest";
import { moonpackSerialization, Packed } from "../src/index.ts";
import { Player, StrictPlayer } from "./harness/schema-versions.ts";
import { bytesOf, roundTrip, serviceOf, valueIn } from "./harness/service.ts";

const service = serviceOf(moonpackSerialization({ stored: [Player] }));
const typeIdOf = (value: unknown, of = service): number => of.toData(value).toBuffer().readInt32BE(4);
const MSGPACK = 28016;
const PACKED = 28017;
const JSON_TYPE = -130;

const ANN = { name: "ann", score: 300, lives: 2 };

describe("the client's own types stay", () => {
  const values: [string, unknown, number][] = [
    ["null", null, 0],
    ["a string", "a", -11],
    ["a number", 1.5, -10],
    ["a boolean", true, -4],
    ["a bigint", 2n ** 70n, -26],
    ["a Date", new Date(1), -25],
    ["a UUID", new UUID(1 as never, 2 as never), -21],
    ["a Buffer", Buffer.from("a"), -12],
    ["an empty array", [], -19],
    ["numbers", [1, 2], -19],
    ["strings", ["a"], -20],
    ["booleans", [true], -13],
  ];
  test.each(values)("%s", (_, value, typeId) => {
    expect(typeIdOf(value)).toBe(typeId);
  });

  test("HazelcastJsonValue", () => {
    const value = new HazelcastJsonValue('{"a": 1}');
    expect(typeIdOf(value)).toBe(JSON_TYPE);
    expect(roundTrip(service, value)).toEqual({ a: 1 });
    const lazy = moonpackSerialization({ client: { jsonStringDeserializationPolicy: "NO_DESERIALIZATION" as never } });
    expect(String(roundTrip(serviceOf(lazy), value))).toBe('{"a": 1}');
  });
});

describe("objects are MessagePack", () => {
  const values: [string, unknown][] = [
    ["an object", { any: ["object", 2n ** 60n], at: new Date(7), bytes: Uint8Array.of(1, 2) }],
    ["an object without a prototype", Object.assign(Object.create(null), { a: 1 })],
    ["a Map", new Map<unknown, unknown>([[1, "a"]])],
    ["bytes", Uint8Array.of(1, 2)],
    ["a list of objects", [{ a: 1 }, 7, null]],
    ["a list that begins with null", [null, 1]],
    ["a list that begins with a Date", [new Date(1), "a"]],
    ["a list that begins with a list", [[1, null], "a"]],
    ["a point of time in nanoseconds", new Timestamp(1n, 5)],
    ["a key named __proto__", JSON.parse('{"__proto__": 1, "constructor": "a", "toString": null}')],
  ];
  test.each(values)("%s", (_, value) => {
    expect(typeIdOf(value)).toBe(MSGPACK);
    expect(roundTrip(service, value)).toEqual(value);
  });

  test("other type ids, and options of encoder and decoder", () => {
    class Money {
      readonly cents: number;
      constructor(cents: number) {
        this.cents = cents;
      }
    }
    const extensions = new Extensions();
    extensions.register({
      type: 1,
      class: Money,
      encode: ({ cents }: Money) => Uint8Array.of(cents),
      decode: (bytes: Uint8Array) => new Money(bytes[0]!),
    } as never);
    const msgpack = {
      typeId: 9,
      packedTypeId: 10,
      encoder: { extensions },
      decoder: { extensions, int64: "bigint" },
    } as const;
    const other = serviceOf(moonpackSerialization({ msgpack }));
    const value = { price: new Money(7), big: 2n ** 60n };
    expect(typeIdOf(value, other)).toBe(9);
    expect(roundTrip(other, value)).toEqual(value);
    expect(roundTrip(other, value)).toHaveProperty("price", expect.any(Money));
    expect(typeIdOf(new Packed(value), other)).toBe(10);
    expect(roundTrip(other, new Packed(value))).toEqual(new Packed(value));
  });
});

describe("stored classes are PCK", () => {
  test("instances come back as instances, without their constructor", () => {
    let built = 0;
    class Counted extends Player {
      constructor(fields: typeof ANN) {
        super(fields);
        built++;
      }
    }
    const counting = serviceOf(moonpackSerialization({ stored: [Counted] }));
    const ann = new Counted(ANN);
    expect(typeIdOf(ann, counting)).toBe(1001);
    const read = roundTrip(counting, ann) as Counted;
    expect(read).toBeInstanceOf(Counted);
    expect([read.name, read.score, read.lives, read.isAlive, built]).toEqual(["ann", 300, 2, true, 1]);
  });

  test("the same class in two serializations, and its own class in each", () => {
    const strict = serviceOf(moonpackSerialization({ stored: [StrictPlayer] }));
    expect(valueIn(strict, bytesOf(service, new Player(ANN)))).toBeInstanceOf(StrictPlayer);
    expect(valueIn(service, bytesOf(strict, new StrictPlayer(ANN)))).toBeInstanceOf(Player);
  });

  test("a class that the serialization does not list", () => {
    expect(() => service.toData(new StrictPlayer(ANN))).toThrow(
      expect.objectContaining({ code: "ERR_INVALID_ARGUMENT", message: expect.stringContaining("StrictPlayer") }),
    );
  });
});

describe("Packed stores any data", () => {
  const values: [string, unknown][] = [
    ["a mixed list", [1, null, "a"]],
    ["an empty list", []],
    ["a list of Buffers", [Uint8Array.of(1)]],
    ["a property hzCustomId", { hzCustomId: 5 }],
    ["what looks like the client's own classes", { readData: 1, writeData: 1, factoryId: 1, classId: 1 }],
    ["a partition key", { partitionKey: { a: 1 }, getPartitionHash: 1 }],
    ["null", null],
  ];
  test.each(values)("%s", (_, value) => {
    expect(typeIdOf(new Packed(value))).toBe(PACKED);
    const read = roundTrip(service, new Packed(value));
    expect(read).toBeInstanceOf(Packed);
    expect(read).toEqual(new Packed(value));
  });

  test("its bytes do not depend on the order of properties, also inside", () => {
    const [a, b] = [new Packed({ x: { a: 1, b: 2 }, y: 1 }), new Packed({ y: 1, x: { b: 2, a: 1 } })];
    expect(bytesOf(service, a)).toBe(bytesOf(service, b));
    expect(bytesOf(service, a.value)).not.toBe(bytesOf(service, b.value));
  });
});

describe("foreign data with a property hzCustomId", () => {
  test.each([28016, 28017, 1001])("%d is an object all the same", (hzCustomId) => {
    expect(typeIdOf({ hzCustomId })).toBe(MSGPACK);
    expect(roundTrip(service, { hzCustomId })).toEqual({ hzCustomId });
  });
});

describe("data that makes the client throw, and that Packed stores", () => {
  const values: [string, unknown][] = [
    ["an unknown hzCustomId", { hzCustomId: 5 }],
    ["a property getPartitionHash", { getPartitionHash: 1 }],
    ["what looks like the client's own classes", { readData: 1, writeData: 1, factoryId: 1, classId: 1 }],
    ["an array that begins with a Buffer", [Buffer.from("a")]],
  ];
  test.each(values)("%s", (_, value) => {
    expect(() => service.toData(value)).toThrow(TypeError);
    expect(() => service.toData(new Packed(value))).not.toThrow();
  });
});

describe('write: "json"', () => {
  const json = serviceOf(moonpackSerialization({ stored: [Player], write: "json" }));
  test("writes as the client does", () => {
    const plain = serviceOf({});
    const values = [{ a: [1, null] }, [{ a: 1 }], new Map([[1, 2]]), Uint8Array.of(1), { at: new Date(7) }];
    for (const value of [...values, new HazelcastJsonValue("[1]")])
      expect(bytesOf(json, value)).toBe(bytesOf(plain, value));
  });
  test("reads both, as the default does", () => {
    expect(valueIn(json, bytesOf(service, { a: 1 }))).toEqual({ a: 1 });
    expect(valueIn(service, bytesOf(json, { a: 1 }))).toEqual({ a: 1 });
  });
  test("classes are PCK and Packed is MessagePack", () => {
    expect([typeIdOf(new Player(ANN), json), typeIdOf(new Packed(1), json)]).toEqual([1001, PACKED]);
  });
});

describe.each([true, false])("inside of an object of the client's own kind, big-endian: %s", (isBigEndian) => {
  class Pair {
    readonly factoryId = 7;
    readonly classId = 1;
    readonly values: unknown[];
    constructor(...values: unknown[]) {
      this.values = values;
    }
    writeData(output: { writeInt(n: number): void; writeObject(value: unknown): void }): void {
      output.writeInt(this.values.length);
      for (const value of this.values) output.writeObject(value);
    }
    readData(input: { readInt(): number; readObject(): unknown }): void {
      const count = input.readInt();
      for (let i = 0; i < count; i++) this.values.push(input.readObject());
    }
  }
  test("values follow each other", () => {
    const client = { isBigEndian, dataSerializableFactories: { 7: () => new Pair() as never } };
    const nested = serviceOf(moonpackSerialization({ stored: [Player], client }));
    const json = new HazelcastJsonValue("[1]");
    const pair = new Pair(new Player(ANN), { a: 1 }, new Packed([1]), json, "end");
    const { values } = roundTrip(nested, pair) as Pair;
    expect(values).toEqual([new Player(ANN), { a: 1 }, new Packed([1]), [1], "end"]);
    expect(values[0]).toBeInstanceOf(Player);
  });
});
