/** The memory that unfinished Writers hold and that their views keep alive. */
import { Writer } from "@moonpack/protobuf";
import { describe, expect, test } from "vitest";

const COUNT = 500;
const gc = (globalThis as unknown as { gc(): void }).gc;

function arrayBuffers(): number {
  gc();
  gc();
  return process.memoryUsage().arrayBuffers;
}

/** The bytes of ArrayBuffers that each of many objects keeps alive. */
function bytesHeldBy(make: () => object): number {
  new Writer().bool(true).finish();
  const before = arrayBuffers();
  const all = Array.from({ length: COUNT }, make);
  const bytes = (arrayBuffers() - before) / COUNT;
  expect(all.length).toBe(COUNT); // alive until here
  return bytes;
}

describe("memory that Writers hold", () => {
  test("no memory before the first byte and after reset", () => {
    expect(bytesHeldBy(() => new Writer())).toBeLessThan(100);
    expect(bytesHeldBy(() => new Writer().string("text").reset())).toBeLessThan(200);
    expect(bytesHeldBy(() => new Writer().fork().string("text").reset().reset())).toBeLessThan(200);
  });

  test("a few times the message while many Writers are unfinished", () => {
    expect(bytesHeldBy(() => new Writer().uint32(1))).toBeLessThan(2048);
    expect(bytesHeldBy(() => new Writer().fork().string("x".repeat(300)))).toBeLessThan(3072);
    expect(bytesHeldBy(() => new Writer().raw(new Uint8Array(5000)))).toBeLessThan(4 * 5000);
  });

  test("only the result after finish", () => {
    const finished = () => {
      const writer = new Writer().string("text");
      writer.finish();
      return writer;
    };
    expect(bytesHeldBy(finished)).toBeLessThan(200);
  });

  test("a quarter more than a large message while it is written, without garbage", () => {
    const before = arrayBuffers();
    const writer = new Writer();
    const part = new Uint8Array(50_000);
    for (let size = 0; size < 20_000_000; size += part.length) writer.raw(part);
    const taken = process.memoryUsage().arrayBuffers - before; // without a collection in between
    expect(taken).toBeLessThan(1.25 * writer.pos + 3_000_000);
    expect(writer.finish().length).toBe(writer.pos);
  });

  test("a rare large message makes no other one take its memory", () => {
    const held = (size: number) => {
      const before = process.memoryUsage().arrayBuffers;
      const writer = new Writer();
      for (let written = 0; written < size; written += 1000) writer.raw(new Uint8Array(1000));
      const taken = process.memoryUsage().arrayBuffers - before;
      expect(writer.finish().length).toBeGreaterThanOrEqual(size);
      return taken - size; // what was passed to `raw` does not count
    };
    for (let i = 0; i < 3; i++) for (const size of [40_000, 40_000, 40_000, 900_000]) held(size);
    gc();
    expect(held(40_000)).toBeLessThan(300_000);
  });

  test("no memory of large nested messages that are reset repeatedly", () => {
    const writer = new Writer().raw(new Uint8Array(1 << 20)).uint32(1);
    const part = new Uint8Array(300_000);
    const before = arrayBuffers();
    for (let i = 0; i < 60; i++) writer.fork().raw(part).raw(part).reset();
    expect(arrayBuffers() - before).toBeLessThan(2_000_000);
    expect(writer.pos).toBe((1 << 20) + 1);
  });

  test("the memory of a view is at most twice its size", () => {
    for (const size of [1, 50, 600, 5000, 70_000]) {
      const view = () => new Writer().raw(new Uint8Array(size)).finish(true);
      expect(view().buffer.byteLength, String(size)).toBeLessThanOrEqual(Math.max(512, 2 * size));
      expect(bytesHeldBy(view), String(size)).toBeLessThan(Math.max(600, 2.2 * size));
    }
  });

  test("a nested Writer that is dropped leaves the memory to later Writers", () => {
    for (let i = 0; i < 200; i++) {
      const outer = new Writer().string("outer");
      const inner = new Writer().string("inner");
      new Writer().fork().string("dropped");
      expect(inner.finish().length).toBe(6);
      expect(outer.fork().raw(inner.finish()).ldelim().finish().length).toBe(13);
    }
  });
});
