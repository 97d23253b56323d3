/** Hostile packets: each closes only the connection that sent it. */
import { once } from "node:events";
import { connect as connectTcp } from "node:net";
import * as parser from "@moonpack/socket.io-parser";
import { Decoder, type Packet, PacketType } from "@moonpack/socket.io-parser";
import fc from "fast-check";
import { encode, MoonpackError } from "moonpack";
import { describe, expect, onTestFinished, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { event, pair, received, serve } from "./harness/sockets.ts";

const deep = new Uint8Array(100_000).fill(0x91);
const polluting = new Uint8Array([
  ...[0x83, 0xa4, ...Buffer.from("type"), 2, 0xa3, ...Buffer.from("nsp"), 0xa1, 0x2f],
  ...[0xa9, ...Buffer.from("__proto__"), 0x81, 0xa4, ...Buffer.from("data"), 0x91, 0xa1, 0x78],
]);

/** Invalid messages of a peer that is connected to `/`. None may reach the application. */
const INVALID: [string, Uint8Array | string][] = [
  ["text", '2["x"]'],
  ["nothing", new Uint8Array(0)],
  ["a byte that is never used", new Uint8Array([0xc1])],
  ["a value that is not a packet", encode(5)],
  ["nil", encode(null)],
  ["binary", encode(new Uint8Array(3))],
  ["a time", encode(new Date(0))],
  ["a map with keys that are not strings", encode(new Map([[1, 2]]))],
  ["an empty array", encode([])],
  ["an array that is too long", encode([2, "/", ["x"], 1, 1])],
  ["bytes after the packet", new Uint8Array([...encode([2, "/", ["x"]]), 0])],
  ["a packet that ends early", encode([2, "/", ["x", "yyyy"]]).subarray(0, 8)],
  ["an array of 4 billion elements", new Uint8Array([0x93, 2, 0xa1, 0x2f, 0xdd, 0xff, 0xff, 0xff, 0xff])],
  ["100,000 nested arrays", deep],
  ["an unknown extension", new Uint8Array([0x93, 2, 0xa1, 0x2f, 0x92, 0xa1, 0x78, 0xd4, 5, 0])],
  ["text that is not UTF-8", new Uint8Array([0x93, 2, 0xa1, 0x2f, 0x91, 0xa2, 0xc3, 0x28])],
  ["members of a prototype", polluting],
  ...[-1, 1.5, 5, 6, 7, "2", null, true, [2], {}].map((type): [string, Uint8Array] => [
    `type ${JSON.stringify(type)}`,
    encode({ type, nsp: "/", data: ["x"] }),
  ]),
  ...[null, 1, "", "x", ["/"], { toString: "/" }].map((nsp): [string, Uint8Array] => [
    `namespace ${JSON.stringify(nsp)}`,
    encode([2, nsp, ["x"]]),
  ]),
  ["a namespace that it has not joined", encode([2, "/admin", ["x"]])],
  ...[null, "x", 1, {}, [], [null], [{}], [["x"]], [{ toString: "x" }], { length: 1, 0: "x" }, ["connect"]].map(
    (data): [string, Uint8Array] => [`event ${JSON.stringify(data)}`, encode([2, "/", data])],
  ),
  ...["disconnect", "disconnecting", "newListener", "removeListener", "connect_error"].map(
    (name): [string, Uint8Array] => [`event ${name}`, encode([2, "/", [name]])],
  ),
  ...[-1, 1.5, 2 ** 53, "1", "constructor", null, [1], {}].map((id): [string, Uint8Array] => [
    `id ${JSON.stringify(id)}`,
    encode([2, "/", ["x"], id]),
  ]),
  ["an acknowledgement without id", encode([3, "/", []])],
  ["an acknowledgement that is not an array", encode([3, "/", {}, 1])],
  ["a second connection", encode([0, "/"])],
  ["a connection with auth that is not an object", encode([0, "/admin", "token"])],
  ["a disconnection with data", encode([1, "/", ["x"]])],
  ["an error", encode([4, "/", { message: "x" }])],
];

/** Returns a peer with the protocol of engine.io, connected to the namespace `/`. */
async function peer(url: string): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace("http", "ws")}/socket.io/?EIO=4&transport=websocket`);
  onTestFinished(() => socket.terminate());
  await once(socket, "message");
  socket.send(encode([0, "/"]));
  await once(socket, "message");
  return socket;
}

test("each closes its own connection; the server and other clients are unaffected", async () => {
  const served = await serve({ parser, maxHttpBufferSize: 1_000_000 });
  served.server.of("/admin");
  const seen: unknown[] = [];
  served.server.on("connection", (socket) => void socket.onAny((...values) => seen.push(values)));
  const { near, far } = await pair(served, { parser, transports: ["websocket"] });
  const messages: [string, Uint8Array | string][] = [
    ...INVALID,
    ["1 MB", encode([2, "/", ["x", new Uint8Array(2_000_000)]])],
  ];
  for (const [name, message] of messages) {
    const socket = await peer(served.url);
    const closed = once(socket, "close");
    // engine.io's text messages begin with a 4.
    socket.send(typeof message === "string" ? `4${message}` : message);
    await closed;
    expect(seen, name).toEqual([]);
  }
  const got = received(far, "still");
  near.emit("still", "here");
  expect(await got).toEqual(["here"]);
  expect(Object.prototype).not.toHaveProperty("data");
});

test("unusual valid packets are not refused", async () => {
  const served = await serve({ parser });
  const socket = await peer(served.url);
  const [far] = await served.server.fetchSockets();
  const on = served.server.sockets.sockets.get(far!.id)!;
  socket.send(encode([3, "/", ["an answer to nothing"], 7]));
  socket.send(encode([2, "/", ["error", { toString: null }]]));
  socket.send(encode([2, "/", [5, "a number as a name"]]));
  const got = received(on, "x");
  socket.send(encode({ type: 2, nsp: "/", data: ["x", JSON.parse('{"__proto__":{"admin":true}}')], more: 1 }));
  const [value] = (await got) as [object];
  expect(Object.keys(value)).toEqual(["__proto__"]);
  expect("admin" in {}).toBe(false);
});

test("a client closes with the reason parse error", async () => {
  const served = await serve({ parser });
  const { near, far } = await pair(served, { parser, transports: ["websocket"] });
  const left = event(near, "disconnect");
  far.conn.write(encode([2, "/", "x"]) as unknown as string);
  expect(await left).toMatchObject(["parse error", { code: "ERR_SOCKET_IO_PACKET" }]);
});

describe("the decoder alone", () => {
  function outcome(message: Uint8Array): Packet | MoonpackError {
    const decoder = new Decoder();
    let packet: Packet | undefined;
    decoder.on("decoded", (decoded) => {
      packet = decoded;
    });
    try {
      decoder.add(message);
    } catch (error) {
      if (error instanceof MoonpackError) return error;
      throw error;
    }
    return packet!;
  }

  test("every prefix of a packet is refused", () => {
    const whole = encode([2, "/", ["x", { a: [1, "two", new Uint8Array(3)] }], 4]);
    expect(outcome(whole)).toMatchObject({ type: 2, id: 4 });
    for (let length = 0; length < whole.length; length++) {
      const error = outcome(whole.subarray(0, length));
      expect(error).toMatchObject({ code: "ERR_TRUNCATED" });
    }
  });

  test("mutated bytes are a valid packet, or a coded error", () => {
    const whole = encode([2, "/", ["x", { a: [1, "two", new Uint8Array(3)] }], 4]);
    const change = fc.tuple(fc.nat(whole.length - 1), fc.nat(255));
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
        const changed = whole.slice();
        for (const [at, byte] of changes) changed[at] = byte;
        const result = outcome(changed);
        if (result instanceof MoonpackError) return;
        expect(result.nsp).toMatch(/^\//);
        expect([PacketType.EVENT, PacketType.ACK]).toContain(result.type);
        expect(Array.isArray(result.data)).toBe(true);
        expect(Number.isSafeInteger(result.id)).toBe(true);
      }),
    );
  });

  test("anything but bytes and text is refused", () => {
    const decoder = new Decoder();
    for (const message of [null, undefined, 5, {}, [1]])
      expect(() => decoder.add(message as never)).toThrow(expect.objectContaining({ code: "ERR_SOCKET_IO_PACKET" }));
  });
});

test("with the option wsEngine of the page, a flood of pings from a peer that reads nothing ends its connection", async () => {
  const { server, url } = await serve({ parser, wsEngine: WebSocketServer });
  const peer = connectTcp({ host: "127.0.0.1", port: Number(new URL(url).port) });
  onTestFinished(() => void peer.destroy());
  peer.on("error", () => {});
  const head = ["GET /socket.io/?EIO=4&transport=websocket HTTP/1.1", "Host: x", "Upgrade: websocket"];
  head.push("Connection: Upgrade", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "Sec-WebSocket-Version: 13", "", "");
  peer.write(head.join("\r\n"));
  await once(peer, "data");
  peer.pause();
  expect(server.engine.clientsCount).toBe(1);
  peer.write(Buffer.alloc(600_000, Buffer.from([0x89, 0x80, 0, 0, 0, 0])));
  await expect.poll(() => server.engine.clientsCount).toBe(0);
});
