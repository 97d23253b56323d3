import { anyValue } from "@moonpack/harness/arbitrary.ts";
import { none } from "@moonpack/harness/each.ts";
import { share, thinned } from "@moonpack/harness/effort.ts";
import { FIDELITY_JS } from "@moonpack/harness/fidelity.ts";
import { concat } from "@moonpack/harness/hex.ts";
import { randomSource } from "@moonpack/harness/random.ts";
import { differ } from "@moonpack/harness/same.ts";
import { rejected, vectors } from "@moonpack/harness/vectors.ts";
import fc from "fast-check";
import { type DecoderOptions, decode, encode, MoonpackError } from "moonpack";
import { complete } from "moonpack/msgpack/features";
import { type DecodeCooperativelyOptions, decodeCooperatively } from "moonpack/stream";
import { describe, expect, test } from "vitest";

interface Outcome {
  readonly value?: unknown;
  readonly error?: MoonpackError & { offset?: number; needMore?: number };
}

async function outcome(act: () => unknown): Promise<Outcome> {
  try {
    return { value: await act() };
  } catch (error) {
    if (error instanceof MoonpackError) return { error };
    throw error;
  }
}

/** Null if two outcomes are equal: the value, or the error with its text, offset and missing bytes. */
function disagree(a: Outcome, b: Outcome): string | null {
  const of = ({ error }: Outcome) => (error === undefined ? "none" : `${error.code} ${error.message}`);
  return of(a) === of(b) ? differ(a.value, b.value) : `${of(a)} against ${of(b)}`;
}

/** The smallest possible slices, and slices of some bytes. */
const BUDGETS = [0, 0.001, 0.03];

async function agrees(bytes: Uint8Array, options: DecoderOptions, name: string): Promise<void> {
  const all = await outcome(() => decode(bytes, options));
  for (const budgetMs of BUDGETS) {
    const slices = await outcome(() => decodeCooperatively(bytes, { ...options, budget: budgetMs }));
    none(disagree(slices, all), `${name}, budget ${budgetMs}`);
  }
}

const modes: readonly [string, DecoderOptions][] = [
  ["by default", {}],
  ["without generated code", { codeGeneration: false }],
  ["strict", { strict: true, engine: complete }],
  ["maps: map", { maps: "map" }],
  ["maps: object", { maps: "object" }],
  ["binary: view", { binary: "view" }],
  ["fidelity js, deep", { fidelity: FIDELITY_JS, maxDepth: 4096 }],
  ["maxBytes 50", { maxBytes: 50 }],
];

for (const [mode, given] of modes) {
  const options: DecoderOptions = { unknownExtensions: "keep", ...given };

  describe(`decoding in slices gives the results of decode, ${mode}`, () => {
    test("vectors, complete, and with one byte more or less", async () => {
      for (const { name, bytes } of thinned(vectors)) {
        if (bytes.length > 3000) continue;
        await agrees(bytes, options, name);
        await agrees(concat(bytes, bytes.subarray(0, 1)), options, name);
        await agrees(bytes.subarray(0, -1), options, name);
      }
    });

    test("invalid input", async () => {
      for (const { name, bytes } of thinned(rejected)) if (bytes.length < 10_000) await agrees(bytes, options, name);
    });

    test("any value, complete and truncated at any byte", async () => {
      await fc.assert(
        fc.asyncProperty(anyValue, fc.nat(), fc.nat(40), async (value, place, padding) => {
          const bytes = encode([" ".repeat(padding * 7), value]);
          await agrees(bytes, options, "whole");
          await agrees(bytes.subarray(0, place % bytes.length), options, "cut");
        }),
        { numRuns: 100 },
      );
    });

    test("any bytes", async () => {
      const random = randomSource(11);
      for (let i = 0; i < share(500); i++) {
        const { bytes } = vectors[random(vectors.length)]!;
        if (bytes.length > 500) continue;
        const broken = concat(new Uint8Array([0x93]), bytes, bytes, bytes);
        for (let k = random(3); k >= 0; k--) broken[random(broken.length)] = random(256);
        await agrees(broken, options, `case ${i}`);
      }
    });
  });
}

describe("large maps", () => {
  const many = (n: number, key: (i: number) => unknown) =>
    new Map(Array.from({ length: n }, (_, i) => [key(i), [i]] as const));
  const cases: [string, Uint8Array][] = [
    ["strings", encode(many(700, (i) => `k${(i * 7919) % 700}`))],
    ["integers as strings by turns", encode(many(700, (i) => (i % 2 === 0 ? `${700 - i}` : `k${i}`)))],
    ["a Map late", encode(many(700, (i) => (i === 650 ? 650 : `${700 - i}`)))],
    ["a Map with containers as keys", encode(many(300, (i) => (i % 100 === 99 ? [i, [i]] : `${700 - i}`)))],
    ["names of Object.prototype", encode(many(300, (i) => ["__proto__", "constructor", `k${i}`, "toString"][i % 4]))],
    [
      "keys that come again",
      concat(
        new Uint8Array([0xde, 2, 0]),
        ...Array.from({ length: 512 }, (_, i) => concat(encode(`k${i % 200}`), encode(i))),
      ),
    ],
  ];
  for (const [mode, options] of modes.slice(0, 5)) {
    test(mode, async () => {
      for (const [name, bytes] of thinned(cases)) {
        await agrees(bytes, options, name);
        await agrees(concat(new Uint8Array([0x92]), bytes, bytes), options, `two of ${name}`);
        await agrees(bytes.subarray(0, -1), options, `${name} cut`);
      }
    });
  }
});

describe("turns of the event loop", () => {
  const bytes = encode(Array.from({ length: 3000 }, (_, i) => ({ id: i, name: `n${i}` })));

  test("timers run between slices", async () => {
    let ticks = 0;
    const timer = setInterval(() => ticks++, 1);
    await decodeCooperatively(bytes, { budget: 0 });
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(0);
  });

  test("two messages are decoded concurrently", async () => {
    const order: string[] = [];
    const first = decodeCooperatively(bytes, { budget: 0 }).then(() => order.push("large"));
    const second = decodeCooperatively(encode([1, 2, 3]), { budget: 0 }).then(() => order.push("small"));
    await Promise.all([first, second]);
    expect(order).toEqual(["small", "large"]);
  });

  test("a message within the budget needs no turn of the event loop", async () => {
    let isOver = false;
    void decodeCooperatively(encode([1, 2, 3])).then(() => {
      isOver = true;
    });
    for (let i = 0; i < 10; i++) await Promise.resolve();
    expect(isOver).toBe(true);
  });

  test("the signal aborts between two slices", async () => {
    const abort = new AbortController();
    const work = outcome(() => decodeCooperatively(bytes, { budget: 0, signal: abort.signal }));
    setTimeout(() => abort.abort(new Error("enough")), 1);
    const { error } = await work;
    expect(error?.code).toBe("ERR_ABORTED");
    expect((error?.cause as Error).message).toBe("enough");
    expect((await outcome(() => decodeCooperatively(bytes, { signal: abort.signal }))).error?.code).toBe("ERR_ABORTED");
  });

  test("an input that is transferred during decoding is an error", async () => {
    const own = bytes.slice();
    const work = outcome(() => decodeCooperatively(own, { budget: 0 }));
    structuredClone(own.buffer, { transfer: [own.buffer] });
    expect((await work).error?.code).toBe("ERR_INVALID_ARGUMENT");
  });

  test("invalid arguments", async () => {
    const refused: DecodeCooperativelyOptions[] = [
      { budget: -1 },
      { budget: Number.NaN },
      { budget: Infinity },
      { budget: "8" as unknown as number },
      { budget: "1h30m" as unknown as number },
      { budgetMs: 8 } as object,
      { signal: {} as AbortSignal },
      { maxDepth: 0 },
    ];
    for (const options of refused) {
      expect((await outcome(() => decodeCooperatively(bytes, options))).error?.code).toBe("ERR_INVALID_ARGUMENT");
    }
    const noBytes = "abc" as unknown as Uint8Array;
    expect((await outcome(() => decodeCooperatively(noBytes))).error?.code).toBe("ERR_INVALID_ARGUMENT");
  });
});
