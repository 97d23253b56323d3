import type { Socket } from "node:net";
import { encode } from "moonpack";
import { PipelinedWriter } from "moonpack/node";
import { StreamDecoder } from "moonpack/stream";

/** How messages are written: gathered, or each with its own `write`. */
export type Mode = "gathered" | "plain";

/** A request and its response. */
export interface Message {
  readonly id: number;
  readonly text: string;
}

/** One side of a connection: decodes the input, passes on messages, and returns a function that writes. */
export function peer(
  socket: Socket,
  mode: Mode,
  maxBatch: number | undefined,
  handle: (message: Message) => void,
): (message: Message) => void {
  socket.setNoDelay(true);
  const decoder = new StreamDecoder<Message>();
  socket.on("data", (chunk) => {
    for (const message of decoder.push(chunk)) handle(message);
  });
  // A client that has all its responses destroys its socket.
  socket.on("error", () => socket.destroy());
  if (mode === "plain") return (message) => void socket.write(encode(message));
  const writer = new PipelinedWriter(socket, maxBatch === undefined ? {} : { maxBatch });
  return (message) => void writer.write(message);
}
