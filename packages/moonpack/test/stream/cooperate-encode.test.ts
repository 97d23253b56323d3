import { anyValue } from "@moonpack/harness/arbitrary.ts";
import { none } from "@moonpack/harness/each.ts";
import { isWhole, share, thinned } from "@moonpack/harness/effort.ts";
import { FIDELITY_JS } from "@moonpack/harness/fidelity.ts";
import { bytesDiffer } from "@moonpack/harness/hex.ts";
import { vectors } from "@moonpack/harness/vectors.ts";
import fc from "fast-check";
import { type EncoderOptions, Extension, Extensions, encode, MoonpackError, Timestamp } from "moonpack";
import { complete } from "moonpack/msgpack/features";
import { encodeCooperatively } from "moonpack/stream";
import { describe, expect, test } from "vitest";

interface Outcome {
  readonly bytes?: Uint8Array;
  readonly error?: MoonpackError & { path?: string };
}

async function outcome(act: () => Uint8Array | Promise<Uint8Array>): Promise<Outcome> {
  try {
    return { bytes: await act() };
  } catch (error) {
    if (error instanceof MoonpackError) return { error };
    throw error;
  }
}

/** Null if two outcomes are equal: the bytes, or the error with its text and path. */
function disagree(a: Outcome, b: Outcome): string | null {
  const of = ({ error }: Outcome) => (error === undefined ? "none" : `${error.code} ${error.message} ${error.path}`);
  if (of(a) !== of(b)) return `${of(a)} against ${of(b)}`;
  return a.bytes === undefined ? null : bytesDiffer(a.bytes, b.bytes!);
}

/** The smallest possible slices, and slices of some bytes. */
const BUDGETS = [0, 0.001, 0.03];

async function agrees(value: unknown, options: EncoderOptions, name: string): Promise<void> {
  const all = await outcome(() => encode(value, options));
  for (const budgetMs of BUDGETS) {
    const slices = await outcome(() => encodeCooperatively(value, { ...options, budget: budgetMs }));
    none(disagree(slices, all), `${name}, budget ${budgetMs}`);
  }
}

class Point {
  readonly x: unknown;
  constructor(x: unknown) {
    this.x = x;
  }
}
class Replaced {
  readonly by: unknown;
  constructor(by: unknown) {
    this.by = by;
  }
  toMessagePack(): unknown {
    return this.by;
  }
  toJSON(): unknown {
    return this.by;
  }
}
const extensions = new Extensions().register({
  type: 5,
  class: Point,
  encode: ({ x }: Point) => encode(x),
  decode: () => new Point(0),
});

const modes: readonly [string, EncoderOptions][] = [
  ["by default", {}],
  ["canonical", { canonical: true, engine: complete }],
  ["fidelity json", { fidelity: "json", engine: complete }],
  ["fidelity js", { fidelity: FIDELITY_JS }],
  ["fidelity js, canonical", { fidelity: FIDELITY_JS, canonical: true, engine: complete }],
  ["extensions, maxDepth 4096", { extensions, maxDepth: 4096 }],
  ["maxDepth 4", { maxDepth: 4 }],
  ["utf8 replace", { utf8: "replace" }],
];

const cyclic: Record<string, unknown> = { a: [1, { b: null }] };
(cyclic.a as unknown[]).push({ deep: [cyclic] });
const wide = (n: number) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`key ${i}`, [i, { i }]]));
const values: [string, unknown][] = [
  ["records", Array.from({ length: 300 }, (_, i) => ({ id: i, name: `n${i}`, at: { x: i / 3, tags: ["a", i] } }))],
  ["objects of changing sizes", Array.from({ length: 60 }, (_, i) => wide(i % 20))],
  ["a large object", wide(1200)],
  ["two large objects of the same first key", [wide(1001), wide(1001)]],
  [
    "a large object that is mostly undefined",
    { ...wide(3), ...Object.fromEntries(Object.keys(wide(1100)).map((k) => [`u${k}`, undefined])) },
  ],
  [
    "undefined here and there",
    [{ a: undefined, b: [1], c: undefined, d: { e: undefined } }, { a: 1, b: [1] }, { a: 1 }],
  ],
  ["a Map", new Map<unknown, unknown>(Array.from({ length: 300 }, (_, i) => [i, new Map([[[i], { i }]])]))],
  ["a Set in a Map in an array", [new Map([["a", new Set([1, { b: new Set([[2]]) }])]]), 2n ** 80n, undefined, /x/g]],
  [
    "instances that put something in their place",
    [new Replaced({ a: new Replaced([1, 2, new Replaced(null)]) }), new Replaced(5), 6],
  ],
  [
    "extensions",
    [new Point({ a: [1] }), [new Point(2)], new Extension(3, new Uint8Array(70)), new Timestamp(1, 5), new Date(5)],
  ],
  [
    "long texts and binary",
    ["é".repeat(5000), { ["k".repeat(300)]: new Uint8Array(5000) }, "x".repeat(70_000), new Uint8Array(0)],
  ],
  ["floats", Array.from({ length: 500 }, (_, i) => i / 7)],
  ["holes", [1, Object.assign(new Array<unknown>(3), { 0: 2 })]],
  ["a function inside", { a: [1, { "b c": [2, { d: () => 1 }] }] }],
  ["a function in a Map", new Map([["a", [1, new Map([[5, Symbol("s")]])]]])],
  ["a lone surrogate as key", [{ a: { "\ud800": 1 } }]],
  [
    "a getter that throws",
    [
      {
        a: {
          get b() {
            throw new RangeError("no");
          },
        },
      },
    ],
  ],
  ["a cycle", [cyclic]],
  [
    "nested 30 deep",
    Array.from({ length: 30 }).reduce((v, _, i) => (i % 3 === 0 ? [v] : i % 3 === 1 ? { v, i } : new Map([[i, v]])), 1),
  ],
  ["nested 600 deep", Array.from({ length: 600 }).reduce((v, _, i) => (i % 2 === 0 ? [i, v] : { v, i }), 1)],
];

for (const [mode, options] of modes) {
  describe(`encoding in slices gives the results of encode, ${mode}`, () => {
    test("values of every kind", async () => {
      for (const [name, value] of thinned(values)) await agrees(value, options, name);
    });

    test("vectors", async () => {
      for (const { name, bytes, value } of thinned(vectors))
        if (bytes.length < 3000) await agrees(value(), options, name);
    });

    test("any value", async () => {
      await fc.assert(
        fc.asyncProperty(anyValue, fc.nat(30), async (value, padding) => {
          await agrees([" ".repeat(padding), value, value], options, "any");
        }),
        { numRuns: 100 },
      );
    });
  });
}

describe("turns of the event loop", () => {
  /** Takes longer than a timer waits, whatever runs it. */
  const long = Array.from({ length: 3000 }, (_, i) => ({ id: i, name: `n${i}` }));
  /** Each of its objects may be a turn, of which some runtimes make few in a second. */
  const value = isWhole ? long : long.slice(0, 500);

  test("timers run between slices, and a signal aborts", async () => {
    let ticks = 0;
    const timer = setInterval(() => ticks++, 1);
    await encodeCooperatively(long, { budget: 0 });
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(0);
    const abort = new AbortController();
    const work = outcome(() => encodeCooperatively(long, { budget: 0, signal: abort.signal }));
    setTimeout(() => abort.abort(), 1);
    expect((await work).error?.code).toBe("ERR_ABORTED");
  });

  test("concurrent messages", async () => {
    const all = await Promise.all([value, [1], value].map((one) => encodeCooperatively(one, { budget: 0.01 })));
    for (const [i, one] of [value, [1], value].entries()) none(bytesDiffer(all[i]!, encode(one)));
  });

  test("memory is reused safely after errors and aborts, and by nested messages", async () => {
    const inner: Promise<Uint8Array>[] = [];
    const outer = {
      list: value,
      get within() {
        inner.push(encodeCooperatively([value, 1], { budget: 0 }));
        return 7;
      },
      more: value,
    };
    const wants = [value, [value, 1], { list: value, within: 7, more: value }].map((one) => encode(one));
    for (let round = 0; round < share(3); round++) {
      const first = await encodeCooperatively(value, { budget: 0 });
      const abort = new AbortController();
      const works = [
        outcome(() => encodeCooperatively({ a: value, b: () => 1 }, { budget: 0 })),
        outcome(() => encodeCooperatively([value], { budget: 0, signal: abort.signal })),
      ];
      const whole = encodeCooperatively(outer, { budget: 0 });
      abort.abort();
      expect((await Promise.all(works)).map(({ error }) => error?.code)).toEqual([
        "ERR_UNSUPPORTED_TYPE",
        "ERR_ABORTED",
      ]);
      none(bytesDiffer(await whole, wants[2]!), "around");
      for (const one of await Promise.all(inner.splice(0))) none(bytesDiffer(one, wants[1]!), "within");
      none(bytesDiffer(first, wants[0]!), "before all these");
    }
  });

  test("maxBytes", async () => {
    for (const budgetMs of BUDGETS) {
      const { error } = await outcome(() => encodeCooperatively(value, { budget: budgetMs, maxBytes: 5000 }));
      expect(error?.code).toBe("ERR_LIMIT_BYTES");
      const size = encode(value).length;
      expect((await encodeCooperatively(value, { budget: budgetMs, maxBytes: size })).length).toBe(size);
    }
  });

  test("maxBytes of a message that is moved between two slices", async () => {
    const large = { all: Array.from({ length: 60 }, (_, i) => ({ i, bytes: new Uint8Array(50_000) })) };
    const size = encode(large).length;
    for (const budgetMs of BUDGETS) {
      for (const maxBytes of thinned([1_100_000, 1_500_000, size - 1])) {
        const { error } = await outcome(() => encodeCooperatively(large, { budget: budgetMs, maxBytes }));
        expect(error?.code).toBe("ERR_LIMIT_BYTES");
        expect(error?.path).toMatch(/^\$(\.all\[\d+\](\.\w+)?)?$/);
      }
      expect((await encodeCooperatively(large, { budget: budgetMs, maxBytes: size })).length).toBe(size);
    }
  });

  test("an invalid budget", async () => {
    expect((await outcome(() => encodeCooperatively(value, { budget: -1 }))).error?.code).toBe("ERR_INVALID_ARGUMENT");
  });
});
