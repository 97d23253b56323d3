/** A PipelinedWriter sends each message once and in order, also with nested writes and an early end. */
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { PassThrough } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { decodeMulti } from "moonpack";
import { PipelinedWriter, type PipelinedWriterOptions } from "moonpack/node";
import { describe, expect, test } from "vitest";
import { turns } from "./tools.ts";

describe("a sink whose reader writes to the same writer synchronously", () => {
  async function sent(
    options: PipelinedWriterOptions,
    act: (writer: PipelinedWriter) => void,
    reply: unknown,
  ): Promise<unknown[]> {
    const sink = new PassThrough({ highWaterMark: 1 << 24 });
    const writer = new PipelinedWriter(sink, { bufferSize: 1024, ...options });
    const chunks: Uint8Array[] = [];
    sink.on("data", (chunk: Uint8Array) => {
      chunks.push(chunk);
      if (chunks.length === 1) writer.write(reply);
    });
    act(writer);
    await writer.flush();
    await turns();
    const values = [...decodeMulti(Buffer.concat(chunks))];
    expect(writer.stats().messages).toBe(values.length);
    return values;
  }

  test("while messages are collected", async () => {
    const write = (writer: PipelinedWriter) => {
      for (let i = 0; i < 3000; i++) writer.write(i % 50);
    };
    for (const options of [{ threshold: 1024 }, { threshold: 1024, maxBatch: 7 }]) {
      const values = await sent(options, write, 99);
      expect(values.filter((value) => value !== 99)).toEqual(Array.from({ length: 3000 }, (_, i) => i % 50));
      expect(values.length).toBe(3001);
    }
  });

  test("before a large message", async () => {
    const write = (writer: PipelinedWriter) => {
      for (let i = 0; i < 1024; i++) writer.write(1);
      writer.write("L".repeat(3000));
    };
    const values = await sent({ threshold: 512 }, write, "R".repeat(900));
    expect(values.filter((value) => typeof value === "string").sort()).toEqual(["L".repeat(3000), "R".repeat(900)]);
  });
});

test("a socket that its user has ended sends its pending writes, and flush waits for that", async () => {
  let received = 0;
  const server = createServer((socket) => {
    setTimeout(() => socket.on("data", (chunk) => (received += chunk.length)), 50);
  }).listen(0);
  await once(server, "listening");
  const socket = connect((server.address() as { port: number }).port);
  await once(socket, "connect");
  const writer = new PipelinedWriter(socket, { bufferSize: 1 << 20, threshold: 1 << 20 });
  // One message in each turn, until messages are written at once, without a callback.
  for (let i = 0; i < 12; i++) {
    writer.write("x".repeat(10));
    await sleep(1);
  }
  for (let i = 0; i < 20; i++) writer.write("z".repeat(1_000_000));
  expect(socket.writableLength).toBeGreaterThan(1_000_000);
  socket.end();
  await writer.flush();
  await once(socket, "close");
  expect(received).toBe(writer.stats().bytes);
  server.close();
});
