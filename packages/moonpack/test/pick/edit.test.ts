/** Edited bytes decode to the changed value. */
import { caught, caughtOurs, fault } from "@moonpack/harness/caught.ts";
import { share } from "@moonpack/harness/effort.ts";
import { toHex } from "@moonpack/harness/hex.ts";
import { randomSource } from "@moonpack/harness/random.ts";
import { differ } from "@moonpack/harness/same.ts";
import { decode, encode } from "moonpack";
import { edit, type PathStep, Picker } from "moonpack/pick";
import { describe, expect, test } from "vitest";
import { document, path, walk } from "./documents.ts";

const message = { user: { name: "Ada", mail: "a@b" }, count: 7, tags: ["x", "y"], old: true };
const bytes = encode(message);

test("values, functions, new keys, removed keys, appended elements", () => {
  const edited = edit(bytes, {
    "/user/name": "Grace",
    "/count": (n: number) => n + 1,
    "/tags/-": "z",
    "/tags/0": undefined,
    "/old": undefined,
    "/user/new": { a: 1 },
  });
  expect(decode(edited)).toEqual({ user: { name: "Grace", mail: "a@b", new: { a: 1 } }, count: 8, tags: ["y", "z"] });
  expect(decode(bytes)).toEqual(message);
});

test("without changes the bytes are equal", () => {
  expect(toHex(edit(bytes, {}))).toBe(toHex(bytes));
  expect(toHex(edit(bytes, { "/none": undefined, "/nothing/deep": undefined, "/tags/9": undefined }))).toBe(
    toHex(bytes),
  );
  expect(toHex(edit(bytes, { "/none": (old: unknown) => old }))).toBe(toHex(bytes));
});

test("the whole message", () => {
  expect(decode(edit(bytes, { "": [1] }))).toEqual([1]);
  expect(decode(edit(bytes, { "": (old: typeof message) => old.count }))).toBe(7);
  expect(fault(() => edit(bytes, { "": undefined })).code).toBe("ERR_NO_PLACE");
});

test("random documents: one change is the change of the decoded value", () => {
  let changed = 0;
  for (let seed = 0; seed < share(4000); seed++) {
    const random = randomSource(seed);
    const input = document(random);
    const where = path(random).filter((step) => typeof step !== "symbol");
    const old = decode(input, { maps: "map" });
    const value = [null, 5, "new", { a: [1] }, undefined][random(5)];
    const place = parentOf(old, where);
    let edited: Uint8Array;
    try {
      edited = edit(input, [[where, value]]);
    } catch (error) {
      const { code } = error as { code: string };
      // A key that is there twice is seen once after decoding.
      if (isTwice(input, where)) expect(["ERR_DUPLICATE_KEY", "ERR_NO_PLACE"]).toContain(code);
      else if (where.length > 0) expect(place, `seed ${seed}: ${String(error)}`).toBeUndefined();
      continue;
    }
    changed++;
    expect(
      differ(
        decode(edited, { maps: "map" }),
        replaced(old, where, value === undefined ? value : decode(encode(value), { maps: "map" })),
      ),
      `seed ${seed}`,
    ).toBeNull();
  }
  expect(changed).toBeGreaterThan(share(4000) / 4);
});

test("headers that change are the shortest, others are copied", () => {
  const long = new Uint8Array([0xdf, 0, 0, 0, 1, 0xdb, 0, 0, 0, 1, 0x61, 0xcd, 0, 5]);
  expect(toHex(edit(long, { "/a": 6 }))).toBe("df00000001db000000016106");
  expect(toHex(edit(long, { "/b": 6 }))).toBe("82db0000000161cd0005a16206");
  const fifteen = encode(Object.fromEntries(Array.from({ length: 15 }, (_, i) => [`k${i}`, i])));
  expect(edit(fifteen, { "/k": 1 })[0]).toBe(0xde);
  expect(edit(edit(fifteen, { "/k": 1 }), { "/k": undefined })[0]).toBe(0x8f);
  const many = encode(Array.from({ length: 65535 }, () => 0));
  expect([...edit(many, { "/-": 1 }).subarray(0, 5)]).toEqual([0xdd, 0, 1, 0, 0]);
});

describe("errors", () => {
  test("a parent that is not there", () => {
    for (const where of ["/none/a", "/count/a", "/tags/5", "/tags/x", "/tags/-/a", "/user/name/0"]) {
      expect(fault(() => edit(bytes, { [where]: 1 })).code).toBe("ERR_NO_PLACE");
      expect(fault(() => edit(bytes, { [where]: () => undefined })).code).toBe("ERR_NO_PLACE");
    }
  });

  test("a key that is there twice", () => {
    const twice = new Uint8Array([0x82, 0xa1, 0x61, 1, 0xa1, 0x61, 2]);
    expect(fault(() => edit(twice, { "/a": 3 }))).toMatchObject({ code: "ERR_DUPLICATE_KEY", offset: 4 });
    expect(decode(edit(twice, { "/b": 3 }))).toEqual({ a: 2, b: 3 });
  });

  test("changes that meet, and paths of many places", () => {
    const wrong: unknown[] = [
      { "/a": 1, "/a/b": 2 },
      [
        ["/a", 1],
        [["a"], 2],
      ],
      [
        ["/0", 1],
        [[0], 2],
      ],
      { "/*": 1 },
      { a: 1 },
      5,
      null,
      [5],
      [["/a"]],
    ];
    for (const changes of wrong) expect(fault(() => edit(bytes, changes as never)).code).toBe("ERR_INVALID_ARGUMENT");
  });

  test("invalid input", () => {
    for (let n = 0; n < bytes.length; n++)
      expect(fault(() => edit(bytes.subarray(0, n), { "/user/name": 1 })).code).toBe("ERR_TRUNCATED");
    expect(fault(() => edit(new Uint8Array([...bytes, 1]), { "/count": 1 })).code).toBe("ERR_TRAILING_BYTES");
    expect(fault(() => edit("text" as never, {})).code).toBe("ERR_INVALID_ARGUMENT");
  });

  test("values that cannot be encoded, or are too deep where they go", () => {
    expect(caughtOurs(() => edit(bytes, { "/count": Symbol("x") })).code).toBe("ERR_UNSUPPORTED_TYPE");
    expect(caughtOurs(() => edit(bytes, { "/user/name": [[]] }, { maxDepth: 3 })).code).toBe("ERR_LIMIT_DEPTH");
    expect(decode(edit(bytes, { "/user/name": [] }, { maxDepth: 3 }))).toMatchObject({ user: { name: [] } });
  });

  test("a function that transfers the input", () => {
    const input = Uint8Array.from(bytes);
    const transfer = (): number => {
      structuredClone(input.buffer, { transfer: [input.buffer] });
      return 1;
    };
    expect(fault(() => edit(input, { "/count": transfer })).code).toBe("ERR_INVALID_ARGUMENT");
  });

  test("an exception of a function reaches the caller", () => {
    const fail = (): never => {
      throw new RangeError("mine");
    };
    for (const where of ["/count", "/none"]) {
      const error = caught(() => edit(bytes, { [where]: fail }));
      expect(error).toBeInstanceOf(RangeError);
      expect((error as RangeError).message).toBe("mine");
    }
  });
});

/** True if a key of the path is there twice. */
function isTwice(input: Uint8Array, where: PathStep[]): boolean {
  try {
    new Picker([where], { duplicates: "error" }).decode(input);
    return false;
  } catch {
    return true;
  }
}

/** The container that a change is made in; undefined if the change has no place. */
function parentOf(value: unknown, where: readonly PathStep[]): unknown {
  if (where.length === 0) return value;
  const parent = walk(value, where.slice(0, -1));
  const step = where.at(-1);
  if (parent instanceof Map) return parent;
  return Array.isArray(parent) &&
    typeof step === "number" &&
    Number.isInteger(step) &&
    step >= 0 &&
    step < parent.length
    ? parent
    : undefined;
}

/** The value with the change. */
function replaced(value: unknown, where: readonly PathStep[], change: unknown): unknown {
  if (where.length === 0) return change;
  const [step, ...rest] = where as [string | number, ...PathStep[]];
  if (value instanceof Map) {
    if (!value.has(step) && rest.length > 0) return value;
    const next = replaced(value.get(step), rest, change);
    const copy = new Map(value as Map<unknown, unknown>);
    if (next === undefined) copy.delete(step);
    else copy.set(step, next);
    return copy;
  }
  if (!Array.isArray(value) || !Number.isInteger(step) || (step as number) < 0 || (step as number) >= value.length)
    return value;
  const next = replaced(value[step as number], rest, change);
  return next === undefined ? value.toSpliced(step as number, 1) : value.with(step as number, next);
}
