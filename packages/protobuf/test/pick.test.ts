/** Fields picked by their numbers: every kind, lists, merged messages, groups, the rest; truncated and hostile bytes. */
import { caught } from "@moonpack/harness/caught.ts";
import { share } from "@moonpack/harness/effort.ts";
import { concat, toHex } from "@moonpack/harness/hex.ts";
import { randomSource } from "@moonpack/harness/random.ts";
import { Writer } from "@moonpack/protobuf";
import { FieldPicker } from "@moonpack/protobuf/pick";
import { DecodeError, encodeFrame } from "moonpack/bytes";
import { decodeFrames } from "moonpack/stream";
import { describe, expect, test } from "vitest";
import { delimited, field, varint } from "./model.ts";

const code = (act: () => unknown): unknown => (caught(act) as DecodeError).code;
const utf8 = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(new TextEncoder().encode(text));

/** An order: id 1, user 2 { name 1, mail 2 }, items 4 { sku 1, prices 2 }, note 9. */
function order(id: number, skus: readonly string[]): Uint8Array<ArrayBuffer> {
  const items = skus.map((sku, i) =>
    field(
      4,
      2,
      delimited(concat(field(1, 2, delimited(utf8(sku))), field(2, 2, delimited(concat(varint(i), varint(7)))))),
    ),
  );
  const user = concat(field(1, 2, delimited(utf8("Ada"))), field(2, 2, delimited(utf8("a@b"))));
  return concat(field(1, 0, varint(id)), field(2, 2, delimited(user)), ...items, field(9, 2, delimited(utf8("note"))));
}

const paths = {
  id: [1, "uint32"],
  name: [2, 1, "string"],
  skus: [[4], 1, "string"],
  prices: [[4], [2], "int32"],
} as const;

test("values, lists and lists of lists", () => {
  const orders = new FieldPicker(paths);
  expect(orders.decode(order(7, ["A1", "B2"]))).toEqual({
    id: 7,
    name: "Ada",
    skus: ["A1", "B2"],
    prices: [
      [0, 7],
      [1, 7],
    ],
  });
  expect(orders.decode(new Uint8Array(0))).toEqual({ id: undefined, name: undefined, skus: [], prices: [] });
  expect(Object.keys(orders.decode(new Uint8Array(0)))).toEqual(["id", "name", "skus", "prices"]);
  expect(orders.decode(field(4, 2, delimited(new Uint8Array(0)))).prices).toEqual([[]]);
  expect(orders.decode(field(4, 2, delimited(new Uint8Array(0)))).skus).toEqual([undefined]);
});

test("each kind, alone, in a list and packed; of another wire type it is an unknown field", () => {
  const kinds = {
    int32: [0, -5],
    uint32: [0, 2 ** 32 - 1],
    sint32: [0, -7],
    bool: [0, true],
    int64: [0, -9n],
    uint64: [0, 2n ** 64n - 1n],
    sint64: [0, -(2n ** 63n)],
    fixed32: [5, 7],
    sfixed32: [5, -7],
    float: [5, 0.5],
    fixed64: [1, 2n ** 63n],
    sfixed64: [1, -1n],
    double: [1, 0.1],
  } as const;
  for (const [name, [wire, value]] of Object.entries(kinds)) {
    const kind = name as keyof typeof kinds;
    const writer = new Writer();
    for (const each of [value, value]) writer.uint32((3 << 3) | wire)[kind](each as never);
    const loose = new Uint8Array(writer.finish());
    const single = new FieldPicker({ v: [3, kind] }, { int64: "bigint", rest: true });
    const list = new FieldPicker({ v: [[3], kind] }, { int64: "bigint", rest: true });
    expect(single.decode(loose)).toEqual({ v: value, rest: new Uint8Array(0) });
    expect(list.decode(loose)).toEqual({ v: [value, value], rest: new Uint8Array(0) });
    const one = loose.subarray(0, loose.length / 2);
    const packed = field(3, 2, delimited(concat(one.slice(1), one.slice(1))));
    expect(list.decode(concat(one, packed, one)).v).toEqual([value, value, value, value]);
    expect(single.decode(packed)).toEqual({ v: undefined, rest: packed });
    const other = field(3, wire === 5 ? 1 : 5, new Uint8Array(wire === 5 ? 8 : 4));
    expect(list.decode(concat(one, other))).toEqual({ v: [value], rest: other });
  }
});

test("without a kind the bytes decide", () => {
  const picker = new FieldPicker({ v: [1], all: [[2]] }, { int64: "bigint" });
  expect(picker.decode(field(1, 0, varint(-1))).v).toBe(2n ** 64n - 1n);
  expect(picker.decode(field(1, 1, new Uint8Array(8).fill(1))).v).toBe(0x0101010101010101n);
  expect(picker.decode(field(1, 5, new Uint8Array(4).fill(1))).v).toBe(0x01010101);
  expect(picker.decode(field(1, 2, delimited(utf8("hi")))).v).toEqual(utf8("hi"));
  const group = concat(varint(1 * 8 + 3), field(7, 0, varint(5)), varint(1 * 8 + 4));
  expect(picker.decode(group).v).toEqual(field(7, 0, varint(5)));
  expect(picker.decode(concat(field(2, 0, varint(1)), field(2, 2, delimited(utf8("x"))))).all).toEqual([1n, utf8("x")]);
});

describe("merging", () => {
  const part = field(2, 2, delimited(field(2, 2, delimited(utf8("c@d")))));
  const twice = concat(order(7, ["A1"]), order(8, ["B2"]), part);

  test("a path into it reads the last occurrence that has the field", () => {
    const picked = new FieldPicker({ ...paths, mail: [2, 2, "string"] }).decode(twice);
    expect([picked.id, picked.name, picked.mail, picked.skus]).toEqual([8, "Ada", "c@d", ["A1", "B2"]]);
  });

  test("as a whole it is the bytes of all occurrences; as bytes the last one", () => {
    const { user } = new FieldPicker({ user: [2, "message"] }).decode(twice);
    expect(new FieldPicker({ name: [1, "string"], mail: [2, "string"] }).decode(user!)).toEqual({
      name: "Ada",
      mail: "c@d",
    });
    expect(new FieldPicker({ user: [2, "bytes"] }).decode(twice).user).toEqual(field(2, 2, delimited(utf8("c@d"))));
    expect(new FieldPicker({ users: [[2], "message"] }).decode(twice).users.length).toBe(3);
  });

  test("groups", () => {
    const group = (content: Uint8Array) => concat(varint(3 * 8 + 3), content, varint(3 * 8 + 4));
    const inner = concat(field(1, 0, varint(5)), varint(9 * 8 + 3), field(1, 0, varint(6)), varint(9 * 8 + 4));
    const bytes = concat(group(inner), group(field(2, 0, varint(7))));
    const picker = new FieldPicker({
      a: [3, 1, "int32"],
      b: [3, 2, "int32"],
      deep: [3, 9, 1, "int32"],
      whole: [4, "message"],
    });
    expect(picker.decode(bytes)).toEqual({ a: 5, b: 7, deep: 6, whole: undefined });
    expect(new FieldPicker({ g: [[3], "message"] }).decode(bytes).g).toEqual([inner, field(2, 0, varint(7))]);
    expect(new FieldPicker({ g: [[3], 1, "int32"] }).decode(bytes).g).toEqual([5, undefined]);
  });
});

test("the rest, and then new fields, are a message; unknown fields and those that are read in part are in the rest", () => {
  const unknown = concat(field(99, 5, new Uint8Array(4)), field(2 ** 29 - 1, 0, varint(3)));
  const bytes = concat(order(7, ["A1", "B2"]), unknown);
  const { id, name, rest } = new FieldPicker({ id: [1, "uint32"], name: [2, 1, "string"] }, { rest: true }).decode(
    bytes,
  );
  expect(rest).toEqual(concat(order(7, ["A1", "B2"]).subarray(2), unknown));
  const next = concat(rest, field(1, 0, varint(id! + 1)));
  expect(new FieldPicker(paths).decode(next)).toEqual({ ...new FieldPicker(paths).decode(bytes), id: 8 });
  expect(name).toBe("Ada");
  const copy = bytes.slice();
  const kept = new FieldPicker({ note: [9] }, { rest: true }).decode(copy);
  copy.fill(0);
  expect(kept.rest).toEqual(concat(bytes.subarray(0, bytes.length - 6 - unknown.length), unknown));
});

describe("hostile bytes", () => {
  const picker = new FieldPicker({ ...paths, g: [3, 1, "int32"] });
  const bytes = concat(order(7, ["A1", "B2"]), varint(3 * 8 + 3), field(1, 0, varint(5)), varint(3 * 8 + 4));

  test("every truncation is ERR_TRUNCATED, or the message that ends there", () => {
    const ends = new Set<number>();
    for (let size = 0; size < bytes.length; size++) {
      try {
        picker.decode(bytes.subarray(0, size));
        ends.add(size);
      } catch (error) {
        expect((error as DecodeError).code).toBe("ERR_TRUNCATED");
      }
    }
    // Before each of the six fields that follow the start.
    expect(ends.size).toBe(6);
  });

  test("flipped bits never give anything but values or coded errors", () => {
    const random = randomSource(5);
    let refused = 0;
    for (let i = 0; i < share(20_000); i++) {
      const damaged = bytes.slice();
      for (let n = 1 + random(3); n > 0; n--) damaged[random(bytes.length)]! ^= 1 << random(8);
      try {
        const { skus, prices } = picker.decode(damaged);
        if (skus.length !== prices.length) throw new Error(toHex(damaged));
      } catch (error) {
        if (!(error instanceof DecodeError)) throw error;
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(share(1000));
  });

  test("each fault has its code", () => {
    const eleven = new Uint8Array(11).fill(0x80);
    expect(code(() => picker.decode(field(1, 0, eleven)))).toBe("ERR_INVALID_BYTE");
    expect(code(() => picker.decode(eleven))).toBe("ERR_INVALID_BYTE");
    expect(code(() => picker.decode(Uint8Array.of(0, 1)))).toBe("ERR_INVALID_BYTE"); // field 0
    for (const wire of [4, 6, 7]) expect(code(() => picker.decode(Uint8Array.of(8 + wire)))).toBe("ERR_INVALID_BYTE");
    expect(code(() => picker.decode(concat(varint(3 * 8 + 3), varint(2 * 8 + 4))))).toBe("ERR_INVALID_BYTE");
    expect(code(() => picker.decode(concat(varint(4 * 8 + 2), varint(2 ** 31 - 1))))).toBe("ERR_TRUNCATED");
    expect(code(() => picker.decode(concat(varint(4 * 8 + 2), varint(2 ** 31))))).toBe("ERR_INVALID_BYTE");
    // A nested field that reaches beyond its message, into bytes that are there.
    const beyond = concat(varint(2 * 8 + 2), varint(2), varint(8 + 2), varint(9), new Uint8Array(20));
    expect(code(() => picker.decode(beyond))).toBe("ERR_TRUNCATED");
    expect(code(() => picker.decode(field(2, 2, delimited(Uint8Array.of(8 + 3)))))).toBe("ERR_TRUNCATED");
    const deep = concat(...Array.from({ length: 1000 }, () => varint(5 * 8 + 3)));
    expect(code(() => picker.decode(deep))).toBe("ERR_LIMIT_DEPTH");
  });

  test("the time of many occurrences is linear", () => {
    const one = field(2, 2, delimited(new Uint8Array(0)));
    const many = (n: number) => Uint8Array.from({ length: n * one.length }, (_, i) => one[i % one.length]!);
    const merged = new FieldPicker({ user: [2, "message"], rest: [[4], 1, "string"] });
    expect(merged.decode(many(100_000)).user).toEqual(new Uint8Array(0));
  });

  test("names of Object.prototype are names", () => {
    const named = new FieldPicker(JSON.parse('{"__proto__":[1,"int32"],"constructor":[2]}'));
    expect(Object.entries(named.decode(field(1, 0, varint(5))))).toEqual([
      ["__proto__", 5],
      ["constructor", undefined],
    ]);
  });
});

test("frames are read by it", async () => {
  const frames = [order(1, []), order(2, ["x"])].map((bytes) => encodeFrame(bytes));
  const ids: unknown[] = [];
  for await (const { id } of decodeFrames(frames, { decode: new FieldPicker(paths) })) ids.push(id);
  expect(ids).toEqual([1, 2]);
});

test("wrong arguments", () => {
  const refused = (wrong: unknown, options?: object) =>
    expect(code(() => new FieldPicker(wrong as never, options as never))).toBe("ERR_INVALID_ARGUMENT");
  for (const paths of [undefined, null, 5, "id", [[1]]]) refused(paths);
  for (const path of [
    [],
    ["int32"],
    [0],
    [-1],
    [1.5],
    [2 ** 29],
    ["1"],
    [1, "int31"],
    [[1, 2], "int32"],
    [[]],
    [1, "__proto__"],
    [1, null],
    "id",
    5,
    null,
  ])
    refused({ path });
  refused({ a: [1], b: [1, "int32"] });
  refused({ a: [[1], 2], b: [1, 3] });
  refused({ path: Array(101).fill(1) });
  for (const options of [5, { rest: 1 }, { int64: "long64" }, { strict: "yes" }, { tpe: 1 }])
    refused({ a: [1] }, options as object);
  refused({ rest: [1] }, { rest: true });
  const picker = new FieldPicker({ a: [1] });
  const detached = Uint8Array.of(8, 1);
  structuredClone(detached, { transfer: [detached.buffer] });
  for (const bytes of [undefined, "x", {}, Object.create(Uint8Array.prototype), detached])
    expect(code(() => picker.decode(bytes as never))).toBe("ERR_INVALID_ARGUMENT");
});
