/**
 * Fields picked by a message type, against decoding everything with protobuf.js and walking: random messages of every kind of field, of
 * both versions; merged messages; truncated and damaged bytes.
 */
import { share } from "@moonpack/harness/effort.ts";
import { concat, toHex } from "@moonpack/harness/hex.ts";
import { randomSource } from "@moonpack/harness/random.ts";
import { configure } from "@moonpack/protobuf";
import { FieldPicker, type ReflectedType } from "@moonpack/protobuf/pick";
import { DecodeError } from "moonpack/bytes";
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from "vitest";
import { messageDifference } from "./message-difference.ts";
import { type MessageType, randomMessage } from "./messages.ts";
import type { Random } from "./model.ts";
import { Long, originals, protobuf8, reflected, SCHEMAS } from "./protobufjs.ts";

beforeAll(() => configure({ Long }));
afterAll(() => configure({ Long: null }));

type Names = readonly string[];
type Message = Record<string, unknown>;

const messageOf = (field: MessageType["fieldsArray"][number]): MessageType | null =>
  field.map || field.resolvedType === null || "values" in field.resolvedType ? null : field.resolvedType;

/** A random path of up to four fields. */
function randomPath(type: MessageType, random: Random): Names {
  const names: string[] = [];
  for (let at: MessageType | null = type; at !== null && names.length < 4 && (names.length === 0 || random(3) > 0); ) {
    // Names of extensions have dots.
    const fields = at.fieldsArray.filter(({ name }) => !name.includes("."));
    const nested: typeof fields = fields.filter((field) => messageOf(field.resolve()) !== null);
    const field: (typeof fields)[number] =
      nested.length > 0 && random(2) === 0 ? nested[random(nested.length)]! : fields[random(fields.length)]!;
    names.push(field.name);
    at = messageOf(field.resolve());
  }
  return names;
}

/** The value at a path, by its definition. `message` is undefined if it is not there. */
function walk(type: MessageType, message: Message | undefined, [name, ...rest]: Names): unknown {
  const field = type.fields[name!]!.resolve();
  // 7.6 keeps all members of a oneof, and knows the last one.
  const isSet = message !== undefined && Object.hasOwn(message, name!);
  const value = isSet && (field.partOf ? message[field.partOf.name] === name : true) ? message[name!] : undefined;
  if (rest.length === 0) return value ?? (field.repeated ? [] : field.map ? {} : undefined);
  const inner = messageOf(field)!;
  if (field.repeated) return ((value ?? []) as Message[]).map((each) => walk(inner, each, rest));
  return walk(inner, value as Message | undefined, rest);
}

/** Texts of other fields that protobuf.js 8 does not store, since they are the default of their type. */
function isDefault(value: unknown): boolean {
  return (
    value === undefined ||
    value === 0 ||
    value === "" ||
    value === false ||
    (Long.isLong(value) && value.isZero()) ||
    (value instanceof Uint8Array && value.length === 0)
  );
}

/**
 * Makes defaults equal to missing values. In maps of 8.8, a missing value of bytes is an array, and a missing key of 64 bits differs from a
 * zero that is there: zeros are left out.
 */
function withoutDefaults(value: unknown): unknown {
  if (isDefault(value)) return null;
  if (Array.isArray(value)) return value.map(withoutDefaults);
  const isMap = typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
  if (!isMap) return value;
  const entries = Object.entries(value).filter(([key]) => key !== "0" && key !== "\0".repeat(8));
  return Object.fromEntries(entries.map(([key, item]) => [key, Array.isArray(item) ? new Uint8Array(item) : item]));
}

/** The fields of a message in the order of their names. */
function sorted(message: object): object {
  return Object.fromEntries(Object.entries(message).sort(([a], [b]) => (a < b ? -1 : 1)));
}

for (const [schema, name] of SCHEMAS) {
  describe(name, () => {
    test("random messages and paths", () => {
      for (const one of originals) {
        const type = reflected(one, schema, name);
        const random = randomSource(71);
        for (let i = 0; i < share(600); i++) {
          const paths: Record<string, Names> = {};
          for (let n = 1 + random(6); n > 0; n--) {
            const path = randomPath(type, random);
            paths[path.join(".")] = path;
          }
          const picker = new FieldPicker(Object.fromEntries(Object.keys(paths).map((path) => [path, path])), {
            type: type as unknown as ReflectedType,
            rest: true,
          });
          const bytes = new Uint8Array(type.encode(randomMessage(type, random, 3)).finish());
          const decoded = type.decode(bytes) as unknown as Message;
          const { rest, ...picked } = picker.decode(bytes);
          for (const [path, names] of Object.entries(paths)) {
            const expected = walk(type, decoded, names);
            const [a, b] =
              one.version === 7 ? [picked[path], expected] : [withoutDefaults(picked[path]), withoutDefaults(expected)];
            const difference = messageDifference(a, b);
            if (difference !== null) throw new Error(`${one.version}: ${path}: ${difference} ${toHex(bytes)}`);
          }
          // The rest, and then the fields that were picked whole, are the message. (protobuf.js cannot encode all maps that it
          // decodes, and would write required fields that were not picked; 7.6 keeps all members of a oneof.)
          const whole = Object.values(paths).filter((names) => names.length === 1);
          const hasMap = ([first]: Names): boolean =>
            type.fields[first!]!.map || messageOf(type.fields[first!]!) === type;
          if (one.version === 7 || schema !== "everything" || whole.some(hasMap)) continue;
          const again = Object.fromEntries(
            whole.map(([first]) => [first!, picked[first!]]).filter(([, value]) => value !== undefined),
          );
          const forwarded = concat(rest, new Uint8Array(type.encode(again).finish()));
          const lost = messageDifference(sorted(type.decode(forwarded)), sorted(decoded));
          if (lost !== null) throw new Error(`${one.version}: rest: ${lost} ${toHex(bytes)}`);
        }
      }
    });

    test("two messages, one after the other, are merged as Protobuf merges them", () => {
      const type = reflected(protobuf8, schema, name);
      const random = randomSource(72);
      for (let i = 0; i < share(300); i++) {
        const bytes = concat(...[0, 1].map(() => new Uint8Array(type.encode(randomMessage(type, random, 3)).finish())));
        const names = randomPath(type, random);
        const path = names.join(".");
        const picked = new FieldPicker({ path }, { type: type as unknown as ReflectedType }).decode(bytes);
        const expected = walk(type, type.decode(bytes) as unknown as Message, names);
        // 8.8 drops a value that is the default of its type, also where an earlier message has another one.
        const difference = messageDifference(withoutDefaults(picked.path), withoutDefaults(expected));
        if (difference !== null) throw new Error(`${path}: ${difference} ${toHex(bytes)}`);
      }
    });
  });
}

test("truncated and damaged messages: what protobuf.js decodes is picked alike; all errors are ours", () => {
  const type = reflected(protobuf8, "everything", "moon.Everything");
  const random = randomSource(73);
  let accepted = 0;
  let refused = 0;
  for (let i = 0; i < share(60); i++) {
    const bytes = new Uint8Array(type.encode(randomMessage(type, random, 2)).finish());
    const paths = Object.fromEntries(
      Array.from({ length: 8 }, () => randomPath(type, random).join(".")).map((path) => [path, path]),
    );
    const picker = new FieldPicker(paths, { type: type as unknown as ReflectedType });
    const cases = [...Array(60).keys()].flatMap(() => {
      if (bytes.length === 0) return [];
      const flipped = bytes.slice();
      flipped[random(bytes.length)]! ^= 1 << random(8);
      return [flipped, bytes.subarray(0, random(bytes.length))];
    });
    for (const damaged of cases) {
      let decoded: Message | undefined;
      try {
        decoded = type.decode(damaged) as unknown as Message;
      } catch {}
      let picked: Record<string, unknown>;
      try {
        picked = picker.decode(damaged);
      } catch (error) {
        if (decoded !== undefined || !(error instanceof DecodeError)) throw error;
        expect(error.offset).toBeGreaterThanOrEqual(0);
        expect(error.offset).toBeLessThanOrEqual(damaged.length);
        refused++;
        continue;
      }
      // What is skipped is not checked.
      if (decoded === undefined) continue;
      accepted++;
      for (const path of Object.keys(paths)) {
        const expected = walk(type, decoded, path.split("."));
        const difference = messageDifference(withoutDefaults(picked[path]), withoutDefaults(expected));
        if (difference !== null) throw new Error(`${path}: ${difference} ${toHex(damaged)}`);
      }
    }
  }
  expect(accepted).toBeGreaterThan(share(300));
  expect(refused).toBeGreaterThan(share(300));
});

test("64-bit integers and keys in each form", () => {
  const type = reflected(protobuf8, "everything", "moon.Everything") as unknown as ReflectedType & MessageType;
  const bytes = type.encode({ f_int64: Long.fromNumber(-5), m_int64: { "-1": { a: 3 } }, r_uint64: [7] }).finish();
  const paths = { f: "f_int64", m: "m_int64", r: "r_uint64" };
  const leaf = { a: 3 };
  const big = new FieldPicker(paths, { type, int64: "bigint" }).decode(bytes);
  expect([big.f, Object.keys(big.m as object), big.r]).toEqual([-5n, ["-1"], [7n]]);
  const numbers = new FieldPicker(paths, { type, int64: "number" }).decode(bytes);
  expect([numbers.f, { ...(numbers.m as { "-1": object })["-1"] }, numbers.r]).toEqual([-5, leaf, [7]]);
  const longs = new FieldPicker(paths, { type }).decode(bytes);
  expect(Object.keys(longs.m as object)).toEqual(["\xff".repeat(8)]);
});

test("entries of maps without a key or a value", () => {
  const source = `syntax = "proto3"; message M { map<int64, string> a = 1; map<bool, bytes> b = 2; map<string, string> c = 3;
    map<fixed64, int32> d = 4; map<uint32, int64> e = 5; }`;
  const entries = [10, 3, 18, 1, 98, 18, 2, 8, 1, 18, 0, 26, 0, 34, 0, 42, 0];
  const expected = {
    a: { "0": "b" },
    b: { true: new Uint8Array(0), false: new Uint8Array(0) },
    c: { "": "" },
    d: { "0": 0 },
  };
  for (const { library } of originals) {
    const type = library.protobuf.parse(source).root.lookupType("M");
    const decoded = type.decode(Uint8Array.from(entries)) as unknown as Message;
    for (const int64 of ["long", "bigint", "number"] as const) {
      const paths = { a: "a", b: "b", c: "c", d: "d", e: "e" };
      const picker = new FieldPicker(paths, { type: type as unknown as ReflectedType, int64 });
      const { e, ...picked } = picker.decode(Uint8Array.from(entries));
      expect(picked).toEqual(expected);
      expect(Object.entries(e as object).map(String)).toEqual(["0,0"]);
    }
    // An empty list of numbers is protobuf.js's default of bytes.
    expect({ ...decoded, b: expected.b, e: 0 }).toEqual({ ...expected, e: 0 });
  }
});

test("wrong paths and types", () => {
  const type = reflected(protobuf8, "everything", "moon.Everything") as unknown as ReflectedType;
  const refused = (paths: object, options: object = { type }) => {
    const error = { code: "ERR_INVALID_ARGUMENT" };
    expect(() => new FieldPicker(paths as never, options)).toThrow(expect.objectContaining(error));
  };
  for (const path of [
    "",
    "f_int3",
    "f_int32.x",
    "f_leaf.c",
    "m_int32.key",
    "m_int64.a",
    "__proto__",
    "constructor",
    "self.",
    5,
    [1],
  ])
    refused({ path });
  expect(() => new FieldPicker({ path: "f_int3" }, { type })).toThrow("did you mean f_int32?");
  refused({ a: "f_leaf.a", b: "f_leaf.a" });
  for (const wrong of [null, {}, 5, { decode: 1, fields: {} }]) refused({ path: "a" }, { type: wrong });
  const decode = () => ({});
  for (const fields of [null, { a: {} }, { a: null }, { a: { resolve: () => ({}) } }])
    refused({ path: "a" }, { type: { decode, fields } });
  const unresolved = protobuf8.library.protobuf.parse('syntax = "proto3"; message M { Missing a = 1; }').root;
  refused({ path: "a" }, { type: unresolved.lookupType("M") });
});

test("types follow from the kinds", () => {
  const picker = new FieldPicker(
    { id: [1, "uint32"], skus: [[4], 1, "string"], prices: [[4], [2], "int32"], any: [7], flag: [[3], [4], "bool"] },
    { int64: "bigint" },
  );
  type Picked = ReturnType<typeof picker.decode>;
  expectTypeOf<Picked["id"]>().toEqualTypeOf<number | undefined>();
  expectTypeOf<Picked["skus"]>().toEqualTypeOf<(string | undefined)[]>();
  expectTypeOf<Picked["prices"]>().toEqualTypeOf<number[][]>();
  expectTypeOf<Picked["any"]>().toEqualTypeOf<unknown>();
  expectTypeOf<Picked["flag"]>().toEqualTypeOf<boolean[][]>();
  const big = new FieldPicker({ n: [1, "fixed64"], all: [[2], "uint64"] }, { int64: "bigint", rest: true });
  expectTypeOf(big.decode(new Uint8Array(0))).toExtend<{ n: bigint | undefined; all: bigint[]; rest: Uint8Array }>();
});
