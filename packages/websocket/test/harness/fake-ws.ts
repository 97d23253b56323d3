/** A WebSocket of ws whose peer reads nothing: sent messages stay buffered. */
import { EventEmitter } from "node:events";
import type { WebSocket } from "ws";

export interface FakeWebSocket {
  /** The socket, for `attach`. */
  readonly socket: WebSocket;
  /** The number of waiting messages. */
  sent(): number;
  /** The number of waiting pings. */
  pings(): number;
  /** The peer answers the last ping. */
  answer(): void;
  /** A message arrives from the peer. */
  receive(bytes: Buffer): void;
}

export function fakeWebSocket(): FakeWebSocket {
  let sent = 0;
  let pings = 0;
  let pinged: Buffer = Buffer.alloc(0);
  const events = new EventEmitter();
  const fake = Object.assign(events, {
    readyState: 1,
    bufferedAmount: 0,
    send(data: Uint8Array): void {
      sent++;
      fake.bufferedAmount += data.length;
    },
    ping(data: Buffer): void {
      pings++;
      pinged = data;
    },
    pong: () => {},
    pause: () => {},
    resume: () => {},
    close: () => fake.terminate(),
    terminate(): void {
      fake.readyState = 3;
      fake.bufferedAmount = 0;
      events.emit("close", 1006, Buffer.alloc(0));
    },
  });
  return {
    socket: fake as unknown as WebSocket,
    sent: () => sent,
    pings: () => pings,
    answer: () => void events.emit("pong", pinged),
    receive: (bytes) => void events.emit("message", bytes, true),
  };
}
