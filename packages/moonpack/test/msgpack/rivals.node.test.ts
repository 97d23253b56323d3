/**
 * Other libraries as oracles: they decode moonpack's bytes, and moonpack decodes theirs. Encoded bytes are not
 * compared, since the others write 2^60, 1e20 and -0 differently.
 */
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { MsgPackDecoder } from "@jsonjoy.com/json-pack/lib/msgpack/MsgPackDecoder.js";
import { caughtOurs } from "@moonpack/harness/caught.ts";
import { none } from "@moonpack/harness/each.ts";
import { randomSource } from "@moonpack/harness/random.ts";
import { differ } from "@moonpack/harness/same.ts";
import { vectors } from "@moonpack/harness/vectors.ts";
import * as reference from "@msgpack/msgpack";
import { decode, Encoder, encode, encodeShared } from "moonpack";
import { StreamDecoder } from "moonpack/stream";
import { Packr, Unpackr } from "msgpackr";
import { describe, expect, test } from "vitest";

const notepack = createRequire(import.meta.url)("notepack.io") as {
  decode(b: Uint8Array): unknown;
  encode(v: unknown): Uint8Array;
};
const unpackr = new Unpackr({ useRecords: false, mapsAsObjects: true, int64AsType: "number" });
const packr = new Packr({ useRecords: false });
const jsonPack = new MsgPackDecoder();

const peers: [string, (bytes: Uint8Array) => unknown][] = [
  ["@msgpack/msgpack", (bytes) => reference.decode(bytes)],
  ["msgpackr", (bytes) => unpackr.unpack(Buffer.from(bytes))],
  ["json-pack", (bytes) => jsonPack.read(Uint8Array.from(bytes))],
  ["notepack.io", (bytes) => notepack.decode(Buffer.from(bytes))],
];
const writers: [string, (value: unknown) => Uint8Array][] = [
  ["@msgpack/msgpack", (value) => reference.encode(value)],
  ["msgpackr", (value) => packr.pack(value)],
  ["notepack.io", (value) => notepack.encode(value)],
];

const folder = new URL("../../../../data/", import.meta.url);
const real = readdirSync(folder)
  .filter((name) => name.endsWith(".json"))
  .map((name) => ({ name, value: JSON.parse(readFileSync(new URL(name, folder), "utf8")) as unknown }));

/**
 * Returns a JSON-like value on which all libraries agree: no -0, NaN, integers beyond 2^53, lone surrogates or special
 * keys.
 */
function generated(seed: number): unknown {
  const random = randomSource(seed);
  const numbers = [
    0,
    1,
    -1,
    31,
    -32,
    -33,
    127,
    128,
    255,
    256,
    65_535,
    65_536,
    -128,
    -129,
    -32_768,
    -32_769,
    2 ** 31,
    2 ** 32 - 1,
    2 ** 32,
    -(2 ** 31),
    -(2 ** 31) - 1,
    0.5,
    0.1,
    -1.25e-7,
    123456.789,
  ];
  const texts = [
    "",
    "a",
    "text of a middling length",
    "é",
    "日本語",
    "😀",
    "x".repeat(31),
    "x".repeat(32),
    "x".repeat(255),
    "x".repeat(256),
    "é".repeat(200),
  ];
  const make = (depth: number): unknown => {
    const kind = random(depth > 4 ? 4 : 6);
    if (kind === 0) return numbers[random(numbers.length)];
    if (kind === 1) return texts[random(texts.length)];
    if (kind === 2) return [null, true, false][random(3)];
    if (kind === 3) return random(2 ** 31) * (random(2) === 0 ? 1 : -1);
    if (kind === 4) return Array.from({ length: random(20) }, () => make(depth + 1));
    return Object.fromEntries(
      Array.from({ length: random(20) }, (_, i) => [`key${i}${"k".repeat(random(30))}`, make(depth + 1)]),
    );
  };
  return make(0);
}

describe("other libraries decode moonpack's bytes", () => {
  for (const [peer, read] of peers) {
    test(`${peer}: real data`, () => {
      expect(real.length).toBeGreaterThanOrEqual(5);
      for (const { name, value } of real) {
        none(differ(read(encode(value)), value), name);
        none(differ(read(encodeShared(value)), value), name);
        none(
          differ(
            read(new Encoder({ canonical: true }).encode(value)),
            decode(new Encoder({ canonical: true }).encode(value)),
          ),
          name,
        );
      }
    });

    test(`${peer}: generated values`, () => {
      for (let seed = 0; seed < 120; seed++) {
        const value = generated(seed);
        none(differ(read(encode(value)), value), `seed ${seed}`);
      }
    });

    test(`${peer}: the vectors of JSON types and of binary`, () => {
      let compared = 0;
      for (const { group, name, bytes, value, shortest } of vectors) {
        const wanted = value();
        if (!shortest || !["nil-bool", "integers", "floats", "strings", "arrays", "binary"].includes(group)) continue;
        // Libraries decode 64-bit integers to different types. 512 levels are too deep for some.
        if (typeof wanted === "bigint" || /512 deep/.test(name)) continue;
        // @msgpack/msgpack drops a leading U+FEFF from long strings.
        if (peer === "@msgpack/msgpack" && name.includes("U+FEFF at the start of a long one")) continue;
        const got = read(bytes);
        // Other libraries may return Buffers.
        const plain =
          got instanceof Uint8Array
            ? Uint8Array.from(got)
            : Array.isArray(got)
              ? got.map((x: unknown) => (x instanceof Uint8Array ? Uint8Array.from(x) : x))
              : got;
        none(differ(typeof plain === "bigint" ? Number(plain) : plain, wanted), name);
        compared++;
      }
      expect(compared).toBeGreaterThan(250);
    });
  }

  test("timestamps: @msgpack/msgpack and msgpackr decode the same Date", () => {
    for (const { name, bytes, value, shortest, group } of vectors) {
      const wanted = value();
      if (group !== "timestamps" || !shortest || !(wanted instanceof Date)) continue;
      expect((reference.decode(bytes) as Date).getTime(), name).toBe(wanted.getTime());
      expect((unpackr.unpack(Buffer.from(bytes)) as Date).getTime(), name).toBe(wanted.getTime());
    }
  });
});

test("msgpackr's records are refused by that name, whole and in parts", () => {
  const bytes = new Packr().pack([{ id: 1 }, { id: 2 }]);
  const error = caughtOurs(() => decode(bytes));
  expect(error).toMatchObject({ code: "ERR_UNKNOWN_EXTENSION", offset: 1 });
  expect(error.message).toContain("@moonpack/compat/msgpackr reads it");
  expect(caughtOurs(() => [...new StreamDecoder().push(bytes)]).message).toBe(error.message);
  expect(decode(packr.pack([{ id: 1 }, { id: 2 }]))).toEqual([{ id: 1 }, { id: 2 }]);
});

describe("moonpack decodes the bytes of other libraries", () => {
  for (const [peer, write] of writers) {
    test(peer, () => {
      for (const { name, value } of real) none(differ(decode(write(value)), value), name);
      for (let seed = 0; seed < 120; seed++)
        none(differ(decode(write(generated(seed))), generated(seed)), `seed ${seed}`);
    });
  }
});
