/** Streams of messages over real sockets. */
import { once } from "node:events";
import type { AddressInfo, Socket } from "node:net";
import { pipeline } from "node:stream/promises";
import tls from "node:tls";
import { fault } from "@moonpack/harness/caught.ts";
import { none } from "@moonpack/harness/each.ts";
import { concat } from "@moonpack/harness/hex.ts";
import { randomSource } from "@moonpack/harness/random.ts";
import { differ } from "@moonpack/harness/same.ts";
import { encode } from "moonpack";
import { DecodeStream, EncodeStream, PipelinedWriter } from "moonpack/node";
import { expect, test } from "vitest";
import { codeOf, connect, listen, randomParts, turns } from "./tools.ts";

interface Request {
  readonly id: number;
  readonly connection: number;
  readonly text: string;
}

/** Echoes every request, pipelined. */
function echo(socket: Socket): void {
  const writer = new PipelinedWriter(socket);
  socket.on("error", () => undefined);
  const values = socket.pipe(new DecodeStream());
  values.on("error", () => socket.destroy());
  values.on("data", (value) => writer.write(value));
  values.on("end", () => void writer.close({ end: true }));
}

function request(connection: number, id: number, random: (below: number) => number): Request {
  return { connection, id, text: "é".repeat(random(30) === 0 ? random(20_000) : random(20)) };
}

test("200 concurrent connections, random chunks: no message is lost or mixed up", async () => {
  const { server, port } = await listen(echo);
  const talk = async (connection: number) => {
    const random = randomSource(connection);
    const socket = await connect(port);
    const requests = Array.from({ length: 20 + random(40) }, (_, id) => request(connection, id, random));
    const responses = socket.pipe(new DecodeStream<Request>()).toArray();
    for (const part of randomParts(concat(...requests.map((one) => encode(one))), connection, 30)) {
      if (!socket.write(part)) await once(socket, "drain");
      if (random(4) === 0) await turns(1);
    }
    socket.end();
    none(differ(await responses, requests), `connection ${connection}`);
  };
  await Promise.all(Array.from({ length: 200 }, (_, i) => talk(i)));
  server.close();
});

test("half-close: the client ends its side, and still receives every response", async () => {
  const { server, port } = await listen(echo);
  const socket = await connect(port);
  const random = randomSource(1);
  const requests = Array.from({ length: 3000 }, (_, id) => request(0, id, random));
  const encoder = new EncodeStream();
  const sent = pipeline(encoder, socket);
  for (const one of requests) encoder.write(one);
  encoder.end();
  const responses = await socket.pipe(new DecodeStream()).toArray();
  await sent;
  none(differ(responses, requests));
  server.close();
});

test("TLS: the same, with reused memory", async () => {
  const psk = { psk: Buffer.alloc(32, 7), identity: "test" };
  const server = tls.createServer({ ciphers: "PSK", maxVersion: "TLSv1.2", pskCallback: () => psk.psk }, echo);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = tls.connect({
    port: (server.address() as AddressInfo).port,
    host: "127.0.0.1",
    ciphers: "PSK",
    maxVersion: "TLSv1.2",
    pskCallback: () => psk,
    checkServerIdentity: () => undefined,
  });
  await once(socket, "secureConnect");
  const writer = new PipelinedWriter(socket, { bufferSize: 4096, threshold: 2048 });
  const random = randomSource(4);
  const requests = Array.from({ length: 5000 }, (_, id) => request(0, id, random));
  const responses = socket.pipe(new DecodeStream());
  const seen: unknown[] = [];
  responses.on("data", (value) => seen.push(value));
  for (const one of requests) {
    if (!writer.write(one)) await writer.drain();
    if (one.id % 100 < 20) await turns(1);
  }
  await writer.flush();
  while (seen.length < requests.length) await once(responses, "data");
  none(differ(seen, requests));
  await writer.close({ end: true });
  server.close();
});

test("a connection that ends inside a message is ERR_TRUNCATED; a reset is its own error", async () => {
  const { server, port } = await listen((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", (chunk) => {
      socket.write(concat(encode("whole"), encode(["cut", "in two"]).subarray(0, 7)));
      setTimeout(() => (chunk[0] === 1 ? socket.end() : socket.resetAndDestroy()), 20);
    });
  });
  for (const [byte, code] of [
    [1, "ERR_TRUNCATED"],
    [2, "ECONNRESET"],
  ] as const) {
    const socket = await connect(port);
    const writer = new PipelinedWriter(socket);
    writer.write(byte);
    const seen: unknown[] = [];
    const done = pipeline(socket, new DecodeStream(), async (values: AsyncIterable<unknown>) => {
      for await (const value of values) seen.push(value);
    });
    expect(await codeOf(done)).toBe(code);
    expect(seen).toEqual(["whole"]);
    if (byte === 2) expect(await codeOf(writer.flush())).toBe("ECONNRESET");
    socket.destroy();
  }
  server.close();
});

test("reset with many pending writes: promises reject once, with the socket's error", async () => {
  const { server, port } = await listen((socket) => {
    socket.on("error", () => undefined);
    socket.pause();
    setTimeout(() => socket.resetAndDestroy(), 50);
  });
  const socket = await connect(port);
  const errors: unknown[] = [];
  socket.on("error", (error) => errors.push(error));
  const writer = new PipelinedWriter(socket);
  const large = "x".repeat(200_000);
  for (let i = 0; i < 100; i++) {
    writer.write(large);
    writer.write(i);
  }
  const results = await Promise.allSettled([writer.flush(), writer.drain(), writer.close()]);
  const reasons = results.map((one) => (one.status === "rejected" ? (one.reason as unknown) : null));
  expect(errors.length).toBe(1);
  expect(reasons).toEqual([errors[0], errors[0], errors[0]]);
  server.close();
});

test("destroyed at any moment, on either side: other connections continue", async () => {
  const { server, port } = await listen(echo);
  const random = randomSource(9);
  const steady = await connect(port);
  const responses = steady.pipe(new DecodeStream()).toArray();
  const writer = new PipelinedWriter(steady);
  for (let i = 0; i < 60; i++) {
    writer.write(i);
    const socket = await connect(port);
    socket.on("error", () => undefined);
    const other = new PipelinedWriter(socket);
    for (let k = random(50); k >= 0; k--) other.write("x".repeat(random(3000)));
    await turns(random(3));
    if (i % 2 === 0) socket.destroy();
    else socket.resetAndDestroy();
    // Rejects, unless everything had left the process before.
    expect(await codeOf(other.close())).toBeOneOf([undefined, "ERR_CLOSED", "ECONNRESET", "EPIPE"]);
    expect(fault(() => other.write(1)).code).toBe("ERR_CLOSED");
  }
  await writer.close({ end: true });
  expect(await responses).toEqual(Array.from({ length: 60 }, (_, i) => i));
  server.close();
});
