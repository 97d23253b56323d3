/** Connections of ws in Node, over real sockets. */

import { codec, f64, schema, u16 } from "@moonpack/pck";
import { connect, encodeKind, framed, WebSocketError } from "@moonpack/websocket/ws";
import { encode } from "moonpack";
import { Picker, type Raw } from "moonpack/pick";
import { describe, expect, expectTypeOf, test } from "vitest";
import { gate, rawClient, rawServer, rejection, served } from "./harness/echo.ts";

const Position = codec(schema("Position", u16("player"), f64("x")));
const kinds = { 1: Position, 2: framed(Position) };

test("values and kinds are echoed, and iteration ends when the peer closes", async () => {
  const { url, errors } = await served(
    async (connection) => {
      for await (const message of connection) {
        if (message.kind === 1) await connection.sendKind(1, message.value);
        else if (message.kind === 2) await connection.sendKind(2, message.value);
        else if (message.value === "end") return;
        else await connection.send(message.value);
      }
    },
    { kinds },
  );
  const connection = await connect(url, { kinds });
  const value = { text: "größer", bytes: new Uint8Array([1, 2]), at: new Date(5), big: 2n ** 60n, none: null };
  const position = { player: 7, x: 0.5 };
  void connection.send(value);
  void connection.sendKind(1, position);
  void connection.sendKind(2, position);
  void connection.sendBytes(encodeKind(1, Position, position));
  void connection.sendBytes(encode([1]));
  void connection.send("end");
  const messages = [];
  for await (const message of connection) messages.push(message);
  expect(messages).toEqual([
    { kind: 0, value },
    { kind: 1, value: position },
    { kind: 2, value: position },
    { kind: 1, value: position },
    { kind: 0, value: [1] },
  ]);
  expect(await connection.closed).toEqual({ code: 1000, reason: "", error: undefined });
  expect(connection.isOpen).toBe(false);
  expect(await connection.receive()).toBeUndefined();
  expect(errors).toEqual([]);
});

test("a peer without this package: a message is one MessagePack value", async () => {
  const { url } = await served(async (connection) => {
    const message = await connection.receive();
    await connection.send([message!.value]);
  });
  const socket = await rawClient(url);
  const answer = new Promise((resolve) => socket.once("message", resolve));
  socket.send(encode({ a: 1 }));
  expect(new Uint8Array((await answer) as Buffer)).toEqual(encode([{ a: 1 }]));
});

test("a Picker as the decoder: some values of each message, the types from its paths", async () => {
  const picker = new Picker({ route: "/route", body: "/payload" }, { raw: ["body"] });
  const kept: unknown[] = [];
  const { url, errors } = await served(
    async (connection) => {
      for await (const message of connection) {
        if (message.kind === 1) await connection.sendKind(1, message.value);
        else {
          expectTypeOf(message.value).toEqualTypeOf<{ route: unknown; body: Raw | undefined }>();
          kept.push(message.value.route);
          await connection.send({ to: message.value.route ?? null, payload: message.value.body ?? null });
        }
      }
    },
    { kinds: { 1: Position }, decoder: picker },
  );
  const connection = await connect(url, { kinds: { 1: Position } });
  const payload = { list: [1, 2n ** 60n, "x".repeat(1000)] };
  await connection.send({ route: "orders", other: [1, 2], payload });
  await connection.send([1]);
  await connection.sendKind(1, { player: 7, x: 0.5 });
  expect(await connection.receive()).toEqual({ kind: 0, value: { to: "orders", payload } });
  expect(await connection.receive()).toEqual({ kind: 0, value: { to: null, payload: null } });
  expect(await connection.receive()).toEqual({ kind: 1, value: { player: 7, x: 0.5 } });
  expect(kept).toEqual(["orders", undefined]);
  await connection.sendBytes(Uint8Array.of(0x81, 0xa1));
  expect(await connection.closed).toMatchObject({ code: 1007 });
  expect(errors).toEqual([]);
});

test("10,000 messages in order, in both directions at once", async () => {
  const { url } = await served(async (connection) => {
    for await (const { value } of connection) await connection.send(value);
  });
  await using connection = await connect(url);
  const count = 10_000;
  const sending = (async () => {
    for (let n = 0; n < count; n++) await connection.send({ n, text: "a text of some length" });
  })();
  for (let n = 0; n < count; n++) {
    const message = await connection.receive();
    if ((message?.value as { n: number }).n !== n) expect(message).toEqual({ kind: 0, value: { n } });
  }
  await sending;
});

describe("backpressure", () => {
  test("send waits while the peer is slow, and memory stays bounded at both ends", async () => {
    const total = 400;
    const part = new Uint8Array(100_000);
    const begin = gate();
    const ended = gate<number>();
    let most = 0;
    const { url } = await served(async (connection) => {
      await begin.promise;
      let count = 0;
      for await (const { value } of connection) {
        expect((value as Uint8Array).length).toBe(part.length);
        most = Math.max(most, connection.unreadBytes);
        count++;
      }
      ended.open(count);
    });
    const connection = await connect(url);
    let sent = 0;
    let mostBuffered = 0;
    const sending = (async () => {
      for (; sent < total; sent++) {
        await connection.send(part);
        mostBuffered = Math.max(mostBuffered, connection.bufferedBytes);
      }
    })();
    // The system's buffers fill first. Then the sender waits until the receiver begins.
    let before = -1;
    while (before !== sent) {
      before = sent;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    expect(sent).toBeLessThan(total);
    begin.open();
    await sending;
    await connection.close();
    expect(await ended.promise).toBe(total);
    // The limit, one more message, and the rest of the socket's chunk.
    expect(most).toBeLessThan(2 * 0x100000);
    expect(mostBuffered).toBeLessThan(2 * 0x100000);
  });

  test("a sender yields to other connections, however fast its peer is", async () => {
    const { url } = await served(async (connection) => {
      for await (const _ of connection);
    });
    await using connection = await connect(url);
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    const before = performance.now();
    let sent = 0;
    while (turns < 3 && performance.now() - before < 30_000) {
      await connection.send(sent);
      sent++;
    }
    clearInterval(timer);
    expect(turns).toBe(3);
  });

  test("a send without await causes no unhandled rejection when the peer disconnects", async () => {
    const url = await rawServer((socket) => void socket.on("message", () => socket.terminate()));
    const connection = await connect(url);
    void connection.send(1);
    const { error } = await connection.closed;
    expect(error).toMatchObject({ code: "ERR_WEBSOCKET_CLOSED", closeCode: 1006 });
    void connection.send(2);
    expect(await rejection(connection.send(3))).toBe(error);
    expect(await rejection(connection.receive())).toBe(error);
  });
});

describe("closing", () => {
  test("waits until the peer has received everything", async () => {
    const got: unknown[] = [];
    const { url } = await served(async (connection) => {
      for await (const { value } of connection) got.push((value as Uint8Array).length);
    });
    const connection = await connect(url);
    for (let i = 0; i < 50; i++) void connection.send(new Uint8Array(200_000));
    expect(await connection.close(3001, "done")).toEqual({ code: 3001, reason: "done", error: undefined });
    expect(got.length).toBe(50);
    expect(await rejection(connection.send(1))).toMatchObject({ code: "ERR_CLOSED" });
  });

  test("a close code for a failure is an error of the peer's iteration", async () => {
    const { url } = await served(async (connection) => void (await connection.close(4321, "no more")));
    const connection = await connect(url);
    const error = await rejection(connection.receive());
    expect(error).toBeInstanceOf(WebSocketError);
    expect(error).toMatchObject({ code: "ERR_WEBSOCKET_CLOSED", closeCode: 4321, reason: "no more" });
  });

  test("messages that arrived before close can still be read", async () => {
    const { url } = await served(async (connection) => {
      for (let i = 0; i < 3; i++) void connection.send(i);
      await connection.receive();
    });
    const connection = await connect(url);
    await expect.poll(() => connection.unreadBytes).toBeGreaterThan(3 * 64);
    await connection.close();
    const values = [];
    for await (const { value } of connection) values.push(value);
    expect(values).toEqual([0, 1, 2]);
  });

  test("stops waiting for a peer that does not confirm", async () => {
    const url = await rawServer((socket) => void socket.pause());
    const connection = await connect(url, { closeTimeout: 100 });
    expect(await connection.close()).toMatchObject({ code: 1006, error: undefined });
  });

  test("a server closes its connections with 1001", async () => {
    const serving = await served(async (connection) => void (await connection.receive()));
    const connection = await connect(serving.url);
    const ended = connection.receive();
    await serving.close();
    expect(await ended).toBeUndefined();
    expect(await connection.closed).toMatchObject({ code: 1001 });
    expect(serving.connections.size).toBe(0);
  });

  test.each([[1001], [1005], [2999], [5000], [1000.5], ["1000"]])("the code %s is refused", async (code) => {
    const { url } = await served(async (connection) => void (await connection.receive()));
    await using connection = await connect(url);
    expect(() => connection.close(code as number)).toThrow(expect.objectContaining({ code: "ERR_INVALID_ARGUMENT" }));
    expect(() => connection.close(1000, "ö".repeat(62))).toThrow(
      expect.objectContaining({ code: "ERR_INVALID_ARGUMENT" }),
    );
  });
});

describe("a handler that throws", () => {
  test("ends its connection with 1011, and is reported", async () => {
    const bug = new TypeError("a bug");
    const { url, errors } = await served(async () => {
      throw bug;
    });
    const connection = await connect(url);
    expect(await rejection(connection.receive())).toMatchObject({ closeCode: 1011, reason: "" });
    expect(errors).toEqual([bug]);
  });

  test("with the error of its connection is not reported", async () => {
    const ended = gate<unknown>();
    const { url, errors } = await served(async (connection) => {
      await connection.receive().catch((error: unknown) => {
        ended.open(error);
        throw error;
      });
    });
    (await rawClient(url)).terminate();
    expect(await ended.promise).toMatchObject({ code: "ERR_WEBSOCKET_CLOSED" });
    await new Promise((resolve) => setImmediate(resolve));
    expect(errors).toEqual([]);
  });
});

describe("dead peers", () => {
  test("are detected by pings", async () => {
    const ended = gate<unknown>();
    const { url } = await served(
      async (connection) => {
        await connection.receive().catch(ended.open);
      },
      { idleTimeout: 200 },
    );
    // Its socket is not read any more, so it answers neither pings nor the close message.
    const socket = await rawClient(url);
    socket.pause();
    expect(await ended.promise).toMatchObject({ code: "ERR_WEBSOCKET_TIMEOUT" });
  });

  test("a peer that only answers pings stays connected, and so does a slow reader", async () => {
    const { url } = await served(
      async (connection) => {
        await connection.receive();
        await new Promise((resolve) => setTimeout(resolve, 1000));
        for await (const { value } of connection) await connection.send(value);
      },
      { idleTimeout: 300, unreadBytes: 1000 },
    );
    await using idle = await connect(url, { idleTimeout: 300 });
    await using busy = await connect(url, { idleTimeout: 300 });
    for (let i = 0; i < 2000; i++) void busy.send(new Uint8Array(1000));
    let seen = 0;
    while (seen < 1999 && (await busy.receive()) !== undefined) seen++;
    expect([seen, idle.isOpen]).toEqual([1999, true]);
  });
});

describe("abort", () => {
  test("ends the attempt to connect", async () => {
    const reason = new Error("enough");
    expect(await rejection(connect("ws://127.0.0.1:9", { signal: AbortSignal.abort(reason) }))).toMatchObject({
      code: "ERR_ABORTED",
      cause: reason,
    });
  });

  test("ends a connection, and rejects a waiting call", async () => {
    const left = gate<unknown>();
    const { url } = await served(async (connection) => {
      await connection.receive().catch(left.open);
    });
    const controller = new AbortController();
    const connection = await connect(url, { signal: controller.signal });
    const waiting = rejection(connection.receive());
    controller.abort();
    expect(await waiting).toMatchObject({ code: "ERR_ABORTED" });
    expect((await connection.closed).error).toMatchObject({ code: "ERR_ABORTED" });
    expect(await left.promise).toMatchObject({ code: "ERR_WEBSOCKET_CLOSED" });
  });

  test("ends a server with its connections", async () => {
    const controller = new AbortController();
    const left = gate<unknown>();
    const serving = await served(async (connection) => void (await connection.receive().catch(left.open)), {
      signal: controller.signal,
    });
    const connection = await connect(serving.url);
    controller.abort();
    expect(await left.promise).toMatchObject({ code: "ERR_ABORTED" });
    await connection.closed;
    expect(await rejection(connect(serving.url))).toMatchObject({ code: "ERR_WEBSOCKET_CLOSED" });
  });
});

test("a connection that cannot be opened", async () => {
  const { url } = await served(async () => {}, { ws: { port: 0, host: "127.0.0.1", verifyClient: () => false } });
  const error = (await rejection(connect(url))) as WebSocketError;
  expect(error).toMatchObject({ code: "ERR_WEBSOCKET_CLOSED", closeCode: 1006 });
  expect(String(error.cause)).toContain("401");
});

test("an unsupported value is refused at once, and the connection stays open", async () => {
  const { url } = await served(async (connection) => {
    for await (const { value } of connection) await connection.send(value);
  });
  await using connection = await connect(url, { kinds });
  expect(() => connection.send({ a: [() => 1] })).toThrow(expect.objectContaining({ path: "$.a[0]" }));
  expect(() => connection.sendKind(1, { player: -1, x: 0 })).toThrow(expect.objectContaining({ path: "$.player" }));
  expect(() => connection.sendKind(3 as 1, { player: 1, x: 0 })).toThrow(/3 is not a registered kind/);
  void connection.send(1);
  expect(await connection.receive()).toEqual({ kind: 0, value: 1 });
});
