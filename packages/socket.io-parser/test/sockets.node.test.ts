/** The parser in real servers and clients of socket.io, over both transports of Node. */

import { codec, f64, schema, u16 } from "@moonpack/pck";
import * as parser from "@moonpack/socket.io-parser";
import { createParser, notepackExtension } from "@moonpack/socket.io-parser";
import { Extensions, encode } from "moonpack";
import type { Server, Socket } from "socket.io";
import * as official from "socket.io-msgpack-parser";
import { describe, expect, test } from "vitest";
import { client, event, pair, received, serve, type Transport } from "./harness/sockets.ts";

const TRANSPORTS: Transport[] = ["websocket", "polling"];
const plain = new Uint8Array([0, 1, 2, 250]);
/** Binary as it arrives in Node. */
const bytes = Buffer.from(plain.buffer);

describe.each(TRANSPORTS)("over %s", (transport) => {
  const transports = [transport];

  test("values of all kinds, acknowledgements in both directions", async () => {
    const served = await serve({ parser });
    const { near, far } = await pair(served, { parser, transports });
    const value = {
      text: "größer",
      list: [1, -1, 1.5, null, true],
      at: new Date(5),
      big: 2n ** 60n,
      __proto__x: {},
      bytes,
    };
    far.on("echo", (...all) => {
      const answer = all.pop() as (...values: unknown[]) => void;
      answer(...all);
    });
    const answered: unknown[] = await new Promise((resolve) =>
      near.emit("echo", { ...value, bytes: plain }, undefined, bytes, plain.buffer, (...values: unknown[]) =>
        resolve(values),
      ),
    );
    expect(answered).toEqual([value, null, bytes, bytes]);

    near.on("ask", (question: string, answer: (value: unknown) => void) => answer({ question, bytes }));
    expect(await far.timeout(60_000).emitWithAck("ask", "why")).toEqual({ question: "why", bytes });
    expect(served.errors).toEqual([]);
  });

  test("namespaces, auth, refused connections", async () => {
    const { server, url } = await serve({ parser });
    server.of("/admin").use((socket, next) => {
      const { token } = socket.handshake.auth as { token?: Uint8Array };
      if (token?.[3] === 250) return next();
      next(Object.assign(new Error("not for you"), { data: { code: 7, bytes } }));
    });
    server.of("/admin").on("connection", (socket) => void socket.emit("welcome", socket.handshake.auth));

    const admitted = client(`${url}/admin`, { parser, transports, auth: { token: plain } });
    expect(await event(admitted, "welcome")).toEqual([{ token: bytes }]);
    const refused = client(`${url}/admin`, { parser, transports });
    const [error] = (await event(refused, "connect_error")) as [Error & { data?: unknown }];
    expect([error.message, error.data]).toEqual(["not for you", { code: 7, bytes }]);
    const [unknown] = await event(client(`${url}/missing`, { parser, transports }), "connect_error");
    expect((unknown as Error).message).toBe("Invalid namespace");
  });

  test("rooms, volatile packets, broadcasts with answers; a broadcast is encoded once", async () => {
    let encoded = 0;
    class Counting extends parser.Encoder {
      override encode(packet: parser.Packet): Uint8Array<ArrayBuffer>[] {
        encoded++;
        return super.encode(packet);
      }
    }
    const served = await serve({ parser: { ...parser, Encoder: Counting } });
    const pairs = [];
    for (let i = 0; i < 3; i++) pairs.push(await pair(served, { parser, transports }));
    for (const { far } of pairs.slice(0, 2)) await far.join("red");

    const got = pairs.map(({ near }) => event(near, "news"));
    encoded = 0;
    served.server.to("red").emit("news", { bytes });
    // A volatile packet is dropped unless the transport can send at once: over polling it seldom can.
    (transport === "websocket" ? pairs[2]!.far.volatile : pairs[2]!.far).emit("news", "only you");
    expect(await Promise.all(got)).toEqual([[{ bytes }], [{ bytes }], ["only you"]]);
    expect(encoded).toBe(2);

    for (const [index, { near }] of pairs.entries()) near.on("count", (answer: (n: number) => void) => answer(index));
    const answers: number[] = await served.server.timeout(60_000).emitWithAck("count");
    expect(answers.toSorted()).toEqual([0, 1, 2]);
  });

  test("thousands of packets in order", async () => {
    const served = await serve({ parser });
    const { near, far } = await pair(served, { parser: createParser({ objects: true }), transports });
    const count = 3000;
    const seen: number[] = [];
    far.on("n", (n: number) => void seen.push(n));
    const last = received(far, "last");
    for (let n = 0; n < count; n++) near.emit("n", n);
    near.emit("last");
    await last;
    expect(seen).toEqual(Array.from({ length: count }, (_, n) => n));
  });
});

test.each([
  ["this parser", parser],
  ["packets as objects", createParser({ objects: true })],
  ["socket.io's own parser", undefined],
  ["socket.io-msgpack-parser", official],
])("binary is a Buffer at both ends in Node with %s", async (_, used) => {
  const options = used === undefined ? {} : { parser: used };
  const served = await serve(options);
  const { near, far } = await pair(served, { ...options, transports: ["websocket"] });
  const seen = received(far, "save");
  const answered = new Promise<unknown[]>((resolve) => near.once("answer", (...values: unknown[]) => resolve(values)));
  near.emit("save", bytes, { list: [{ bytes }] });
  const values = (await seen) as [Buffer, { list: [{ bytes: Buffer }] }];
  far.emit("answer", ...values);
  for (const [first, { list }] of [values, (await answered) as typeof values])
    for (const each of [first, list[0].bytes]) {
      expect(Buffer.isBuffer(each)).toBe(true);
      expect(each.toString("hex")).toBe("000102fa");
    }
});

test("the decoder's option binary is used", async () => {
  const decoder = new (createParser({ decoder: { binary: "copy" } }).Decoder)();
  const seen: unknown[] = [];
  decoder.on("decoded", ({ data }) => seen.push(data));
  decoder.add(encode([2, "/", ["x", bytes]]));
  expect(Buffer.isBuffer((seen as unknown[][])[0]![1])).toBe(false);
});

test("a client moves from polling to a WebSocket", async () => {
  const served = await serve({ parser });
  const { near, far } = await pair(served, { parser });
  if (near.io.engine.transport.name !== "websocket")
    await new Promise((resolve) => near.io.engine.once("upgrade", resolve as () => void));
  const got = received(far, "x");
  near.emit("x", bytes);
  expect(await got).toEqual([bytes]);
});

test("a client that reconnects gets the missed packets", async () => {
  const served = await serve({ parser, connectionStateRecovery: { maxDisconnectionDuration: 60_000 } });
  const { near, far } = await pair(served, {
    parser,
    transports: ["websocket"],
    reconnection: true,
    reconnectionDelay: 10,
    reconnectionDelayMax: 10,
  });
  await far.join("red");
  const first = event(near, "news");
  served.server.emit("news", 1, bytes);
  expect((await first).slice(0, 2)).toEqual([1, bytes]);

  const lost = received(far, "disconnect");
  const missed = event(near, "missed");
  near.io.engine.close();
  await lost;
  served.server.to("red").emit("missed", { bytes });
  expect((await missed)[0]).toEqual({ bytes });
  expect(near.recovered).toBe(true);
});

describe("the ends can be replaced one after the other", () => {
  const ours = createParser({ objects: true, decoder: { extensions: new Extensions().register(notepackExtension) } });
  test.each([
    ["server", ours, official],
    ["client", official, ours],
  ])("our %s, and socket.io-msgpack-parser", async (_, ofServer, ofClient) => {
    const served = await serve({ parser: ofServer });
    const { near, far } = await pair(served, { parser: ofClient, transports: ["websocket"] });
    far.on("echo", (value, answer) => answer(value));
    const value = { text: "a", list: [1.5, null], bytes: Buffer.from(bytes), none: undefined };
    const answer = await near.timeout(60_000).emitWithAck("echo", value);
    expect([answer.text, answer.list, answer.none]).toEqual(["a", [1.5, null], undefined]);
    expect(new Uint8Array(answer.bytes)).toEqual(plain);
    const left = received(far, "disconnect");
    near.disconnect();
    expect((await left)[0]).toBe("client namespace disconnect");
  });
});

test("an unsupported value is an error of emit, and the connection stays open", async () => {
  const served = await serve({ parser });
  const { near, far } = await pair(served, { parser, transports: ["websocket"] });
  const bad = { jobs: [{ done: () => {} }] };
  const expected = expect.objectContaining({ code: "ERR_UNSUPPORTED_TYPE", path: "$[2][1].jobs[0].done" });
  const thrownBy = (call: () => void): unknown => {
    try {
      call();
    } catch (error) {
      return error;
    }
    return undefined;
  };
  expect(thrownBy(() => near.emit("x", bad))).toEqual(expected);
  expect(thrownBy(() => far.emit("x", bad))).toEqual(expected);
  expect(thrownBy(() => served.server.emit("x", bad))).toEqual(expected);
  const got = received(far, "y");
  near.emit("y", 1);
  expect(await got).toEqual([1]);
});

describe("onEncodeError", () => {
  test("gets errors of packets that socket.io encodes later; process and connection survive", async () => {
    const errors: unknown[] = [];
    const lenient = createParser({ onEncodeError: (error, { data }) => errors.push([(error as Error).message, data]) });
    const served = await serve({ parser: lenient, connectionStateRecovery: { maxDisconnectionDuration: 60_000 } });
    const near = client(served.url, {
      parser: lenient,
      transports: ["websocket"],
      reconnection: true,
      reconnectionDelay: 10,
      reconnectionDelayMax: 10,
    });
    const far = new Promise<Socket>((resolve) => served.server.once("connection", resolve));
    // Emitted before the client is connected.
    near.emit("bad", new Set());
    near.emit("good", 1);
    expect(await received(await far, "good")).toEqual([1]);
    expect(errors).toEqual([[expect.stringContaining("$[2][1]"), ["bad", new Set()]]]);

    // Broadcast while the client is disconnected, and sent when it reconnects.
    const first = event(near, "first");
    served.server.emit("first");
    await first;
    const lost = received(await far, "disconnect");
    near.io.engine.close();
    await lost;
    const next = event(near, "next");
    served.server.emit("bad", [undefined]);
    served.server.emit("next", 2);
    expect((await next)[0]).toBe(2);
    expect([near.recovered, errors.length]).toEqual([true, 3]);
  });
});

test("fidelity js keeps undefined, sets and maps; packets without data have none", async () => {
  const rich = createParser({ encoder: { fidelity: "js" }, decoder: { fidelity: "js" } });
  const served = await serve({ parser: rich });
  const { near, far } = await pair(served, { parser: rich, transports: ["websocket"] });
  const got = received(far, "x");
  near.emit("x", undefined, new Set([1]), new Map([[{ a: 1 }, 2]]), { none: undefined });
  const values = await got;
  expect(values).toEqual([undefined, new Set([1]), new Map([[{ a: 1 }, 2]]), { none: undefined }]);
  expect("none" in (values[3] as object)).toBe(true);
});

describe("events with a schema", () => {
  const Move = codec(schema("Move", u16("player"), f64("x")));
  const withEvents = createParser({ events: { move: Move } });

  async function connected(): Promise<Awaited<ReturnType<typeof pair>> & { errors: unknown[]; server: Server }> {
    const served = await serve({ parser: withEvents });
    return { ...(await pair(served, { parser: withEvents, transports: ["websocket"] })), ...served };
  }

  test("the first argument is sent as PCK, the others as MessagePack", async () => {
    const { near, far } = await connected();
    far.on("move", (move, note, answer) => answer(move, note));
    const answered = await new Promise((resolve) =>
      near.emit("move", { player: 3, x: 0.5 }, "note", (...values: unknown[]) => resolve(values)),
    );
    expect(answered).toEqual([{ player: 3, x: 0.5 }, "note"]);
    expect(() => near.emit("move", { player: -1, x: 0 })).toThrow(
      expect.objectContaining({ code: "ERR_OUT_OF_RANGE" }),
    );
    const [packet] = new withEvents.Encoder().encode({ type: 2, nsp: "/", data: ["move", { player: 3, x: 0.5 }] });
    expect(packet.length).toBe(1 + 1 + 2 + 1 + 5 + 2 + 10);
  });

  test.each([
    ["another value", encode([2, "/", ["move", { player: 3, x: 0.5 }]])],
    ["invalid bytes", encode([2, "/", ["move", new Uint8Array(3)]])],
  ])("a peer that sends %s is disconnected", async (_, message) => {
    const { near, far, errors } = await connected();
    const left = received(far, "disconnect");
    near.io.engine.write(message as unknown as string);
    await left;
    expect(errors).toEqual([expect.objectContaining({ code: "ERR_SOCKET_IO_PACKET" })]);
  });
});
