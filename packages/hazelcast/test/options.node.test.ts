/** Arguments and options: which are refused, and how they are applied. */
import { doc, omitEmpty, omitNull, omitZero, ref, schema, u8, u64, utf8 } from "@moonpack/pck";
import { describe, expect, test } from "vitest";
import { moonpackSerialization, type StoredOptions, sessionStore, stored } from "../src/index.ts";
import { IncompatiblePlayer, Player, PlayerV1, PlayerV2, StrictPlayer } from "./harness/schema-versions.ts";
import { bytesOf, roundTrip, serviceOf } from "./harness/service.ts";

const own = (id: number) => ({ id, read: () => 1, write: () => undefined });

describe("refused", () => {
  const SERIALIZATIONS: [string, unknown][] = [
    ["options that are not an object", 1],
    ["an unknown option", { storred: [] }],
    ["an unknown option of msgpack", { msgpack: { typeID: 5 } }],
    ["stored: not a list", { stored: Player }],
    ["stored: another class", { stored: [Date] }],
    ["stored: an instance", { stored: [new Player({ name: "", score: 1, lives: 1 })] }],
    ["two classes of one type id", { stored: [Player, StrictPlayer] }],
    ["one class twice", { stored: [Player, Player] }],
    ["a class with MessagePack's own id", { stored: [Player], msgpack: { typeId: 1001 } }],
    ["one id for both", { msgpack: { typeId: 5, packedTypeId: 5 } }],
    ["an id that is too large", { msgpack: { typeId: 2 ** 31 } }],
    ["an id of the client's own", { msgpack: { packedTypeId: -130 } }],
    ["msgpack: not an object", { msgpack: true }],
    ["encoder: an unknown choice", { msgpack: { encoder: { utf8: "none" } } }],
    ["write: an unknown choice", { write: "bson" }],
    ["undecodable: an unknown choice", { undecodable: "drop" }],
    ["a global serializer", { client: { globalSerializer: own(5) } }],
    ["custom serializers: not a list", { client: { customSerializers: own(5) } }],
    ["a custom serializer with one of our ids", { stored: [Player], client: { customSerializers: [own(1001)] } }],
    ["a custom serializer with MessagePack's id", { client: { customSerializers: [own(28016)] } }],
  ];
  test.each(SERIALIZATIONS)("moonpackSerialization: %s", (_, options) => {
    expect(() => moonpackSerialization(options as never)).toThrow(
      expect.objectContaining({ code: "ERR_INVALID_ARGUMENT" }),
    );
  });

  const Bad = schema("Bad", utf8("hzCustomId"));
  const CLASSES: [string, unknown, unknown, StoredOptions | number | undefined, string][] = [
    ["type id 0", 0, PlayerV1, undefined, "ERR_INVALID_ARGUMENT"],
    ["type id 2^31", 2 ** 31, PlayerV1, undefined, "ERR_INVALID_ARGUMENT"],
    ["a fractional type id", 1.5, PlayerV1, undefined, "ERR_INVALID_ARGUMENT"],
    ["no type id", undefined, PlayerV1, undefined, "ERR_INVALID_ARGUMENT"],
    ["28016", 28016, PlayerV1, undefined, "ERR_INVALID_ARGUMENT"],
    ["28017", 28017, PlayerV1, undefined, "ERR_INVALID_ARGUMENT"],
    ["no schema", 1, {}, undefined, "ERR_INVALID_ARGUMENT"],
    ["options that are not an object", 1, PlayerV1, 7, "ERR_INVALID_ARGUMENT"],
    ["an unknown option", 1, PlayerV1, { read: [] } as never, "ERR_INVALID_ARGUMENT"],
    ["older: not a list", 1, PlayerV2, { older: PlayerV1 as never }, "ERR_INVALID_ARGUMENT"],
    ["key: not a boolean", 1, PlayerV2, { key: 1 as never }, "ERR_INVALID_ARGUMENT"],
    ["a key with older schemas", 1, PlayerV2, { key: true, older: [PlayerV1] }, "ERR_INVALID_ARGUMENT"],
    ["an incompatible schema", 1, PlayerV2, { older: [IncompatiblePlayer] }, "ERR_SCHEMA"],
    ["an invalid schema", 1, schema(u8("a"), u8("a")), undefined, "ERR_SCHEMA"],
    ["a field that the client uses itself", 1, Bad, undefined, "ERR_INVALID_ARGUMENT"],
    ["codec: an unknown choice", 1, PlayerV2, { codec: { int64: "text" as never } }, "ERR_INVALID_ARGUMENT"],
    ["classes: not a Map", 1, PlayerV2, { classes: [] as never }, "ERR_INVALID_ARGUMENT"],
    ["classes in codec", 1, PlayerV2, { codec: { classes: new Map() } as never }, "ERR_INVALID_ARGUMENT"],
    ["classes: a foreign schema", 1, PlayerV2, { classes: new Map([[PlayerV1, Date]]) }, "ERR_INVALID_ARGUMENT"],
  ];
  test.each(CLASSES)("stored: %s", (_, typeId, of, options, code) => {
    expect(() => stored(typeId as number, of as typeof PlayerV1, options as StoredOptions)).toThrow(
      expect.objectContaining({ code }),
    );
  });

  test.each([{ ttl: 0 }, { ttl: "5 minutes" }, { ttlMillis: 5 }, { prefix: 1 }, 5])("sessionStore: %j", (options) => {
    expect(() => sessionStore({ set: async () => null } as never, options as never)).toThrow(
      expect.objectContaining({ code: "ERR_INVALID_ARGUMENT" }),
    );
  });

  test.each([
    undefined,
    null,
    5,
    {},
  ])("sessionStore and attach: %j in the place of a map or a client", async (wrong) => {
    const refused = expect.objectContaining({ code: "ERR_INVALID_ARGUMENT" });
    expect(() => sessionStore(wrong as never)).toThrow(refused);
    await expect(moonpackSerialization().attach(wrong as never)).rejects.toThrow(refused);
  });

  test("fields that are not an object", () => {
    expect(() => new Player(5 as never)).toThrow(expect.objectContaining({ code: "ERR_INVALID_ARGUMENT" }));
  });
});

describe("the client's other settings", () => {
  test("are kept, and the caller's object does not change", () => {
    const client = Object.freeze({
      defaultNumberType: "integer",
      customSerializers: Object.freeze([own(5)]) as never,
      isBigEndian: false,
    });
    const config = moonpackSerialization({ stored: [Player], client });
    expect(config).toMatchObject({ defaultNumberType: "integer", isBigEndian: false });
    expect(config.customSerializers!.map(({ id }) => id)).toEqual([5, 1001, 28017]);
    expect(config.globalSerializer!.id).toBe(28016);
    expect(serviceOf(config).toData(7).toBuffer().toString("hex")).toBe("00000000fffffff907000000");
  });
  test("the client finds only settings that it knows", () => {
    const names: string[] = [];
    for (const name in moonpackSerialization()) names.push(name);
    expect(names).toEqual(["customSerializers", "globalSerializer"]);
  });
});

describe("instances", () => {
  const Point = schema("Point", u8("x"), omitZero(u8("y")));
  const Place = schema(
    "Place",
    utf8("name"),
    omitEmpty(utf8("note")),
    omitNull(ref("at", Point)),
    omitZero(u64("visits")),
  );
  class PointClass {
    declare readonly x: number;
    declare readonly y: number;
    get sum(): number {
      return this.x + this.y;
    }
  }
  class PlaceClass extends stored(7, Place, { classes: new Map([[Point, PointClass]]), codec: { int64: "number" } }) {}
  const service = serviceOf(moonpackSerialization({ stored: [PlaceClass] }));

  test("missing optional fields have the values that decoding gives them", () => {
    const place = new PlaceClass({ name: "here" });
    expect({ ...place }).toEqual({ name: "here", note: "", at: null, visits: 0 });
    expect(roundTrip(service, place)).toEqual(place);
    expect({ ...new PlaceClass({ name: "here", note: undefined, visits: 7n }) }).toMatchObject({
      note: "",
      visits: 7n,
    });
  });
  test("nested classes, and options of the codec", () => {
    const read = roundTrip(service, new PlaceClass({ name: "here", at: { x: 3, y: 4 }, visits: 5 })) as PlaceClass;
    expect([(read.at as PointClass).sum, read.visits]).toEqual([7, 5]);
  });
  test("other properties of the argument are left out", () => {
    const place = new PlaceClass({ name: "here", hzCustomId: 5, partitionKey: "a" } as never);
    expect(Object.keys(place)).toEqual(["name", "note", "at", "visits"]);
  });
  test("a field may be called __proto__", () => {
    class Odd extends stored(8, schema("Odd", utf8("__proto__"), utf8("constructor"))) {}
    const odd = new Odd(JSON.parse('{"__proto__": "a", "constructor": "b"}'));
    expect(odd).toBeInstanceOf(Odd);
    expect(Object.entries(odd)).toEqual([
      ["__proto__", "a"],
      ["constructor", "b"],
    ]);
    expect(bytesOf(serviceOf(moonpackSerialization({ stored: [Odd] })), odd)).toMatch(/01610162$/);
  });
  test("a schema with a comment is another schema for classes, as for codecs", () => {
    const options = { classes: new Map([[doc(Point, "a point"), PointClass]]) };
    expect(() => stored(9, Place, options)).toThrow(expect.objectContaining({ code: "ERR_INVALID_ARGUMENT" }));
  });
});
