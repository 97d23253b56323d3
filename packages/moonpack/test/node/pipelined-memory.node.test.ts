/** The memory of a PipelinedWriter's chunks: its owner, and when it is reused. */
import { once } from "node:events";
import { PassThrough } from "node:stream";
import { none } from "@moonpack/harness/each.ts";
import { concat } from "@moonpack/harness/hex.ts";
import { randomSource } from "@moonpack/harness/random.ts";
import { differ } from "@moonpack/harness/same.ts";
import { decodeMulti } from "moonpack";
import { PipelinedWriter } from "moonpack/node";
import { describe, expect, test } from "vitest";
import { connect, listen, turns } from "./tools.ts";

describe("memory", () => {
  test("a Writable that keeps its chunks receives separate memory", async () => {
    const through = new PassThrough({ highWaterMark: 1e9 });
    const writer = new PipelinedWriter(through, { bufferSize: 2048, threshold: 1024 });
    const random = randomSource(3);
    const values: unknown[] = [];
    for (let round = 0; round < 300; round++) {
      for (let k = random(8); k >= 0; k--) {
        const value = { round, text: "x".repeat(random(50) === 0 ? 5000 : random(600)) };
        values.push(value);
        writer.write(value);
      }
      await turns(1);
    }
    await writer.close({ end: true });
    const chunks = (await through.toArray()) as Uint8Array[];
    none(differ([...decodeMulti(concat(...chunks))], values));
  });

  test("a socket's memory is reused, but not before it is written", async () => {
    const received: Uint8Array[] = [];
    const { server, port } = await listen((socket) => {
      socket.pause();
      setTimeout(() => socket.resume(), 20);
      socket.on("data", (chunk) => received.push(chunk));
      socket.on("end", () => socket.end());
    });
    const socket = await connect(port);
    const random = randomSource(5);
    const writer = new PipelinedWriter(socket, { bufferSize: 4096, threshold: 2048 });
    const values: unknown[] = [];
    // More than the kernel takes, so writes wait in this process.
    for (let round = 0; round < 400; round++) {
      for (let k = random(20); k >= 0; k--) {
        const value = {
          round,
          k,
          text: String.fromCharCode(97 + (round % 26)).repeat(random(20) === 0 ? 30_000 : 900),
        };
        values.push(value);
        if (!writer.write(value) && round % 3 === 0) await writer.drain();
      }
      if (round % 5 === 0) await turns(1);
    }
    await writer.close({ end: true });
    socket.resume();
    await once(socket, "close");
    server.close();
    const back = [...decodeMulti(concat(...received))];
    none(differ(back, values));
  });
});

describe("memory of messages that are written within a turn", () => {
  const cases = [true, false].flatMap((isSocket) => [undefined, 4].map((maxBatch) => ({ isSocket, maxBatch })));
  for (const { isSocket, maxBatch } of cases) {
    const name = `${isSocket ? "a socket" : "another Writable"}${maxBatch === undefined ? ", alone" : ", maxBatch"}`;
    test(`is not reused before they are written, ${name}`, async () => {
      const received: Uint8Array[] = [];
      const { server, port } = await listen((socket) => {
        socket.pause();
        const step = setInterval(() => (socket.isPaused() ? socket.resume() : socket.pause()), 5);
        socket.on("data", (chunk) => received.push(chunk));
        socket.on("close", () => clearInterval(step));
        socket.on("end", () => socket.end());
      });
      const socket = await connect(port);
      socket.resume();
      const through = new PassThrough({ highWaterMark: 1e9 });
      through.pipe(socket);
      const options = { bufferSize: 2048, threshold: 1024, ...(maxBatch === undefined ? {} : { maxBatch }) };
      const writer = new PipelinedWriter(isSocket ? socket : through, options);
      const random = randomSource(11);
      const values: unknown[] = [];
      for (let turn = 0; turn < 1500; turn++) {
        // A hundred turns with one message each, then some with several.
        const count = turn % 110 < 100 ? 1 : 1 + random(30);
        for (let k = 0; k < count; k++) {
          const value = {
            turn,
            k,
            text: String.fromCharCode(97 + (turn % 26)).repeat(random(9) === 0 ? 3000 : random(300)),
          };
          values.push(value);
          writer.write(value);
        }
        await turns(1);
      }
      expect(writer.stats().batches).toBeGreaterThan(1400);
      await writer.flush();
      if (isSocket) await writer.close({ end: true });
      else through.end();
      await once(socket, "close");
      server.close();
      none(differ([...decodeMulti(concat(...received))], values));
    });
  }
});
