/** Memory of received messages, and of answers that a peer does not read. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { attach as attachPage } from "@moonpack/websocket/browser";
import { attach } from "@moonpack/websocket/ws";
import { describe, expect, test } from "vitest";
import { fakePageSocket } from "./harness/fake-page-socket.ts";
import { fakeWebSocket } from "./harness/fake-ws.ts";

const PING = Buffer.from([0xc1, 0]);
const ACK_REQUEST = Buffer.from([0xc1, 0xfc]);
const CHUNK = 0x10000;

/** Returns a message at the start of a chunk of 64 KB, as ws emits it. */
function inChunk(...bytes: number[]): Buffer {
  const chunk = Buffer.from(new ArrayBuffer(CHUNK));
  chunk.set(bytes);
  return chunk.subarray(0, bytes.length);
}

describe.each([
  ["PING", PING],
  ["ACK_REQUEST", ACK_REQUEST],
])("a flood of %s from a peer that does not read the answers", (_, signal) => {
  test("ends the connection", async () => {
    const peer = fakeWebSocket();
    const connection = await attach(peer.socket);
    for (let n = 0; n < 4096; n++) peer.receive(signal);
    expect([connection.isOpen, peer.sent()]).toEqual([true, 4096]);
    for (let n = 0; n < 10_000; n++) peer.receive(signal);
    expect(peer.sent()).toBe(4097);
    expect((await connection.closed).error).toMatchObject({ code: "ERR_WEBSOCKET_PROTOCOL" });
  });

  test("ends the connection of a page", async () => {
    const { socket, emit } = fakePageSocket();
    const receive = (): void => emit("message", { type: "message", data: new Uint8Array(signal).buffer });
    const connection = await attachPage(socket, { idleTimeout: 0 });
    for (let n = 0; n < 4096; n++) receive();
    // Half of the answers leave, so the same number fits again.
    socket.bufferedAmount /= 2;
    for (let n = 0; n < 2048; n++) receive();
    expect([connection.isOpen, socket.bufferedAmount]).toEqual([true, 8192]);
    for (let n = 0; n < 10_000; n++) receive();
    expect(socket.bufferedAmount).toBe(8194);
    expect((await connection.closed).error).toMatchObject({ code: "ERR_WEBSOCKET_PROTOCOL" });
  });
});

describe("a short message in a large chunk", () => {
  test("does not keep the chunk in memory while it waits", async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const peer = fakeWebSocket();
    const connection = await attach(peer.socket);
    collect();
    const before = process.memoryUsage().arrayBuffers;
    for (let n = 0; n < 1000; n++) peer.receive(inChunk(1));
    await expect
      .poll(() => {
        collect();
        return process.memoryUsage().arrayBuffers - before;
      })
      .toBeLessThan(100 * CHUNK);
    expect(connection.unreadBytes).toBe(257_000);
    expect(await connection.receive()).toEqual({ kind: 0, value: 1 });
    connection.terminate();
  });

  test("does not keep the chunk through views of a codec", async () => {
    const peer = fakeWebSocket();
    const views = { encode: (value: Uint8Array) => value, decode: (bytes: Uint8Array) => bytes };
    const connection = await attach(peer.socket, { kinds: { 1: views } });
    const next = connection.receive();
    peer.receive(inChunk(0xc1, 1, 5, 6));
    const { value } = (await next) as { value: Uint8Array };
    expect([...value]).toEqual([5, 6]);
    expect(value.buffer.byteLength).toBe(4);
    connection.terminate();
  });
});
