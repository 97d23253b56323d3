// Attacks a server: garbage, the messages of a good client cut, changed and cut off by a reset, invalid bodies and frames. The
// server must survive all of them; its answers are not checked.
import { connect } from "node:net";
import { badFrames, handshakeOf } from "./frames.mjs";
import { badRequests, MSGPACK_BODIES } from "./requests.mjs";

/** How long a hostile client waits for an answer, and for the end of a connection. */
const PATIENCE_MS = 150;
/** An answer is complete when no more of it has arrived for this many milliseconds. */
const QUIET_MS = 5;
const AT_A_TIME = 16;
/** The most connections of a good client that are tried. */
const MAX_SEEDS = 5;

/** Attacks the server at this port. `seeds`: messages of a good client's connections. Resolves to the number of visits. */
export async function attack(port, seeds, frames = []) {
  const visits = [...garbage(), ...unique(seeds).flatMap((seed) => changed(seed, frames))];
  const left = visits.values();
  const client = async () => {
    for (const { parts, leave } of left) await visit(port, parts, leave);
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, client));
  return visits.length;
}

/**
 * Sends parts on one connection, each after the answer to the one before. `leave`: `end` closes the sending side, `reset` resets at
 * once, `answered` waits for the first bytes of an answer, `reset-answered` resets then, `stay` waits for the end. Resolves to what
 * came back, after `patience` for each part at most.
 */
export function visit(port, parts, leave, patience = PATIENCE_MS) {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    const answers = [];
    const left = [...parts];
    const limit = setTimeout(() => socket.destroy(), patience * parts.length);
    let quiet;
    const continueOrLeave = () => {
      if (left.length > 0) send();
      else if (leave === "reset-answered") socket.resetAndDestroy();
      else if (leave === "answered") socket.destroy();
    };
    const send = () =>
      socket.write(left.shift(), () => {
        if (left.length > 0) return;
        if (leave === "end") socket.end();
        else if (leave === "reset") socket.resetAndDestroy();
      });
    socket.on("error", () => undefined); // the server may refuse in any way
    socket.on("data", (answer) => {
      answers.push(answer);
      clearTimeout(quiet);
      quiet = setTimeout(continueOrLeave, QUIET_MS);
    });
    socket.on("end", () => socket.end());
    socket.on("close", () => {
      clearTimeout(limit);
      clearTimeout(quiet);
      resolve(Buffer.concat(answers));
    });
    send();
  });
}

const unique = (seeds) =>
  [...new Map(seeds.map((seed) => [seed.toString("latin1"), seed])).values()].slice(0, MAX_SEEDS);

/** Bytes that are of no protocol, or of another one. */
function garbage() {
  const kinds = [
    [0xc1],
    [0x92, 0x01],
    [0xdd, 0xff, 0xff, 0xff, 0xff],
    [0x16, 0x03, 0x01, 0x02, 0x00, 0x01], // the beginning of TLS
    [0xc0], // a MessagePack nil, where an object may be expected
    [0x90],
    [0x80],
    Buffer.alloc(64, 0xff),
    Buffer.alloc(70_000, 0x91),
    "GET",
    "\r\n\r\n\0",
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    [],
  ].map((kind) => Buffer.from(kind));
  return kinds.flatMap((bytes) => ["end", "reset", "answered"].map((leave) => ({ parts: [bytes], leave })));
}

/** A good client's bytes: cut, reset, with one byte changed; and requests and frames that are not valid in the same place. */
function changed(seed, frames) {
  const visits = [];
  for (let i = 1; i <= 8; i++) {
    const bytes = seed.subarray(0, Math.floor((seed.length * i) / 8) - (i % 2));
    for (const leave of ["end", "reset", "answered", "reset-answered"]) visits.push({ parts: [bytes], leave });
  }
  for (let i = 0; i < 24; i++) {
    const bytes = Buffer.from(seed);
    // Most of the changes at the end, where a body is.
    const at = i % 3 === 0 ? (i * 31) % seed.length : seed.length - 1 - (i % Math.min(24, seed.length));
    bytes[at] ^= [0xff, 0x80, 0x01][i % 3];
    visits.push({ parts: [bytes], leave: "answered" });
  }
  visits.push({ parts: [seed, Buffer.of(0xc1)], leave: "end" });
  // More than is answered at once, then gone.
  const many = Buffer.concat(Array.from({ length: 200 }, () => seed));
  for (const leave of ["end", "reset", "reset-answered"]) visits.push({ parts: [many], leave });
  // The last value of a message of MessagePack is another one.
  for (const value of MSGPACK_BODIES) visits.push({ parts: [seed.subarray(0, -1), value], leave: "end" });
  for (const bytes of badRequests(seed)) visits.push({ parts: [bytes], leave: "answered" });
  const handshake = handshakeOf(seed);
  if (handshake === undefined) return visits;
  for (const { parts, leave } of badFrames(frames)) visits.push({ parts: [handshake, ...parts], leave });
  return visits;
}
