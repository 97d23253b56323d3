/** A target: a TCP server that echoes all bytes. */
import { connect, type Socket } from "node:net";
import { countOption, flagOption, invalidArgument, ownOptions, refuseUnknown } from "moonpack/bytes";
import { PipelinedWriter } from "moonpack/node";
import type { Context, Target } from "../target.js";
import { bytesOf, type Codec, codecOption, isSame } from "./codec.js";
import { textOption } from "./target-options.js";

/** Options of {@link tcpEcho}. */
export interface TcpEchoOptions {
  /** The port of the server, 1 to 65,535. */
  readonly port: number;
  /** Default `"127.0.0.1"`. */
  readonly host?: string;
  /** Number of connections, which operations use in turn. Default 1. */
  readonly connections?: number;
  /** Encodes the value of each operation, and decodes the echo. By default values are encoded once, before the run. */
  readonly codec?: Codec;
  /** Sends the messages of one iteration of the event loop with one write. Default true. */
  readonly gather?: boolean;
  /** Default `tcp://host:port`. */
  readonly name?: string;
}

/**
 * Returns a target for a server that echoes every byte, such as `socat TCP-LISTEN:7000,fork,reuseaddr EXEC:cat`. An operation sends a
 * value and ends when the same number of bytes has come back. `get` and `set` do the same. A lost connection fails its operations.
 * Throws `ERR_INVALID_ARGUMENT` for invalid or unknown options.
 *
 * @example
 * const result = await load(tcpEcho({ port: 7000 }), { payload: 1024 });
 */
export function tcpEcho(options: TcpEchoOptions): Target {
  const given = ownOptions(options);
  refuseUnknown(given, OPTIONS);
  const host = textOption("host", given.host, "127.0.0.1");
  const gather = flagOption("gather", given.gather, true);
  const codec = codecOption(given.codec);
  const port = countOption("port", given.port, 0, 1, 65_535) || missingPort();
  const connections = countOption("connections", given.connections, 1, 1, MAX_CONNECTIONS);
  const name = textOption("name", given.name, `tcp://${host}:${port}`);
  let open: Connection[] = [];
  let next = 0;
  let encoded: (key: number) => Uint8Array = () => new Uint8Array();
  let expected: (key: number) => unknown = () => undefined;
  const send = async (bytes: Uint8Array) => {
    const back = await open[next++ % open.length]!.send(bytes);
    return codec === undefined ? back : codec.decode(back);
  };
  return {
    name,
    async setup({ value }: Context) {
      expected = value;
      encoded = codec === undefined ? memoized(value) : (key) => codec.encode(value(key));
      open = await Promise.all(Array.from({ length: connections }, () => Connection.to(host, port, gather)));
    },
    get: (key) => send(encoded(key)),
    set: (key) => send(encoded(key)),
    check: (key, result) =>
      codec === undefined
        ? Buffer.compare(result as Uint8Array, encoded(key)) === 0
        : isSame(result, codec.decode(codec.encode(expected(key)))),
    async close() {
      for (const connection of open) connection.close();
      open = [];
    },
  };
}

const OPTIONS = ["port", "host", "connections", "codec", "gather", "name"];
const MAX_CONNECTIONS = 65_536;

function missingPort(): never {
  throw invalidArgument("port is missing");
}

/** Encodes each different value once. */
function memoized(value: (key: number) => unknown): (key: number) => Uint8Array {
  const known = new Map<unknown, Uint8Array>();
  return (key) => {
    const one = value(key);
    let bytes = known.get(one);
    if (bytes === undefined) {
      bytes = bytesOf(one, undefined);
      known.set(one, bytes);
    }
    return bytes;
  };
}

/** A message in flight. Echoes arrive in the order of messages. */
interface Pending {
  readonly size: number;
  readonly resolve: (bytes: Uint8Array) => void;
  readonly reject: (error: Error) => void;
}

const NOTHING = new Uint8Array();

class Connection {
  readonly #socket: Socket;
  readonly #writer: PipelinedWriter;
  #pending: Pending[] = [];
  #first = 0;
  /** The received bytes of the first message. */
  #parts: Uint8Array[] = [];
  #received = 0;
  #failure: Error | undefined;

  /** @internal */
  constructor(socket: Socket, gather: boolean) {
    this.#socket = socket;
    this.#writer = new PipelinedWriter(socket, { enabled: gather });
    socket.on("data", (chunk) => this.#receive(chunk));
    socket.on("error", (error) => this.#fail(error));
    socket.on("close", () => this.#fail(lost()));
  }

  static async to(host: string, port: number, gather: boolean): Promise<Connection> {
    const socket = connect({ host, port, noDelay: true });
    await new Promise<void>((resolve, reject) => socket.once("connect", resolve).once("error", reject));
    return new Connection(socket, gather);
  }

  /** Sends bytes. Resolves with their echo. */
  send(bytes: Uint8Array): Promise<Uint8Array> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    // An empty message has no echo.
    if (bytes.length === 0) return Promise.resolve(NOTHING);
    return new Promise((resolve, reject) => {
      this.#pending.push({ size: bytes.length, resolve, reject });
      this.#writer.writeBytes(bytes);
    });
  }

  close(): void {
    this.#failure ??= lost();
    this.#socket.destroy();
  }

  #receive(chunk: Uint8Array): void {
    let from = 0;
    while (from < chunk.length && this.#first < this.#pending.length) {
      const { size, resolve } = this.#pending[this.#first]!;
      const to = Math.min(chunk.length, from + size - this.#received);
      const part = chunk.subarray(from, to);
      this.#received += part.length;
      from = to;
      if (this.#received < size) {
        this.#parts.push(part);
        return;
      }
      resolve(this.#parts.length === 0 ? part : joined([...this.#parts, part], size));
      this.#parts.length = 0;
      this.#received = 0;
      this.#first++;
    }
    if (this.#first === this.#pending.length) {
      this.#pending.length = 0;
      this.#first = 0;
    } else if (this.#first > REMOVAL_BATCH) this.#first -= this.#pending.splice(0, this.#first).length;
    if (from < chunk.length) this.#fail(new Error("the server sent more than it received"));
  }

  #fail(error: Error): void {
    if (this.#failure === undefined) {
      this.#failure = error;
      this.#socket.destroy();
    }
    for (const { reject } of this.#pending.splice(0).slice(this.#first)) reject(this.#failure);
    this.#first = 0;
  }
}

/** Finished messages are removed in batches. */
const REMOVAL_BATCH = 1024;

function joined(parts: readonly Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function lost(): Error {
  return Object.assign(new Error("the connection was lost"), { code: "ECONNRESET" });
}
