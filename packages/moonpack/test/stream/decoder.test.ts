import fc from "fast-check";
import { type DecoderOptions, Encoder, encode } from "moonpack";
import { StreamDecoder } from "moonpack/stream";
import { describe, expect, test } from "vitest";
import { anyValue } from "../harness/arbitrary.ts";
import { fault } from "../harness/caught.ts";
import { cutAt, cutEvery, disagree, feed, inParts, type Outcome, whole } from "../harness/cuts.ts";
import { each, equal, none } from "../harness/each.ts";
import { concat } from "../harness/hex.ts";
import { randomSource } from "../harness/random.ts";
import { rejected, vectors } from "../harness/vectors.ts";

const modes: readonly [string, DecoderOptions][] = [
  ["by default", {}],
  ["without generated code", { codeGeneration: false }],
  ["strict", { strict: true }],
  ["maps: map", { maps: "map" }],
  ["maps: object", { maps: "object" }],
  ["binary: view", { binary: "view" }],
  ["fidelity js, deep", { fidelity: "js", maxDepth: 4096 }],
];

for (const [mode, given] of modes) {
  const options: DecoderOptions = { unknownExtensions: "keep", ...given };

  describe(`parts give what the whole gives, ${mode}`, () => {
    // One decoder for all that is valid: each message finds it as the one before has left it.
    const decoder = new StreamDecoder(options);
    const agrees = (all: Outcome, parts: Uint8Array[], name: string) => {
      if (all.error !== null) return none(disagree(inParts(parts, options), all), name);
      const values: unknown[] = [];
      feed(decoder, parts, options, (value) => values.push(value));
      none(disagree({ values, error: null }, all), name);
    };

    test("vectors, cut at each byte", () => {
      each(vectors, ({ bytes }) => {
        const all = whole(bytes, options);
        const step = Math.ceil(bytes.length / (bytes.length < 300 ? 300 : bytes.length < 5000 ? 30 : 3));
        for (let i = 0; i <= bytes.length; i += step) agrees(all, cutAt(bytes, [i]), `at ${i}`);
      });
    });

    test("vectors, byte by byte and in small parts", () => {
      each(vectors, ({ bytes }) => {
        const all = whole(bytes, options);
        for (const size of [1, 2, 3, 7, 64, 1000]) {
          if (bytes.length / size < 10_000) agrees(all, cutEvery(bytes, size), `by ${size}`);
        }
      });
    });

    test("what is refused, cut at each byte and byte by byte", () => {
      each(rejected, ({ bytes }) => {
        const all = whole(bytes, options);
        for (let i = 0; i <= Math.min(bytes.length, 40); i++)
          none(disagree(inParts(cutAt(bytes, [i]), options), all), `at ${i}`);
        if (bytes.length < 10_000) none(disagree(inParts(cutEvery(bytes, 1), options), all), "byte by byte");
      });
    });

    test("any sequence of values in any parts", () => {
      const cuts = fc.array(fc.nat(), { maxLength: 12 });
      fc.assert(
        fc.property(fc.array(anyValue, { maxLength: 5 }), cuts, fc.nat(40), (values, places, padding) => {
          // Padding moves the values within parts that are long enough for reading by recursion.
          const bytes = concat(...values.map((value) => encode([" ".repeat(padding * 7), value])));
          const offsets = places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b);
          none(disagree(inParts(cutAt(bytes, offsets), options), whole(bytes, options)));
        }),
        { numRuns: 200 },
      );
    });

    test("any bytes in any parts", () => {
      const random = randomSource(7);
      for (let i = 0; i < 2000; i++) {
        const { bytes } = vectors[random(vectors.length)]!;
        if (bytes.length > 2000) continue;
        const broken = concat(bytes, bytes, bytes);
        for (let k = random(3); k >= 0; k--) broken[random(broken.length)] = random(256);
        const offsets = Array.from({ length: random(6) }, () => random(broken.length + 1)).sort((a, b) => a - b);
        none(disagree(inParts(cutAt(broken, offsets), options), whole(broken, options)), `case ${i}`);
      }
    });
  });
}

describe("records of known shapes", () => {
  const record = (i: number) => ({
    id: i,
    name: `n${i}`,
    at: { x: i / 3, y: -i, deep: [{ p: [i, [i, { q: "é".repeat(i % 9) }]] }] },
    tags: ["a", `b${i}`],
    raw: i % 5 === 0 ? new Uint8Array(i % 50) : null,
    [`only${i % 3}`]: true,
  });

  for (const codeGeneration of [true, false]) {
    test(`cut at every byte, ${codeGeneration ? "generated" : "interpreted"} readers`, () => {
      const decoder = new StreamDecoder({ codeGeneration });
      const warm = encode(Array.from({ length: 1000 }, (_, i) => record(i)));
      for (const _ of decoder.push(warm)) expect(decoder.offset).toBe(warm.length);
      if (codeGeneration) expect(decoder.stats().shapesCompiled).toBeGreaterThan(0);
      const bytes = encode([record(15), record(16), record(17)]);
      const all = whole(bytes, {});
      for (let i = 0; i <= bytes.length; i++) {
        for (let j = i; j <= Math.min(bytes.length, i + 3); j++) {
          const values: unknown[] = [];
          for (const part of cutAt(bytes, [i, j])) for (const value of decoder.push(part)) values.push(value);
          none(disagree({ values, error: null }, all), `at ${i} and ${j}`);
        }
      }
      decoder.end();
    });
  }

  test("a large dictionary, a Map, and one that becomes a Map late", () => {
    const dictionary = Object.fromEntries(
      Array.from({ length: 2000 }, (_, i) => [`k${(i * 7919) % 2000}`, [i, { i }]]),
    );
    const numbered = Object.fromEntries(
      Array.from({ length: 900 }, (_, i) => [i % 2 === 0 ? `${900 - i}` : `k${i}`, i]),
    );
    const late = new Map<unknown, unknown>(Array.from({ length: 700 }, (_, i) => [i === 650 ? 650 : `${700 - i}`, i]));
    const bytes = concat(...[dictionary, numbered, late].map((value) => encode(value)));
    const all = whole(bytes, {});
    for (const size of [1, 10, 100, 999, 5000]) none(disagree(inParts(cutEvery(bytes, size), {}), all), `by ${size}`);
  });
});

describe("keys that are containers", () => {
  const map = (...keys: unknown[]) => encode(new Map(keys.map((key, i) => [key, i])));
  test("strict reading compares their bytes, however they are cut", () => {
    const options: DecoderOptions = { strict: true };
    const good = map([1, [2, "x".repeat(100)]], [3, [2, "x".repeat(100)]], new Map([[[1], 1]]), new Map([[[2], 1]]));
    const bad = map([1, [2, "x".repeat(100)], 7], [1, [2, "x".repeat(100)], 7], 5);
    const nested = map(
      new Map<unknown, number>([
        [[[1], 2], 1],
        [[[1], 2], 1],
      ]),
      5,
    );
    for (const bytes of [good, bad, nested]) {
      const all = whole(bytes, options);
      equal(all.error?.code, bytes === good ? undefined : "ERR_DUPLICATE_KEY");
      for (let i = 0; i <= bytes.length; i++) none(disagree(inParts(cutAt(bytes, [i]), options), all), `at ${i}`);
      for (const size of [1, 2, 3, 50, 70]) none(disagree(inParts(cutEvery(bytes, size), options), all), `by ${size}`);
    }
  });
});

describe("the decoder", () => {
  test("gives values as soon as their last byte is there, null among them", () => {
    const decoder = new StreamDecoder();
    const seen: unknown[] = [];
    for (const byte of concat(encode(null), encode([null]), encode("é"))) {
      seen.push([...decoder.push(new Uint8Array([byte]))]);
    }
    expect(seen).toEqual([[null], [], [[null]], [], [], ["é"]]);
    decoder.end();
  });

  test("pull as much as you like; what was pushed meanwhile is not lost", () => {
    const decoder = new StreamDecoder<number>();
    const first = new Uint8Array(5000).fill(1);
    const second = new Uint8Array([2, 2]);
    decoder.push(first).push(second);
    first.fill(9); // ours to read until the iteration has ended: only the second was copied
    second.fill(9);
    const values: number[] = [];
    for (const value of decoder) if (values.push(value) === 10) break;
    for (const value of decoder.push(new Uint8Array([3]))) values.push(value);
    expect(values.length).toBe(5003);
    expect(values.slice(4999)).toEqual([9, 2, 2, 3]);
    expect([...decoder]).toEqual([]);
  });

  test("a stream that ends inside a message: truncated, at the item that is cut", () => {
    const cut = (bytes: number[], options?: DecoderOptions) =>
      fault(() => {
        const decoder = new StreamDecoder(options);
        for (const byte of bytes) expect([...decoder.push(new Uint8Array([byte]))].length).toBeLessThan(2);
        decoder.end();
      });
    expect(cut([0x01, 0x92, 0x01])).toEqual({ code: "ERR_TRUNCATED", offset: 3, needMore: 1 });
    expect(cut([0x92, 0xda, 0x01])).toEqual({ code: "ERR_TRUNCATED", offset: 1, needMore: 2 });
    expect(cut([0x93, 0xa5, 0x61])).toEqual({ code: "ERR_TRUNCATED", offset: 1, needMore: 6 });
    expect(cut([0x82, 0xa1, 0x61, 0x81])).toEqual({ code: "ERR_TRUNCATED", offset: 4, needMore: 4 });
    expect(cut([0xdf, 0xff, 0xff, 0xff, 0xff])).toEqual({ code: "ERR_TRUNCATED", offset: 5, needMore: 2 * 0xffffffff });
    for (const parts of [[], [encode(1)], [new Uint8Array(0)]]) expect(inParts(parts, {}).error).toBe(null);
  });

  test("closed after an error and after its end", () => {
    const decoder = new StreamDecoder();
    const iterator = decoder.push(new Uint8Array([1, 0xc1, 2]))[Symbol.iterator]();
    expect(iterator.next()).toEqual({ done: false, value: 1 });
    expect(fault(() => iterator.next())).toEqual({ code: "ERR_INVALID_BYTE", offset: 1, needMore: 0 });
    expect(decoder.closed).toBe(true);
    expect(iterator.next().done).toBe(true);
    expect(fault(() => decoder.push(new Uint8Array(1)))).toEqual({ code: "ERR_CLOSED" });
    decoder.end();
    const ended = new StreamDecoder();
    ended.end();
    expect(fault(() => ended.push(new Uint8Array(1)))).toEqual({ code: "ERR_CLOSED" });
  });

  test("offsets count from the start of the stream, beyond 4 GB too", () => {
    const decoder = new StreamDecoder({ binary: "view" });
    const filler = encode(new Uint8Array(32 * 1024 * 1024));
    let count = 0;
    for (let i = 0; i < 130; i++)
      for (const value of decoder.push(filler)) count += (value as Uint8Array).length > 0 ? 1 : 0;
    expect(count).toBe(130);
    const at = 130 * filler.length;
    expect(at).toBeGreaterThan(2 ** 32);
    expect(decoder.offset).toBe(at);
    expect([...decoder.push(new Uint8Array([0x93, 1]))]).toEqual([]);
    expect(fault(() => [...decoder.push(new Uint8Array([2, 0xc1]))])).toEqual({
      code: "ERR_INVALID_BYTE",
      offset: at + 3,
      needMore: 0,
    });
  });

  test("wrong arguments, and bytes of every kind", () => {
    const decoder = new StreamDecoder();
    for (const wrong of [undefined, null, "text", 5, [1]])
      expect(fault(() => decoder.push(wrong as unknown as Uint8Array)).code).toBe("ERR_INVALID_ARGUMENT");
    const bytes = encode([1, "text"]);
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
    shared.set(bytes);
    for (const input of [
      bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length),
      new DataView(encode([1, "text"]).slice().buffer),
      shared,
    ])
      expect([...decoder.push(input)]).toEqual([[1, "text"]]);
    expect(() => new StreamDecoder({ maxBytes: 0 })).toThrow("maxBytes");
  });
});

describe("limits count over the whole message", () => {
  const run = (bytes: Uint8Array, options: DecoderOptions, size: number) => inParts(cutEvery(bytes, size), options);
  test("maxBytes", () => {
    const bytes = concat(encode(["abc", [1, 2, 3]]), encode({ a: "x".repeat(40) }));
    for (const size of [1, 3, 10, 1000]) {
      expect(run(bytes, { maxBytes: 45 }, size)).toEqual({
        values: [["abc", [1, 2, 3]], { a: "x".repeat(40) }],
        error: null,
      });
      const { values, error } = run(bytes, { maxBytes: 44 }, size);
      expect(values).toEqual([["abc", [1, 2, 3]]]);
      expect([error?.code, error?.offset]).toEqual(["ERR_LIMIT_BYTES", 9]);
    }
  });
  test("what is declared beyond maxBytes, before it comes", () => {
    const { error } = run(new Uint8Array([0x92, 0xdd, 0, 1, 0, 0]), { maxBytes: 1000 }, 2);
    expect([error?.code, error?.offset]).toEqual(["ERR_LIMIT_ELEMENTS", 1]);
    const text = run(new Uint8Array([0x92, 0xdb, 0, 1, 0, 0]), { maxBytes: 1000 }, 2);
    expect([text.error?.code, text.error?.offset]).toEqual(["ERR_LIMIT_BYTES", 0]);
  });
  test("maxBufferedBytes, before a byte is kept", () => {
    const header = new Uint8Array([0x91, 0xc6, 0x04, 0, 0, 1]);
    const { error } = run(header, {}, 3);
    expect([error?.code, error?.offset]).toEqual(["ERR_LIMIT_BYTES", 1]);
    expect(run(concat(new Uint8Array([0x91, 0xc4, 0x05]), new Uint8Array(5)), { maxBufferedBytes: 5 }, 1).error).toBe(
      null,
    );
    expect(
      run(concat(new Uint8Array([0x91, 0xc4, 0x05]), new Uint8Array(5)), { maxBufferedBytes: 4 }, 1).error?.code,
    ).toBe("ERR_LIMIT_BYTES");
    expect(run(encode([2 ** 40, 1.5]), { maxBufferedBytes: 1 }, 1).error).toBe(null);
  });
  test("maxDepth", () => {
    const nested = (n: number) => concat(new Uint8Array(n).fill(0x91), new Uint8Array([0xc0]));
    for (const size of [1, 100, 1000]) {
      expect(run(nested(512), {}, size).error).toBe(null);
      const { error } = run(nested(513), {}, size);
      expect([error?.code, error?.offset]).toEqual(["ERR_LIMIT_DEPTH", 512]);
    }
  });
});

test("stats count what a whole decoder counts", () => {
  const encoder = new Encoder();
  const bytes = concat(encoder.encode([1, { a: [2, 3] }]), encoder.encode("x"));
  for (const size of [1, 4, 100]) {
    const decoder = new StreamDecoder();
    for (const part of cutEvery(bytes, size)) for (const _ of decoder.push(part)) expect(decoder.closed).toBe(false);
    const { messages, bytes: read, values } = decoder.stats();
    expect([messages, read, values]).toEqual([2, bytes.length, 7]);
  }
});

describe("decoders that share what they learn", () => {
  test("one that fails in the midst of a level leaves the others alone", () => {
    const list = encode(Array.from({ length: 100 }, (_, i) => [i]));
    const good = new StreamDecoder();
    const bad = new StreamDecoder();
    expect([...good.push(list.subarray(0, 23))]).toEqual([]);
    const fail = () => {
      for (const part of [new Uint8Array(512).fill(0x91), Uint8Array.of(0xdc, 0), Uint8Array.of(1, 1)]) {
        expect([...bad.push(part)]).toEqual([]);
      }
    };
    expect(fault(fail).code).toBe("ERR_LIMIT_DEPTH");
    expect([...good.push(list.subarray(23))].length).toBe(1);
  });

  test("a Buffer that has to wait is copied", () => {
    const decoder = new StreamDecoder();
    const later = Buffer.from([2, 3]);
    decoder.push(Uint8Array.of(1)).push(later);
    later.fill(9);
    expect([...decoder]).toEqual([1, 2, 3]);
  });

  test("the end of what was pushed and not read", () => {
    expect(fault(() => new StreamDecoder().push(Uint8Array.of(0x92, 1)).end())).toEqual({
      code: "ERR_INVALID_ARGUMENT",
    });
  });
});

test("nested data of fidelity js fail as in a whole input", () => {
  for (const hex of ["c7056200dc000901c1", "c70562dc000901c1", "92c70562dc000901c101"]) {
    const bytes = Uint8Array.from(hex.match(/../g)!, (byte) => Number.parseInt(byte, 16));
    const options: DecoderOptions = { fidelity: "js", unknownExtensions: "keep" };
    const all = whole(bytes, options);
    for (let i = 0; i <= bytes.length; i++) none(disagree(inParts(cutAt(bytes, [i]), options), all), `at ${i}`);
  }
});
