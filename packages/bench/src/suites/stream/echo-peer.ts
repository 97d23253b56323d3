import type { Socket } from "node:net";
import { encode } from "moonpack";
import { PipelinedWriter } from "moonpack/node";
import { StreamDecoder } from "moonpack/stream";

/** How messages are written: gathered, or each by a `write` of its own. */
export type Mode = "gathered" | "plain";

/** A request, and its answer. */
export interface Message {
  readonly id: number;
  readonly text: string;
}

/** The same on both sides of a connection: decodes what comes, hands it over, and answers how to write. */
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
  // A client that has what it wanted destroys its socket.
  socket.on("error", () => socket.destroy());
  if (mode === "plain") return (message) => void socket.write(encode(message));
  const writer = new PipelinedWriter(socket, maxBatch === undefined ? {} : { maxBatch });
  return (message) => void writer.write(message);
}
