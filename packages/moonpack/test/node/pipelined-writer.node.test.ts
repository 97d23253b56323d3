import { EventEmitter } from "node:events";
import { Writable } from "node:stream";
import { fault } from "@moonpack/harness/caught.ts";
import { runChild } from "@moonpack/harness/child.ts";
import { none } from "@moonpack/harness/each.ts";
import { concat } from "@moonpack/harness/hex.ts";
import { expectLinearMoves } from "@moonpack/harness/moved-counts.ts";
import { differ } from "@moonpack/harness/same.ts";
import { decodeMulti, encode } from "moonpack";
import { PipelinedWriter } from "moonpack/node";
import { describe, expect, test } from "vitest";
import { codeOf, Sink, turns } from "./tools.ts";

const messages = (...values: unknown[]) => concat(...values.map((value) => encode(value)));

/** A sink that counts its calls of write and writev. */
class Batches extends Sink {
  readonly batches: number[] = [];

  override _writev(chunks: { chunk: Uint8Array }[], callback: () => void): void {
    this.batches.push(chunks.length);
    this.chunks.push(...chunks.map(({ chunk }) => chunk));
    callback();
  }

  override _write(chunk: unknown, encoding: BufferEncoding, callback: () => void): void {
    this.batches.push(1);
    super._write(chunk, encoding, callback);
  }
}

describe("messages of one turn", () => {
  test("are one write, in order, at the end of the turn", async () => {
    const sink = new Batches();
    const writer = new PipelinedWriter(sink);
    for (let i = 0; i < 100; i++) expect(writer.write({ i })).toBe(true);
    expect(sink.chunks).toEqual([]);
    await turns(2);
    expect(sink.batches).toEqual([1]);
    for (let i = 100; i < 103; i++) writer.writeBytes(encode({ i }));
    await turns(2);
    expect(sink.batches).toEqual([1, 1]);
    none(differ(sink.bytes, messages(...Array.from({ length: 103 }, (_, i) => ({ i })))));
    const { messages: count, bytes, batches, writes, passedThrough } = writer.stats();
    expect([count, bytes, batches, writes, passedThrough]).toEqual([103, sink.bytes.length, 2, 2, 0]);
  });

  test("large messages are passed through without a copy, in order; several chunks are one writev", async () => {
    const sink = new Batches({ highWaterMark: 1e9 });
    const writer = new PipelinedWriter(sink, { threshold: 1000, bufferSize: 2048 });
    const ready = encode("r".repeat(3000));
    const values = [1, "x".repeat(5000), 2, "y".repeat(900), 3];
    for (const value of values) writer.write(value);
    writer.writeBytes(ready);
    writer.write(4);
    await turns(2);
    none(differ(sink.bytes, messages(...values, "r".repeat(3000), 4)));
    expect(sink.batches).toEqual([2, 2, 1]);
    expect(sink.chunks.some((chunk) => (chunk as Uint8Array).buffer === ready.buffer)).toBe(true);
    expect(writer.stats().passedThrough).toBe(2);
  });

  test("a full buffer is written within the turn", () => {
    const sink = new Batches();
    const writer = new PipelinedWriter(sink, { bufferSize: 4096 });
    for (let i = 0; i < 1000; i++) writer.write("x".repeat(100));
    expect(sink.batches.length).toBeGreaterThan(20);
    expect(sink.batches.length).toBeLessThan(35);
  });

  test("maxBatch: a write after each maxBatch messages, the rest at the end of the turn", async () => {
    const sink = new Batches();
    const writer = new PipelinedWriter(sink, { maxBatch: 32 });
    for (let i = 0; i < 70; i++) writer.write({ i });
    expect(sink.batches).toEqual([1, 1]);
    none(differ(sink.bytes, messages(...Array.from({ length: 64 }, (_, i) => ({ i })))));
    await turns(2);
    expect(sink.batches).toEqual([1, 1, 1]);
    for (let i = 70; i < 102; i++) writer.write({ i });
    expect(sink.batches).toEqual([1, 1, 1, 1]);
    await turns(2);
    none(differ(sink.bytes, messages(...Array.from({ length: 102 }, (_, i) => ({ i })))));
    expect(writer.stats().batches).toBe(4);
  });

  test("one message in each turn: written at once; several messages: collected again", async () => {
    const sink = new Batches();
    const writer = new PipelinedWriter(sink);
    const values: unknown[] = [];
    const write = (value: unknown) => {
      values.push(value);
      writer.write(value);
    };
    let direct = 0;
    for (let i = 0; i < 200; i++) {
      write(i);
      if (sink.batches.length === values.length) direct++;
      await turns(1);
    }
    expect(direct).toBeGreaterThan(150);
    for (let round = 0; round < 40; round++) {
      for (let i = 0; i < 50; i++) write(i);
      await turns(2);
    }
    expect(sink.batches.length).toBeLessThan(200 + 70 + 40);
    none(differ([...decodeMulti(sink.bytes)], values));
  });

  test("disabled: each message is written at once, in separate memory", () => {
    const sink = new Batches();
    const writer = new PipelinedWriter(sink, { enabled: false });
    const values = [1, "x".repeat(100), "y".repeat(100_000), [1]];
    for (const value of values) writer.write(value);
    const own = encode("ready");
    writer.writeBytes(own);
    own.fill(0xc1);
    expect(sink.batches).toEqual([1, 1, 1, 1, 1]);
    none(differ(sink.bytes, messages(...values, "ready")));
  });
});

describe("values and options", () => {
  test("a value that cannot be encoded throws, nothing of it is sent, the writer stays usable", async () => {
    for (const enabled of [true, false]) {
      const sink = new Sink();
      const writer = new PipelinedWriter(sink, { enabled });
      writer.write(1);
      const refused = { text: "x".repeat(20_000), f: () => 1 };
      expect(fault(() => writer.write(refused))).toEqual({ code: "ERR_UNSUPPORTED_TYPE", path: "$.f" });
      expect(fault(() => writer.write(undefined))).toEqual({ code: "ERR_UNSUPPORTED_TYPE", path: "$" });
      expect(fault(() => writer.writeBytes("text" as unknown as Uint8Array)).code).toBe("ERR_INVALID_ARGUMENT");
      for (const write of [() => writer.write(2), () => writer.writeBytes(encode(2))]) {
        const inside = new (class Inside {
          toMessagePack = write;
        })();
        expect(fault(() => writer.write(["x", inside]))).toEqual({ code: "ERR_USER_CODE", path: "$[1]" });
      }
      writer.write(null);
      await writer.flush();
      expect([...decodeMulti(sink.bytes)]).toEqual([1, null]);
      expect(writer.stats().messages).toBe(2);
    }
  });

  test("options of the encoder; bytes of every type", async () => {
    const sink = new Sink();
    const writer = new PipelinedWriter(sink, { canonical: true });
    writer.write({ b: 1, a: 2 });
    const shared = new Uint8Array(new SharedArrayBuffer(20_001)).fill(1);
    for (const bytes of [encode([1]).slice().buffer, new DataView(encode([2]).slice().buffer), shared])
      writer.writeBytes(bytes);
    await writer.close();
    const [first, ...rest] = [...decodeMulti(sink.bytes)];
    expect(Object.keys(first as object)).toEqual(["a", "b"]);
    expect(rest.slice(0, 2)).toEqual([[1], [2]]);
    expect(rest.length).toBe(2 + 20_001);
  });

  test("invalid arguments", () => {
    const sink = new Sink();
    for (const options of [{ bufferSize: 10 }, { threshold: 1e9 }, { enabled: 1 }, { maxBatch: 0 }, { maxDepth: 0 }, 5])
      expect(fault(() => new PipelinedWriter(sink, options as object)).code).toBe("ERR_INVALID_ARGUMENT");
    for (const socket of [null, {}, "x", new Writable({ objectMode: true })])
      expect(fault(() => new PipelinedWriter(socket as Writable)).code).toBe("ERR_INVALID_ARGUMENT");
    for (const [wrong, meant] of Object.entries({
      bufferSiz: "bufferSize",
      threshld: "threshold",
      maxDpth: "maxDepth",
    }))
      expect(() => new PipelinedWriter(sink, { [wrong]: 1 })).toThrow(`did you mean ${meant}?`);
    expect(sink.listenerCount("close")).toBe(0);
  });
});

describe("backpressure", () => {
  test("write returns false when the socket is full, drain waits for it", async () => {
    const sink = new Sink({ highWaterMark: 1000 });
    sink.isSlow = true;
    const writer = new PipelinedWriter(sink, { bufferSize: 1024, threshold: 512 });
    await writer.drain(); // at once
    let count = 0;
    while (writer.write("x".repeat(100))) count++;
    expect(count).toBeLessThan(30);
    let isDrained = false;
    const drained = writer.drain().then(() => {
      isDrained = true;
    });
    await turns();
    expect(isDrained).toBe(false);
    sink.isSlow = false;
    sink.next?.();
    await drained;
    expect(writer.write(1)).toBe(true);
    await writer.close();
    expect([...decodeMulti(sink.bytes)].length).toBe(count + 2);
  });

  test("flush writes now, and waits until all is taken; single messages and batches", async () => {
    for (const enabled of [true, false]) {
      const sink = new Sink();
      sink.isSlow = true;
      const writer = new PipelinedWriter(sink, { enabled });
      writer.write(1);
      const flushed: number[] = [];
      const first = writer.flush().then(() => flushed.push(1));
      expect(sink.chunks.length).toBe(1);
      writer.write(2);
      const second = writer.flush().then(() => flushed.push(2));
      const again = writer.flush().then(() => flushed.push(3));
      await turns();
      expect(flushed).toEqual([]);
      sink.next!();
      await first;
      sink.isSlow = false;
      sink.next!();
      await Promise.all([second, again]);
      expect(flushed.slice(0, 1)).toEqual([1]);
      await writer.flush();
      expect([...decodeMulti(sink.bytes)]).toEqual([1, 2]);
    }
  });
});

describe("the end", () => {
  test("close flushes, rejects later writes, leaves the socket open and no listeners", async () => {
    const sink = new Sink();
    const writer = new PipelinedWriter(sink);
    writer.write(1);
    const closed = writer.close();
    expect(fault(() => writer.write(2)).code).toBe("ERR_CLOSED");
    expect(fault(() => writer.writeBytes(encode(2))).code).toBe("ERR_CLOSED");
    expect(writer.close()).toBe(closed);
    await closed;
    await Promise.all([writer.flush(), writer.drain()]);
    expect([...decodeMulti(sink.bytes)]).toEqual([1]);
    expect([sink.writable, sink.eventNames()]).toEqual([true, []]);
    const next = new PipelinedWriter(sink);
    next.write(3);
    await next.close({ end: true });
    expect([sink.writableFinished, sink.bytes.length]).toEqual([true, 2]);
  });

  test("a socket that fails: every promise rejects with its error, later writes are ERR_CLOSED", async () => {
    const reason = new Error("reset");
    for (const enabled of [true, false]) {
      const sink = new Sink({ highWaterMark: 10 });
      sink.isSlow = true;
      const errors: unknown[] = [];
      sink.on("error", (error) => errors.push(error));
      const writer = new PipelinedWriter(sink, { enabled });
      writer.write("x".repeat(100));
      const flushed = writer.flush();
      const promises = [flushed, writer.flush(), writer.drain(), writer.close({ end: true })];
      sink.destroy(reason);
      expect((await Promise.allSettled(promises)).map((one) => (one as PromiseRejectedResult).reason)).toEqual([
        reason,
        reason,
        reason,
        reason,
      ]);
      expect(fault(() => writer.write(1)).code).toBe("ERR_CLOSED");
      await expect(writer.flush()).rejects.toBe(reason);
      await expect(writer.drain()).rejects.toBe(reason);
      expect(errors).toEqual([reason]);
      expect(sink.eventNames()).toEqual(["error"]);
    }
  });

  test("a socket that fails while it is being ended", async () => {
    const reason = new Error("late");
    for (const error of [reason, undefined]) {
      const sink = new Writable({
        write: (_chunk, _encoding, callback) => callback(),
        final: () => sink.destroy(error),
      });
      sink.on("error", () => undefined);
      const writer = new PipelinedWriter(sink);
      writer.write(1);
      const closed = writer.close({ end: true });
      if (error === undefined) expect(await codeOf(closed)).toBe("ERR_CLOSED");
      else await expect(closed).rejects.toBe(reason);
    }
    expect(fault(() => new PipelinedWriter(new Sink()).close({ end: 1 } as object)).code).toBe("ERR_INVALID_ARGUMENT");
  });

  test("a socket that is destroyed, ended by its user, or closed from the start", async () => {
    const destroyed = new Sink();
    const writer = new PipelinedWriter(destroyed);
    writer.write(1);
    destroyed.destroy();
    expect(await codeOf(writer.flush())).toBe("ERR_CLOSED");
    const ended = new Sink();
    const other = new PipelinedWriter(ended);
    other.write(1);
    ended.end();
    expect(await codeOf(other.close())).toBe("ERR_CLOSED");
    const late = new PipelinedWriter(ended);
    expect(fault(() => late.write(1)).code).toBe("ERR_CLOSED");
    expect(await codeOf(late.flush())).toBe("ERR_CLOSED");
    await turns();
    expect(ended.eventNames()).toEqual([]);
  });

  test("ignored promises do not end the process, an error of the socket still does", () => {
    const code = (listen: string) => `import { PassThrough } from "node:stream";
      import { PipelinedWriter } from "moonpack/node";
      const socket = new PassThrough({ highWaterMark: 1 }); ${listen}
      const writer = new PipelinedWriter(socket);
      writer.write("some text"); writer.flush(); writer.drain(); writer.close();
      socket.destroy(new Error("reset"));`;
    expect(runChild(code('socket.on("error", () => undefined);'))).toMatchObject({ status: 0, stderr: "" });
    const { status, stderr } = runChild(code(""));
    expect([status, stderr.includes("reset")]).toEqual([1, true]);
  });
});

/** The necessary members of a Writable, without Node's queue. */
class Slow extends EventEmitter {
  readonly writable = true;
  readonly writableLength = 1;
  readonly callbacks: (() => void)[] = [];

  write(_: Uint8Array, callback: () => void): boolean {
    this.callbacks.push(callback);
    return true;
  }
}

test("promises that wait for a slow socket settle in order, without moving the queue", async () => {
  const settled: number[] = [];
  const pending: Promise<unknown>[] = [];
  expectLinearMoves((n) => {
    const sink = new Slow();
    const writer = new PipelinedWriter(sink as unknown as Writable);
    for (let i = 0; i < n; i++) {
      writer.write(i % 100);
      pending.push(writer.flush().then(() => settled.push(i)));
    }
    for (const callback of sink.callbacks) callback();
  }, 300);
  await Promise.all(pending);
  const numbers = (n: number) => Array.from({ length: n }, (_, i) => i);
  expect(settled).toEqual([...numbers(300), ...numbers(300 * 16)]);
});
