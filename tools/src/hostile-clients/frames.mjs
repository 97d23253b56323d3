// Frames of WebSockets that are not valid, and how a connection begins.

/** One frame of a client, masked with zeros. */
export function frame(opcode, payload, first = 0x80) {
  const { length } = payload;
  const size = length < 126 ? [length] : [126, length >> 8, length & 255];
  return Buffer.concat([Buffer.of(first | opcode, 0x80 | size[0], ...size.slice(1), 0, 0, 0, 0), Buffer.from(payload)]);
}

/** The request with which the connection of a good client becomes a WebSocket, without extensions; undefined for others. */
export function handshakeOf(seed) {
  const head = seed.toString("latin1").split("\r\n\r\n")[0];
  if (!/^upgrade: websocket\r?$/im.test(head)) return undefined;
  // A session of socket.io ends with its client. Without its id there is a new one.
  const own = head.replace(/&sid=[^&\s]*/, "").replace(/^sec-websocket-extensions:.*\r\n/im, "");
  return Buffer.from(`${own}\r\n\r\n`, "latin1");
}

const BAD = [
  Buffer.of(0x82, 0x01, 0xc0), // without a mask
  frame(3, []), // an opcode that does not exist
  frame(2, [0xc0], 0xc0), // a reserved bit
  frame(1, [0xc3, 0x28]), // not UTF-8
  frame(0, [0xc0]), // a continuation of nothing
  frame(1, [0x61], 0), // a part of a message, and then nothing
  Buffer.concat([frame(1, [0x61], 0), frame(1, [0x61])]),
  frame(8, [0x03]), // half a code
  frame(8, [0x03, 0xe7]), // 999
  frame(9, Buffer.alloc(126)), // a ping that is too long
  frame(9, [], 0),
  Buffer.of(0x82, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0), // 2^63 bytes
  Buffer.of(0x82, 0xfe, 0x10),
  frame(2, [0xc1]),
  frame(2, []),
  frame(2, [0x90]),
  frame(2, [0x80]),
  frame(2, [0x01, 0xff]),
  frame(2, Buffer.alloc(9_000, 0x91)),
  frame(1, Buffer.from("text")),
  frame(8, []),
];

/** Frames, each with the way to leave. `messages`: payloads that this server's protocol knows, in the order of one connection. */
export function badFrames(messages) {
  const all = [...BAD.map((bytes) => [bytes]), ...messages.map((one) => one.map((payload) => frame(2, payload)))];
  return all.flatMap((parts) => ["end", "reset-answered", "stay"].map((leave) => ({ parts, leave })));
}
