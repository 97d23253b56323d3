/**
 * Our PipelinedWriter under the client: all messages of one iteration of the event loop are one write, in reused memory. The client has
 * no interface for it, so this replaces private members of its connections. For measuring only.
 */
import { EventEmitter } from "node:events";
import type { Socket } from "node:net";
import type { Client } from "hazelcast-client";
import { PipelinedWriter } from "moonpack/node";

/** The method of a message that the client's connections call. */
interface ClientMessage {
  toBuffer(): Buffer;
}

/** The promise that settles when the socket has the message. */
interface Resolver {
  resolve(): void;
  reject(error: unknown): void;
}

/** The client's private connection. */
interface Connection {
  readonly socket: Socket;
  writer: EventEmitter & { close(error: Error): void; drainListener?: () => void };
  readonly writeListener: (() => void) | null;
  readonly incrementBytesWrittenFn: (bytes: number) => void;
}

/** The client's private parts that lead to its connections. */
interface PrivateClient {
  readonly connectionRegistry: { getConnections(): Connection[] };
}

/** In the place of the client's own writer. */
class BatchedWriter extends EventEmitter {
  readonly #writer: PipelinedWriter;
  readonly #socket: Socket;
  readonly #count: (bytes: number) => void;

  constructor({ socket, incrementBytesWrittenFn }: Connection) {
    super();
    this.#socket = socket;
    this.#count = incrementBytesWrittenFn;
    // Messages above it are passed through, as the client does above its own threshold of 64 KiB.
    this.#writer = new PipelinedWriter(socket, { bufferSize: 65_536, threshold: 65_536 });
  }

  write(message: ClientMessage, resolver: Resolver): void {
    const bytes = message.toBuffer();
    try {
      this.#writer.writeBytes(bytes);
    } catch (error) {
      return resolver.reject(error);
    }
    this.#count(bytes.length);
    this.emit("write");
    resolver.resolve();
  }

  close(): void {
    this.#socket.destroy();
  }
}

/** Replaces the writers of a connected client without pending messages. Later connections keep theirs. */
export function writeInBatches(client: Client): void {
  const connections = (client as unknown as PrivateClient).connectionRegistry.getConnections();
  if (connections.length === 0) throw new Error("the client has no connection whose writer could be replaced");
  for (const connection of connections) {
    const { writer, socket, writeListener } = connection;
    if (writer.drainListener === undefined || writeListener === null)
      throw new Error("the client's connections are not those whose writers can be replaced");
    socket.off("drain", writer.drainListener);
    writer.off("write", writeListener);
    connection.writer = new BatchedWriter(connection).on("write", writeListener);
  }
}
