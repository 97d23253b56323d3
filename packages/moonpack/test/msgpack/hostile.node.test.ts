/** Bad input and memory: in processes of their own, where memory can be capped and measured. */
import { runInNewContext } from "node:vm";
import { Decoder, decode, decodeAt, encode, encodeInto } from "moonpack";
import { describe, expect, test } from "vitest";
import { fault } from "../harness/caught.ts";
import { childResult } from "../harness/child.ts";
import { none } from "../harness/each.ts";
import { fromHex, toHex } from "../harness/hex.ts";
import { differ } from "../harness/same.ts";
import { vectors } from "../harness/vectors.ts";

const SMALL_HEAP = ["--expose-gc", "--max-old-space-size=64"];
/** The cases that take long are full size in CI. */
const FULL = process.env.CI === "true";

describe("forged headers cost nothing", () => {
  const forged: readonly [string, string][] = [
    ["array32", "ddffffffff"],
    ["array32 of 2^31 - 1", "dd7fffffff"],
    ["map32", "dfffffffff"],
    ["str32", "dbffffffff"],
    ["bin32", "c6ffffffff"],
    ["ext32", "c9ffffffff05"],
    ["timestamp in ext32", "c9ffffffffff"],
    ["array16", "dcffff"],
    ["map16", "deffff"],
    ["array32 in an array", "93ddffffffff"],
    ["array32 with some bytes", "dd01ffffff0102030405"],
    ["map32 with some bytes", "df01ffffffa161a162"],
    ["str32 as a key", "81dbffffffff"],
  ];

  test("each allocates less than 1 KB, in a heap of 64 MB", () => {
    const used = childResult<Record<string, number>>(
      `
      import { Decoder } from "moonpack";
      Error.stackTraceLimit = 0; // stacks are the engine's cost, not ours
      const cases = ${JSON.stringify(forged)};
      const result = {};
      const decoder = new Decoder();
      const attempt = (bytes) => { try { decoder.decode(bytes); } catch (error) { return error.code; } };
      for (const [name, hex] of cases) {
        const bytes = Uint8Array.from(Buffer.from(hex, "hex"));
        for (let i = 0; i < 2000; i++) if (attempt(bytes) !== "ERR_TRUNCATED") throw new Error(name);
        // The least of a few: the engine compiles when it likes, and what that takes is not the attempt's.
        result[name] = Infinity;
        for (let round = 0; round < 5; round++) {
          gc();
          const before = process.memoryUsage();
          for (let i = 0; i < 1000; i++) attempt(bytes);
          const after = process.memoryUsage();
          const used = (after.heapUsed - before.heapUsed + after.arrayBuffers - before.arrayBuffers) / 1000;
          result[name] = Math.min(result[name], used);
        }
      }
      console.log(JSON.stringify(result));`,
      // No scavenge during a measurement, so that what is allocated is what is seen.
      ["--expose-gc", "--max-old-space-size=64", "--min-semi-space-size=16"],
    );
    for (const [name, bytes] of Object.entries(used)) expect(bytes, name).toBeLessThan(1024);
    expect(Object.keys(used).length).toBe(forged.length);
  });

  test("72 KB of dc ff ff, and its like, in a heap of 64 MB", () => {
    const codes = childResult<string[]>(
      `
      import { decode, decodeAt, decodeMulti } from "moonpack";
      const codes = [];
      for (const unit of ["dcffff", "deffff", "dd0000ffff", "df0000ffff", "ddffffffff", "dc00ff", "9f", "8f", "81dcffff"]) {
        const bytes = Uint8Array.from(Buffer.from(unit.repeat(72000 / (unit.length / 2)), "hex"));
        for (const way of [decode, (b) => decodeAt(b, 0), (b) => [...decodeMulti(b)], (b) => decode(b, { maxDepth: 4096 }), (b) => decode(b, { maps: "map", maxDepth: 4096 })]) {
          try { way(bytes); codes.push("none"); } catch (error) { codes.push(error.code ?? String(error)); }
        }
      }
      console.log(JSON.stringify(codes));`,
      SMALL_HEAP,
      20_000,
    );
    expect(codes.length).toBe(45);
    for (const code of codes) expect(["ERR_TRUNCATED", "ERR_LIMIT_DEPTH"]).toContain(code);
  });
});

describe("memory does not grow", () => {
  test("300,000 distinct short strings as values and as keys keep less than 1 MB", () => {
    const { values, keys, ints, rows } = childResult<Record<"values" | "keys" | "ints" | "rows", number>>(
      `
      import { decode, Decoder, encode } from "moonpack";
      const decoder = new Decoder();
      const used = () => { gc(); gc(); const m = process.memoryUsage(); return m.heapUsed + m.arrayBuffers; };
      // 1,000 messages of 300 strings each: no more of them is alive at once than one message.
      const run = (make, read) => {
        for (let i = 0; i < 20; i++) read(encode(make(-i - 1)));
        const before = used();
        for (let i = 0; i < 1000; i++) read(encode(make(i)));
        return used() - before;
      };
      const values = run((i) => Array.from({ length: 300 }, (_, j) => "s" + (i * 300 + j)), decode);
      const keys = run((i) => Array.from({ length: 60 }, (_, k) => Object.fromEntries(Array.from({ length: 5 }, (_, j) => ["k" + (i * 300 + k * 5 + j), 1]))), decode);
      const ints = run((i) => new Map(Array.from({ length: 300 }, (_, j) => [i * 300 + j, "v" + j])), (bytes) => decoder.decode(bytes));
      const rows = run((i) => Array.from({ length: 300 }, (_, j) => ({ ["shape" + (i * 300 + j)]: j, fixed: 1 })), (bytes) => decoder.decode(bytes));
      console.log(JSON.stringify({ values, keys, ints, rows }));`,
      ["--expose-gc"],
      120_000,
    );
    expect(values).toBeLessThan(1_000_000);
    expect(keys).toBeLessThan(1_000_000);
    expect(ints).toBeLessThan(1_000_000);
    expect(rows).toBeLessThan(1_000_000);
  });

  test(`${FULL ? "2 GB" : "256 MB"} of distinct strings, encoded and decoded, with flat RSS`, () => {
    const total = FULL ? 2 ** 31 : 2 ** 28;
    const { first, last } = childResult<{ first: number; last: number }>(
      `
      import { decode, Encoder, encode, encodeShared } from "moonpack";
      const encoder = new Encoder();
      const filler = "é".repeat(2000) + "x".repeat(6000);
      let done = 0;
      let first = 0;
      for (let i = 0; done < ${total}; i++) {
        const text = i + filler + i;
        const bytes = i % 3 === 0 ? encode({ ["key" + i]: text }) : i % 3 === 1 ? encoder.encodeShared([text, "short" + i]) : encodeShared(text);
        done += bytes.length;
        if (i % 16 === 0) decode(bytes);
        // After the first eighth everything that is going to be warm is.
        if (first === 0 && done > ${total} / 8) first = process.memoryUsage().rss;
      }
      console.log(JSON.stringify({ first, last: process.memoryUsage().rss }));`,
      // A small young generation: V8 lets it grow to 48 MB while it likes, which is no growth of ours.
      ["--max-old-space-size=128", "--max-semi-space-size=2"],
      180_000,
    );
    expect((last - first) / 2 ** 20).toBeLessThan(40);
  });

  test("messages that fail leave nothing behind either", () => {
    const growth = childResult<number>(
      `
      import { Decoder, Encoder } from "moonpack";
      const encoder = new Encoder();
      const decoder = new Decoder();
      const attempt = (act) => { try { act(); } catch (error) { if (!error.code) throw error; } };
      const used = () => { gc(); gc(); const m = process.memoryUsage(); return m.heapUsed + m.arrayBuffers; };
      const run = (n) => {
        for (let i = 0; i < n; i++) {
          const list = Array.from({ length: 200 }, (_, j) => ({ ["k" + (j % 50)]: "text " + i + " " + j }));
          attempt(() => encoder.encode([list, () => 1]));
          const bytes = encoder.encode(list);
          attempt(() => decoder.decode(bytes.subarray(0, bytes.length - 1)));
          attempt(() => decoder.decode(new Uint8Array([0x92, ...bytes.subarray(0, 100), 0xc1])));
        }
      };
      run(300);
      const before = used();
      run(3000);
      console.log(JSON.stringify(used() - before));`,
      ["--expose-gc"],
      120_000,
    );
    expect(growth).toBeLessThan(500_000);
  });

  test("one huge message does not pin its size for ever", () => {
    const kept = childResult<number>(
      `
      import { decode, encode } from "moonpack";
      const used = () => { gc(); gc(); const m = process.memoryUsage(); return m.heapUsed + m.arrayBuffers; };
      encode({ a: 1 }); decode(encode({ a: 1 }));
      const before = used();
      (() => { const bytes = encode(Array.from({ length: 300000 }, (_, i) => ({ id: i, text: "some text " + i, list: [i] }))); decode(bytes); })();
      for (let i = 0; i < 1000; i++) decode(encode({ a: 1 }));
      console.log(JSON.stringify(used() - before));`,
      ["--expose-gc"],
    );
    expect(kept).toBeLessThan(6_000_000);
  });

  test("a string kept from a large message does not keep the message", () => {
    const kept = childResult<number>(
      `
      import { decode, encode } from "moonpack";
      const used = () => { gc(); gc(); const m = process.memoryUsage(); return m.heapUsed + m.arrayBuffers; };
      const texts = (i) => Array.from({ length: 1000 }, (_, j) => ("text " + i + "/" + j + " é".repeat(j % 3)).padEnd(40 + (j % 200), "x"));
      const pick = (i) => { const list = decode(encode(texts(i))); return [list[500], list[999]]; };
      pick(0);
      const before = used();
      const keep = [];
      for (let i = 0; i < 500; i++) keep.push(pick(i));
      const growth = used() - before;
      if (keep.length !== 500) throw new Error();
      console.log(JSON.stringify(growth / 1000));`,
      ["--expose-gc"],
    );
    // A thousand strings of 140 characters on average, in one or two bytes each, and their arrays.
    expect(kept).toBeLessThan(600);
  });
});

describe("nesting does not overflow the stack", () => {
  const nested = `
    import { Decoder, Encoder } from "moonpack";
    const failures = [];
    for (const [name, make, step] of [
      ["arrays", (v) => [v], 1], ["maps", (v) => ({ a: v }), 1], ["Maps", (v) => new Map([[1, v]]), 1],
      ["arrays with more", (v) => [1, v, 2], 1], ["maps with more", (v) => ({ a: 1, b: { c: v }, d: 2 }), 2],
    ]) {
      let value = 0;
      for (let i = 0; i < 4096; i += step) value = make(value);
      for (const options of ENCODERS) {
        if (options.fidelity === "json" && name === "Maps") continue;
        const what = name + " " + JSON.stringify(options);
        let bytes;
        try { bytes = new Encoder({ maxDepth: 4096, ...options }).encode(value); } catch (error) { failures.push("encode " + what + ": " + error.code); continue; }
        for (const decoding of DECODERS) {
          try { new Decoder({ maxDepth: 4096, ...(options.fidelity === "js" ? { fidelity: "js" } : {}), ...decoding }).decode(bytes); }
          catch (error) { failures.push("decode " + what + JSON.stringify(decoding) + ": " + error.code); }
        }
      }
    }
    console.log(JSON.stringify(failures));`;

  test("maxDepth 4096 holds in a stack of half the usual size, both ways", () => {
    const code = nested.replace("ENCODERS", "[{}]").replace("DECODERS", "[{}, { codeGeneration: false }]");
    expect(childResult<string[]>(code, ["--stack-size=492"])).toEqual([]);
  });

  test("maxDepth 4096 holds with every option that changes the way", () => {
    const code = nested
      .replace("ENCODERS", `[{ canonical: true }, { fidelity: "json" }, { fidelity: "js" }, { utf8: "replace" }]`)
      .replace("DECODERS", `[{}, { strict: true }, { maps: "map" }, { binary: "view", int64: "bigint" }]`);
    expect(childResult<string[]>(code)).toEqual([]);
  });

  test("called with the stack nearly used up: a value or a coded error", () => {
    const codes = childResult<Record<string, number>>(
      `
      import { Decoder, Encoder, encode } from "moonpack";
      let value = 1;
      for (let i = 0; i < 500; i++) value = i % 2 ? [value] : { a: value };
      const bytes = encode(value);
      const encoder = new Encoder();
      const decoder = new Decoder();
      const seen = {};
      const note = (name) => { seen[name] = (seen[name] ?? 0) + 1; };
      // Each frame tries both on its way back, the deepest with next to no stack left.
      let tries = 0;
      function dive() {
        try { dive(); } catch (error) { if (!(error instanceof RangeError)) throw error; }
        if (tries > 3000) return;
        tries++;
        let inside = false;
        for (const act of [() => { inside = true; decoder.decode(bytes); }, () => { inside = true; encoder.encode(value); }]) {
          try { inside = false; act(); note("value"); }
          catch (error) { note(error.code ?? (error instanceof RangeError ? "bare RangeError" : String(error))); }
        }
      }
      dive();
      decoder.decode(bytes);
      encoder.encode(value);
      console.log(JSON.stringify(seen));`,
    );
    expect(codes.value ?? 0).toBeGreaterThan(0);
    const odd = Object.keys(codes).filter((code) => !["value", "ERR_LIMIT_DEPTH", "bare RangeError"].includes(code));
    expect(odd).toEqual([]);
    // Nearest to the end even the call into the codec overflows; that is the caller's own error.
    expect(codes["bare RangeError"] ?? 0).toBeLessThan(500);
  });
});

describe("values and inputs of another realm", () => {
  test("plain objects, arrays, Dates and views of another realm are what they look like", () => {
    const here = { a: [1, { b: "x" }], d: new Date(1000), u: new Uint8Array([1, 2]), n: null };
    const there = runInNewContext(
      `({ a: [1, { b: "x" }], d: new Date(1000), u: new Uint8Array([1, 2]), n: null })`,
    ) as object;
    expect(toHex(encode(there))).toBe(toHex(encode(here)));
    none(differ(decode(encode(there)), here));
    expect(toHex(encode(runInNewContext("Object.create(null)")))).toBe("80");
    for (const code of ["new ArrayBuffer(2)", "new DataView(new ArrayBuffer(2))", "new Uint16Array(1)"]) {
      expect(toHex(encode(runInNewContext(code))), code).toBe("c4020000");
    }
  });

  test("a Map of another realm: a map, or refused; never lost", () => {
    const map: unknown = runInNewContext("new Map([[1, 2]])");
    let bytes: Uint8Array;
    try {
      bytes = encode([map]);
    } catch {
      expect(fault(() => encode([map]))).toEqual({ code: "ERR_UNSUPPORTED_TYPE", path: "$[0]" });
      return;
    }
    expect(toHex(bytes)).toBe("91810102");
  });

  test("what has no form has none there either", () => {
    for (const code of [
      "() => 1",
      "Symbol('s')",
      "new Set([1])",
      "/x/",
      "new (class A {})",
      "new Date(NaN)",
      "Object.create({ a: 1 })",
    ]) {
      expect(
        fault(() => encode([runInNewContext(code)])),
        code,
      ).toEqual({ code: "ERR_UNSUPPORTED_TYPE", path: "$[0]" });
    }
  });

  test("every vector from Buffers, shared memory, resizable buffers and foreign views", () => {
    const decoder = new Decoder({ unknownExtensions: "keep" });
    const viewing = new Decoder({ unknownExtensions: "keep", binary: "view" });
    const foreign = runInNewContext("(list) => new Uint8Array(list)") as (list: Uint8Array) => Uint8Array;
    const Resizable = ArrayBuffer as unknown as new (size: number, options: { maxByteLength: number }) => ArrayBuffer;
    for (const { name, bytes, value } of vectors.filter((v) => v.bytes.length < 70_000)) {
      const shared = new SharedArrayBuffer(bytes.length);
      new Uint8Array(shared).set(bytes);
      const resizable = new Resizable(bytes.length, { maxByteLength: bytes.length + 100 });
      new Uint8Array(resizable).set(bytes);
      for (const input of [
        Buffer.from(bytes),
        shared,
        new Uint8Array(shared),
        resizable,
        new DataView(resizable),
        foreign(bytes),
      ]) {
        for (const one of bytes.length < 3000 ? [decoder, viewing] : [decoder])
          none(differ(one.decode(input), value()), name);
      }
    }
    expect(Object.getPrototypeOf(decode(Buffer.from([0xc4, 1, 7])))).toBe(Uint8Array.prototype);
    expect(Object.getPrototypeOf(decode(Buffer.from([0xc4, 1, 7]), { binary: "view" }))).toBe(Uint8Array.prototype);
  });

  test("a Buffer's binary is a copy: neither the pool nor the caller's memory shows through", () => {
    for (const size of [3, 40, 100, 3000]) {
      const message = Buffer.from(encode([new Uint8Array(size).fill(7), "x".repeat(size)]));
      const [copy] = decode<[Uint8Array]>(message);
      message.fill(0);
      expect(copy.every((byte) => byte === 7)).toBe(true);
      expect(copy.buffer.byteLength).toBe(size);
    }
  });

  test("encodeInto a Buffer, and detached or shrunk targets and inputs", () => {
    const target = Buffer.alloc(20);
    expect(encodeInto({ a: 1 }, target, 5)).toBe(9);
    expect(target.toString("hex", 5, 9)).toBe("81a16101");
    const bytes = fromHex("93010203");
    const kept = new Uint8Array(bytes);
    structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
    expect(fault(() => decode(bytes))).toEqual({ code: "ERR_INVALID_ARGUMENT" });
    expect(fault(() => decodeAt(bytes, 0))).toEqual({ code: "ERR_INVALID_ARGUMENT" });
    expect(decode(kept)).toEqual([1, 2, 3]);
  });
});
