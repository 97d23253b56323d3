/** A WebSocket of ws whose peer reads nothing: what is sent stays. */
import { EventEmitter } from "node:events";
import type { WebSocket } from "ws";

export interface FakeWebSocket {
  /** Takes the part of the WebSocket. */
  readonly socket: WebSocket;
  /** How many messages wait. */
  sent(): number;
  /** How many pings wait. */
  pings(): number;
  /** The peer answers the last ping. */
  answer(): void;
  /** A message comes from the peer. */
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
