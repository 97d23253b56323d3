/** Properties that other code added to Object.prototype before moonpack was loaded must not change any result. */

import { childResult } from "@moonpack/harness/child.ts";
import { expect, test } from "vitest";

// Loaded before the pollution, which breaks modules of Node that are loaded after it.
const BEFORE = `
  const { writeSync } = await import("node:fs");
`;

const POLLUTE = `
  const junk = {
    polluted: "yes", toJSON() { return "toJSON was called"; }, toMessagePack() { return "toMessagePack was called"; },
    get: undefined, set: undefined, value: "a value", writable: true, enumerable: true, configurable: true,
    maxDepth: 1, maxBytes: 1, maxFrameBytes: 1, maps: "map", int64: "bigint", timestamps: "timestamp", binary: "view", utf8: "replace",
    strict: true, canonical: true, fidelity: "json", unknownExtensions: "keep", codeGeneration: () => { throw new Error("generator called"); },
    extensions: {}, prefix: "u32be", sequence: true, length: 5, next: "next", done: true, type: 5, data: "x", seconds: 1,
    nanoseconds: 2, resizable: true, cause: "cause", code: "code", then: undefined, keys: "keys", text: "text", inner: "inner",
  };
  for (const [key, value] of Object.entries(junk)) if (value !== undefined) Object.prototype[key] = value;
  Array.prototype.extra = "extra";
`;

const PROBE = `
  const { decode, decodeAt, decodeMulti, diagnose, Decoder, Encoder, encode, encodeInto, encodeOwned, encodeShared, Extension, Extensions, Timestamp } = await import("moonpack");
  const { readFrame, writeFrame, ByteWriter } = await import("moonpack/bytes");
  const out = [];
  const hex = (bytes) => Buffer.from(bytes).toString("hex");
  const own = (value) => {
    if (Array.isArray(value)) return "[" + Array.from(value, own).join() + "]";
    if (value instanceof Map) return "Map" + own([...value]);
    if (value instanceof Uint8Array) return "bin:" + hex(value);
    if (value instanceof Date) return "Date:" + value.getTime();
    if (value instanceof Timestamp) return "Timestamp:" + value.seconds + ":" + value.nanoseconds;
    if (value instanceof Extension) return "Extension:" + Object.getOwnPropertyDescriptor(value, "type").value + ":" + hex(Object.getOwnPropertyDescriptor(value, "data").value);
    if (typeof value === "object" && value !== null) return "{" + Object.getOwnPropertyNames(value).map((key) => key + ":" + own(Object.getOwnPropertyDescriptor(value, key).value)).join() + "}";
    return typeof value + ":" + String(value);
  };
  const failure = (act) => { try { act(); return "none"; } catch (error) { return error.name + " " + error.code + " " + error.message; } };
  class Point {}
  const values = [
    null, 1, -0, 1.5, "text", [1, 2, 3], [], {}, { a: 1 }, { a: { b: [1, { c: null }] } }, { polluted: 1 }, { value: 1, get: 2 }, { setter: 1 },
    JSON.parse('{"__proto__":1}'), new Map([[1, 2]]), new Date(5), new Timestamp(1, 1), new Uint8Array([1]), 2n ** 60n, Object.create(null),
    Object.fromEntries(Array.from({ length: 20 }, (_, i) => ["key" + i, i])), Array.from({ length: 20 }, (_, i) => ({ id: i, name: "n" + i })),
  ];
  for (const value of values) {
    for (const way of [encode, encodeOwned, encodeShared]) out.push(hex(way(value)));
    out.push(hex(new Encoder({ canonical: true }).encode(value)));
    const target = new Uint8Array(2000);
    out.push(encodeInto(value, target, 3));
    const bytes = encode(value);
    for (let i = 0; i < 3; i++) out.push(own(decode(bytes)));
    out.push(own(new Decoder({ strict: true }).decode(bytes)), own(decodeAt(bytes, 0)), own([...decodeMulti(bytes)]));
    out.push([...diagnose(bytes)].map((item) => item.path + " " + item.format + " " + item.meaning).join("|"));
    out.push(failure(() => decode(bytes.subarray(0, bytes.length - 1))));
  }
  const decoder = new Decoder();
  const rows = encode(Array.from({ length: 500 }, (_, i) => ({ id: i, setter: i, value: "v", name: "n" })));
  for (let i = 0; i < 3; i++) out.push(own(decoder.decode(rows)).length, own(decoder.decode(rows)).slice(-60));
  out.push(own(decode(new Uint8Array([0xd4, 5, 1]), { unknownExtensions: "keep" })));
  out.push(failure(() => decode(new Uint8Array([0xd4, 5, 1]))), failure(() => encode(() => 1)), failure(() => encode(new Point())), failure(() => encode({ a: [undefined] })));
  out.push(failure(() => encode([, 1])), failure(() => encode(new Set([1]))), failure(() => encode(Symbol("s"))));
  out.push(failure(() => decode("x")), failure(() => decode({})), failure(() => new Decoder({ maxDepth: 0 })));
  const extensions = new Extensions().register({ type: 1, class: Point, encode: () => new Uint8Array(2), decode: () => new Point() });
  out.push(hex(new Encoder({ extensions }).encode(new Point())), own(new Decoder({ extensions }).decode(new Uint8Array([0xd5, 1, 0, 0]))));
  const writer = new ByteWriter();
  writeFrame(writer, new Uint8Array(3));
  out.push(hex(writer.written()), own(readFrame(writer.written())));
  // Joined by hand, because JSON.stringify of an array would call the toJSON of the pollution.
  writeSync(1, "[" + out.map((text) => JSON.stringify(String(text))).join() + "]");
`;

test("results are the same as in a clean process", () => {
  const clean = childResult<unknown[]>(BEFORE + PROBE);
  const polluted = childResult<unknown[]>(BEFORE + POLLUTE + PROBE);
  expect(polluted).toEqual(clean);
  expect(clean.length).toBeGreaterThan(250);
});

test("results are the same without code generation too", () => {
  const flags = ["--disallow-code-generation-from-strings"];
  expect(childResult<unknown[]>(BEFORE + POLLUTE + PROBE, flags)).toEqual(
    childResult<unknown[]>(BEFORE + PROBE, flags),
  );
});

test("values round-trip with frozen prototypes, as in hardened runtimes", () => {
  const out = childResult<unknown[]>(`
    for (const owner of [Object, Array, Map, Uint8Array, Date, Error, Function]) Object.freeze(owner.prototype);
    const { decode, Decoder, encode } = await import("moonpack");
    const decoder = new Decoder();
    const out = [];
    for (const text of ['{"toString":1}', '{"constructor":7,"valueOf":[2]}', '{"a":{"hasOwnProperty":1}}', '{"__proto__":{"toString":2}}', '[{"toString":1,"b":2},{"toString":3,"b":4}]']) {
      for (let i = 0; i < 250; i++) {
        try {
          const back = JSON.stringify(decoder.decode(encode(JSON.parse(text))));
          if (back !== text) { out.push(text + " became " + back); break; }
        } catch (error) { out.push(text + ": " + error.code + " " + error.cause); break; }
      }
    }
    const big = Object.fromEntries([["toString", 1], ...Array.from({ length: 40 }, (_, i) => ["key" + i, i])]);
    for (const value of [big, Object.fromEntries([["constructor", 1], ...Array.from({ length: 2000 }, (_, i) => ["key" + i, i])])]) {
      try { if (JSON.stringify(decode(encode(value))) !== JSON.stringify(value)) out.push("big differs"); } catch (error) { out.push("big: " + error.code + " " + error.cause); }
    }
    console.log(JSON.stringify(out));`);
  expect(out).toEqual([]);
});

test("decoding never calls a setter on Object.prototype", () => {
  const out = childResult<unknown[]>(`
    let calls = 0;
    Object.defineProperty(Object.prototype, "evil", { set() { calls++; }, get() { return "got"; }, configurable: true });
    const { decode, Decoder, encode } = await import("moonpack");
    const decoder = new Decoder();
    const own = JSON.parse('{"evil":1,"b":[{"evil":2}]}'); // JSON.parse defines own properties
    const bytes = encode(own);
    const out = [];
    for (let i = 0; i < 250; i++) {
      const back = decoder.decode(bytes);
      if (!Object.hasOwn(back, "evil") || back.evil !== 1 || !Object.hasOwn(back.b[0], "evil")) { out.push("lost at time " + i); break; }
    }
    const many = { ...JSON.parse('{"evil":1}'), ...Object.fromEntries(Array.from({ length: 2000 }, (_, i) => ["key" + i, i])) };
    if (!Object.hasOwn(decode(encode(many)), "evil")) out.push("lost in a large one");
    if (calls > 0) out.push("the setter was called");
    console.log(JSON.stringify(out));`);
  expect(out).toEqual([]);
});
