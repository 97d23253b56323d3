/** Raw parts, views and skip. */
import { caughtOurs, fault } from "@moonpack/harness/caught.ts";
import { share } from "@moonpack/harness/effort.ts";
import { toHex } from "@moonpack/harness/hex.ts";
import { randomSource } from "@moonpack/harness/random.ts";
import { differ } from "@moonpack/harness/same.ts";
import { decode, Encoder, Extension, encode, encodeInto, encodeOwned, encodeShared } from "moonpack";
import { complete } from "moonpack/msgpack/features";
import { each, Picker, pick, Raw, skip, View, view } from "moonpack/pick";
import { describe, expect, test } from "vitest";
import { document, type Random } from "./documents.ts";

describe("Raw", () => {
  test("is not an Extension, and an Extension is not a Raw", () => {
    expect([new Raw(encode(1)) instanceof Extension, new Extension(1, new Uint8Array(0)) instanceof Raw]).toEqual([
      false,
      false,
    ]);
  });

  const bytes = encode({ route: "a.b", payload: { list: [1, "x", null], big: "y".repeat(300) } });

  test("is forwarded byte by byte, by every function that encodes", () => {
    const { route, body } = new Picker({ route: "/route", body: "/payload" }, { raw: ["body"] }).decode(bytes);
    const { payload } = decode(bytes) as { payload: unknown };
    expect(route).toBe("a.b");
    expect(body).toBeInstanceOf(Raw);
    const expected = toHex(encode({ hop: 1, payload, after: [payload, 2] }));
    const value = { hop: 1, payload: body, after: [body, 2] };
    const target = new Uint8Array(2000);
    expect(toHex(encode(value))).toBe(expected);
    expect(toHex(encodeOwned(value))).toBe(expected);
    expect(toHex(encodeShared(value))).toBe(expected);
    expect(toHex(target.subarray(0, encodeInto(value, target)))).toBe(expected);
    expect(toHex(encode(body))).toBe(toHex(encode(payload)));
    expect(toHex(encode(new Map([["k", body]])))).toBe(toHex(encode({ k: payload })));
    expect(toHex(new Encoder({ canonical: true, engine: complete }).encode({ b: 1, a: body }))).toBe(
      toHex(new Encoder({ canonical: true, engine: complete }).encode({ b: 1, a: new Raw(encode(payload)) })),
    );
  });

  test("keeps forms that an encoder would not choose", () => {
    const odd = new Uint8Array([0x92, 0xcd, 0, 5, 0xdb, 0, 0, 0, 1, 0x61]);
    expect(toHex(encode([pick(odd, "", { raw: true })]))).toBe(`91${toHex(odd)}`);
  });

  test("is a copy", () => {
    const input = Uint8Array.from(bytes);
    const raw = pick(input, "/payload", { raw: true }) as Raw;
    const before = toHex(raw.data);
    input.fill(0);
    expect(toHex(raw.data)).toBe(before);
    expect(raw.data.buffer.byteLength).toBe(raw.data.length);
    const buffer = new Raw(Uint8Array.from([1]).buffer);
    expect([...buffer.data]).toEqual([1]);
  });

  test("decodes, and JSON has its value", () => {
    const raw = new Raw(encode({ a: [1n, "x"] }));
    expect(raw.decode()).toEqual({ a: [1, "x"] });
    expect(raw.decode({ maps: "map" })).toEqual(new Map([["a", [1, "x"]]]));
    expect(JSON.stringify({ raw })).toBe('{"raw":{"a":[1,"x"]}}');
    expect(toHex(encode([raw], { fidelity: "json", engine: complete }))).toBe(toHex(encode([{ a: [1, "x"] }])));
  });

  test("must be one item", () => {
    expect(fault(() => new Raw(new Uint8Array(0))).code).toBe("ERR_TRUNCATED");
    expect(fault(() => new Raw(new Uint8Array([0x92, 1]))).code).toBe("ERR_TRUNCATED");
    expect(fault(() => new Raw(new Uint8Array([1, 2]))).code).toBe("ERR_TRAILING_BYTES");
    expect(fault(() => new Raw(new Uint8Array([0xc1]))).code).toBe("ERR_INVALID_BYTE");
    expect(fault(() => new Raw("x" as never)).code).toBe("ERR_INVALID_ARGUMENT");
  });

  test("plain objects with its fields are data", () => {
    expect(decode(encode({ type: null, data: new Uint8Array([1]) }))).toEqual({
      type: null,
      data: new Uint8Array([1]),
    });
  });
});

describe("view", () => {
  const bytes = encode({
    user: { name: "Ada" },
    items: [1, [2, 3], "x"],
    n: new Map([[7, "seven"]]),
    e: new Extension(5, new Uint8Array(3)),
  });

  test("steps from item to item", () => {
    const m = view(bytes, { unknownExtensions: "keep" });
    expect([m.type, m.size]).toEqual(["map", 4]);
    expect(m.get("user")?.get("name")?.value()).toBe("Ada");
    expect(m.get("user")?.get("none")).toBeUndefined();
    expect(m.get("items")?.at(1)?.at(1)?.value()).toBe(3);
    expect(m.get("items")?.at(3)).toBeUndefined();
    expect(m.get("n")?.get(7)?.value()).toBe("seven");
    expect(m.get("n")?.get("7")).toBeUndefined();
    expect(m.at(0)).toBeUndefined();
    expect(m.get("items")?.get("0")).toBeUndefined();
    expect([m.get("e")?.type, m.get("e")?.size]).toEqual(["extension", 3]);
    expect(toHex(m.get("items")!.raw())).toBe(toHex(encode([1, [2, 3], "x"])));
    expect(m.get("items")!.raw().buffer).toBe(bytes.buffer);
    expect([...m.entries()].map(([key, { type }]) => [key, type])).toEqual([
      ["user", "map"],
      ["items", "array"],
      ["n", "map"],
      ["e", "extension"],
    ]);
    expect([...m.get("items")!.entries()].map(([key, item]) => [key, item.value()])).toEqual([
      [0, 1],
      [1, [2, 3]],
      [2, "x"],
    ]);
    expect(m.value()).toMatchObject({ user: { name: "Ada" } });
  });

  test("the last of equal keys counts, before and after keys are indexed", () => {
    const m = view(new Uint8Array([0x82, 0xa1, 0x61, 1, 0xa1, 0x61, 2]));
    for (let i = 0; i < 5; i++) expect(m.get("a")?.value()).toBe(2);
    expect([...m.entries()].length).toBe(2);
  });

  test("random documents: every item by entries, and by get and at", () => {
    for (let seed = 0; seed < share(300); seed++) {
      const bytes = document(randomSource(seed) as Random);
      expect(differ(rebuilt(view(bytes)), decode(bytes, { maps: "map" })), `seed ${seed}`).toBeNull();
    }
  });

  test("checks what it passes", () => {
    const cut = bytes.subarray(0, bytes.length - 1);
    expect(view(cut).type).toBe("map");
    expect(fault(() => view(cut).get("user")).code).toBe("ERR_TRUNCATED");
    expect(fault(() => view(new Uint8Array(0))).code).toBe("ERR_TRUNCATED");
    expect(fault(() => view(new Uint8Array([0xc1]))).code).toBe("ERR_INVALID_BYTE");
    expect(fault(() => view(new Uint8Array([0xdd, 0xff, 0xff, 0xff, 0xff]))).code).toBe("ERR_TRUNCATED");
    expect(
      fault(() =>
        view(encode([[[]]]), { maxDepth: 2 })
          .at(0)
          ?.value(),
      ).code,
    ).toBe("ERR_LIMIT_DEPTH");
    const deep = view(encode([[1, []]]), { maxDepth: 2 }).at(0);
    expect(deep?.at(0)?.value()).toBe(1);
    expect(fault(() => deep?.at(1)).code).toBe("ERR_LIMIT_DEPTH");
    expect(fault(() => view(bytes).get({} as never)).code).toBe("ERR_INVALID_ARGUMENT");
    expect(fault(() => view(bytes).at(-1)).code).toBe("ERR_INVALID_ARGUMENT");
    expect(fault(() => view(5 as never)).code).toBe("ERR_INVALID_ARGUMENT");
    expect(fault(() => view(bytes, { maxBytes: 5 })).code).toBe("ERR_LIMIT_BYTES");
  });

  test("an input that was transferred away", () => {
    const input = Uint8Array.from(bytes);
    const m = view(input);
    structuredClone(input.buffer, { transfer: [input.buffer] });
    expect(caughtOurs(() => m.value()).code).toBe("ERR_INVALID_ARGUMENT");
  });
});

describe("skip", () => {
  test("every first byte: as long as decode reads", () => {
    for (let token = 0; token < 256; token++) {
      const item = new Uint8Array(600).fill(1);
      item[0] = token;
      if (token === 0xc1) {
        expect(fault(() => skip(item)).code).toBe("ERR_INVALID_BYTE");
        continue;
      }
      // Lengths of 16 and 32 bits are small.
      if ([0xc5, 0xc8, 0xda, 0xdc, 0xde].includes(token)) item[1] = 0;
      if ([0xc6, 0xc9, 0xdb, 0xdd, 0xdf].includes(token)) item.fill(0, 1, 4);
      const { end } = new Picker("", { unknownExtensions: "keep" }).decodeAt(item, 0);
      expect(skip(item), `first byte ${token}`).toBe(end);
      expect(skip(item, 0)).toBe(end);
      for (let n = 0; n < end; n++) expect(fault(() => skip(item.subarray(0, n))).code).toBe("ERR_TRUNCATED");
    }
  });

  test("forged headers are refused at once", () => {
    for (const bytes of [
      [0xdd, 0xff, 0xff, 0xff, 0xff],
      [0xdf, 0xff, 0xff, 0xff, 0xff, 1],
      [0xdb, 0xff, 0xff, 0xff, 0xff],
      [0xc6, 0x7f, 0xff, 0xff, 0xff, 0],
      [0xc9, 0x80, 0, 0, 0, 1],
    ])
      expect(fault(() => skip(new Uint8Array(bytes))).code).toBe("ERR_TRUNCATED");
  });

  test("depth has a limit, also through wanted places", () => {
    const deep = new Uint8Array(100_000).fill(0x91);
    expect(fault(() => skip(deep)).code).toBe("ERR_LIMIT_DEPTH");
    expect(fault(() => pick(deep, [new Array<typeof each>(200).fill(each)])).code).toBe("ERR_LIMIT_DEPTH");
    expect(fault(() => pick(deep, "/0/0/0")).code).toBe("ERR_LIMIT_DEPTH");
    const allowed = new Uint8Array(512).fill(0x91);
    allowed[511] = 0x90;
    expect(skip(allowed)).toBe(512);
    expect(skip(new Uint8Array([0x91, ...allowed]).subarray(1))).toBe(512);
    expect(fault(() => skip(new Uint8Array([0x91, ...allowed]))).code).toBe("ERR_LIMIT_DEPTH");
  });

  test("offsets", () => {
    const two = new Uint8Array([...encode({ a: 1 }), ...encode("x")]);
    expect(skip(two)).toBe(4);
    expect(skip(two, 4)).toBe(6);
    for (const offset of [-1, 7, 0.5, "0"])
      expect(fault(() => skip(two, offset as number)).code).toBe("ERR_INVALID_ARGUMENT");
  });
});

function rebuilt(item: View): unknown {
  if (item.type === "array") {
    const byAt = Array.from({ length: item.size }, (_, i) => rebuilt(item.at(i)!));
    const byEntries = [...item.entries()].map(([, element]) => rebuilt(element));
    expect(differ(byAt, byEntries)).toBeNull();
    return byAt;
  }
  if (item.type !== "map") return item.value();
  const map = new Map<unknown, unknown>();
  for (const [key, value] of item.entries()) {
    map.set(key, rebuilt(value));
    const found = item.get(key as string);
    if (typeof key === "string" || typeof key === "number" || typeof key === "bigint")
      expect(found).toBeInstanceOf(View);
  }
  return map;
}
