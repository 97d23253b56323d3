// Regressions of memory. Measured in separate processes.

import { childResult } from "@moonpack/harness/child.js";
import { expect, test } from "vitest";

const flags = ["--expose-gc"];

test("long keys are not cached", () => {
  const kept = childResult<number>(
    `
    const { Decoder, encode } = await import("moonpack");
    const decoder = new Decoder();
    gc();
    const before = process.memoryUsage().heapUsed;
    for (let i = 0; i < 200; i++) {
      const o = {};
      for (let j = 0; j < 50; j++) o[String.fromCharCode(33 + j) + i + "k".repeat(5000 + 64 * (i % 100))] = 1;
      decoder.decode(encode(o));
    }
    gc();
    console.log(JSON.stringify(process.memoryUsage().heapUsed - before));`,
    flags,
  );
  expect(kept).toBeLessThan(4 * 1024 * 1024);
});

test("a decoder does not keep decoded values alive", () => {
  const alive = childResult<string[]>(
    `
    const { Decoder, encode } = await import("moonpack");
    const decoder = new Decoder();
    const refs = {};
    (() => {
      const map = decoder.decode(encode(new Map([[new Uint8Array(1000), { a: [1] }]])));
      const [[key, value]] = map;
      refs.key = new WeakRef(key);
      refs.value = new WeakRef(value);
      refs.map = new WeakRef(map);
      const record = decoder.decode(encode({ list: [{ a: 1 }], other: {} }));
      refs.record = new WeakRef(record);
      refs.element = new WeakRef(record.list[0]);
      try { decoder.decode(Uint8Array.of(0x82, 0xc4, 1, 7, 0x81, 0xa1, 0x61)); } catch {}
    })();
    await new Promise((resolve) => setTimeout(resolve, 10));
    gc();
    await new Promise((resolve) => setTimeout(resolve, 10));
    gc();
    console.log(JSON.stringify(Object.keys(refs).filter((name) => refs[name].deref() !== undefined)));`,
    flags,
  );
  expect(alive).toEqual([]);
});

test("an encoder releases the memory of one huge message", () => {
  const kept = childResult<Record<string, number>>(
    `
    const { Encoder } = await import("moonpack");
    const huge = "x".repeat(30_000_000);
    const result = {};
    // Buffers are freed some time after they are collected.
    const settled = async () => {
      for (let i = 0; i < 2; i++) {
        gc();
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      return process.memoryUsage().arrayBuffers;
    };
    const measure = async (name, run) => {
      const before = await settled();
      const encoder = run();
      result[name] = (await settled()) - before;
      return encoder;
    };
    const keep = [];
    keep.push(await measure("encode", () => { const e = new Encoder(); e.encode(huge); return e; }));
    keep.push(await measure("encodeOwned", () => { const e = new Encoder(); e.encodeOwned(huge); return e; }));
    keep.push(await measure("failed", () => { const e = new Encoder(); try { e.encode([huge, () => 1]); } catch {} return e; }));
    keep.push(await measure("shared, then encode", () => { const e = new Encoder(); e.encodeShared(huge); e.encode(1); return e; }));
    console.log(JSON.stringify(result));`,
    flags,
  );
  for (const [name, bytes] of Object.entries(kept)) expect(bytes, name).toBeLessThan(1024 * 1024);
});
