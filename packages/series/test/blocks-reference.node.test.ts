/** Block files against a second implementation, which was written from the format's page: the same bytes, and the same points. */
import { readFileSync } from "node:fs";
import { ByteWriter } from "moonpack/bytes";
import { expect, test } from "vitest";
import { BlockWriter } from "../build/blocks/block-writer.js";
import { readFooter } from "../build/blocks/footer.js";
import { Values64 } from "../build/page/values.js";
import type { LogFile } from "../src/log/file-system.ts";
import { type BlockFacts, type BlockMetric, decodeBlock, encodeBlock } from "./reference/block.ts";
import { randomFrom } from "./reference/vectors/random.ts";

const WEEK = 604_800_000;
const START = 2810 * WEEK;

/** Returns the bytes that the library writes. */
async function written(file: number, metrics: readonly BlockMetric[], facts: BlockFacts): Promise<number[]> {
  let content = new Uint8Array(0);
  const target: LogFile = {
    async write(bytes, position) {
      const larger = new Uint8Array(Math.max(content.length, position + bytes.length));
      larger.set(content);
      larger.set(bytes, position);
      content = larger;
    },
    async truncate() {},
    async datasync() {},
    async close() {},
  };
  const writer = new BlockWriter(target, file);
  for (const { id, times, values } of metrics) {
    const isInt64 = "int64s" in values;
    const n = times.length;
    const memory = new Values64(n);
    if ("floats" in values) memory.floats.set(values.floats);
    else new BigInt64Array(memory.floats.buffer).set(values.int64s);
    writer.startMetric(id, isInt64);
    writer.add(Float64Array.from(times), memory, 0, n);
    writer.endMetric();
    if (writer.isFull) await writer.flush();
  }
  await writer.finish(facts);
  return [...content];
}

function metricsOf(seed: number): BlockMetric[] {
  const random = randomFrom(seed);
  const count = seed % 5 === 0 ? 300 : 1 + random(12);
  const shared = Array.from({ length: 1 + random(700) }, (_, i) => START + WEEK - 300_000 + i * 1000);
  let id = random(5);
  return Array.from({ length: count }, () => {
    id += 1 + random(3);
    const isShared = random(3) > 0;
    const own = () => {
      let time = START + random(WEEK);
      return Array.from({ length: 1 + random(40) }, () => (time += 1 + random([5, 1000, WEEK / 20][random(3)]!)));
    };
    const times = count > 100 ? shared.slice(0, 3) : isShared ? shared : own();
    if (random(4) === 0) return { id, times, values: { int64s: times.map(() => BigInt(random(1000)) - 500n) } };
    const kind = random(4);
    const floats = times.map((_, i) => {
      if (kind === 0) return i;
      if (kind === 1) return random(100_000) / 100;
      if (kind === 2) return random(10) === 0 ? Number.NaN : random(50);
      return Math.sin(i) * 1e3;
    });
    return { id, times, values: { floats } };
  });
}

type VectorMetric = { readonly id: number; readonly times: number[] } & (
  | { readonly floats: (number | string)[] }
  | { readonly int64s: string[] }
);
interface BlockVector {
  readonly name: string;
  readonly file: number;
  readonly facts: BlockFacts;
  readonly metrics: readonly VectorMetric[];
  readonly bytes: string;
}

const vectors = JSON.parse(readFileSync(new URL("../../../vectors/series/blocks.json", import.meta.url), "utf8")) as {
  readonly vectors: readonly BlockVector[];
};

test.each(vectors.vectors)("vector: $name", async ({ file, facts, metrics, bytes }) => {
  const given = metrics.map((one): BlockMetric => {
    const { id, times } = one;
    if ("floats" in one) return { id, times, values: { floats: one.floats.map(Number) } };
    return { id, times, values: { int64s: one.int64s.map(BigInt) } };
  });
  expect(Buffer.from(await written(file, given, facts)).toString("hex")).toBe(bytes);
});

test("the same bytes, and the same points", async () => {
  for (let seed = 0; seed < 24; seed++) {
    const metrics = metricsOf(seed);
    const facts: BlockFacts = { level: seed % 3, isWide: seed % 2 === 1, generations: [seed, seed + 2] };
    const slow = encodeBlock(seed + 1, metrics, facts);
    expect(decodeBlock(slow)).toEqual(metrics);
    const fast = await written(seed + 1, metrics, facts);
    expect(Buffer.compare(Uint8Array.from(fast), Uint8Array.from(slow)), `seed ${seed}`).toBe(0);
  }
});

test("a footer claims no more pages than its bytes may describe", () => {
  const w = new ByteWriter();
  for (const fact of [0, 0, 0, 0, 1, 1, 1]) w.uvar32(fact);
  w.uvar32(2 ** 23);
  const bytes = new Uint8Array(64);
  bytes.set(w.written());
  expect(() => readFooter(bytes, 60)).toThrow(expect.objectContaining({ code: "ERR_OUT_OF_RANGE" }));
});
