/** Helpers of the tests of Node streams and sockets. */
import { once } from "node:events";
import { createServer, connect as dial, type Server, type Socket } from "node:net";
import { Writable } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { cutAt } from "@moonpack/harness/cuts.ts";
import { randomSource } from "@moonpack/harness/random.ts";
import { MoonpackError } from "moonpack";

/** Waits some turns of the event loop, for pending events to happen. */
export async function turns(count = 5): Promise<void> {
  for (let i = 0; i < count; i++) await turn();
}

/** A Writable that keeps its chunks, and takes the next one when `next` is called; at once unless `isSlow`. */
export class Sink extends Writable {
  readonly chunks: unknown[] = [];
  next: (() => void) | null = null;
  isSlow = false;

  override _write(chunk: unknown, _encoding: BufferEncoding, callback: () => void): void {
    this.chunks.push(chunk);
    if (this.isSlow) this.next = callback;
    else callback();
  }

  get bytes(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(Buffer.concat(this.chunks as Uint8Array[]));
  }
}

/** The code of the error that a promise rejects with. */
export async function codeOf(promise: Promise<unknown>): Promise<string | undefined> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof MoonpackError) return error.code;
    return (error as { code?: string }).code ?? String(error);
  }
  return undefined;
}

/** A server on a free port of this machine, for one test. */
export async function listen(handle: (socket: Socket) => void): Promise<{ server: Server; port: number }> {
  const server = createServer({ allowHalfOpen: true }, handle);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, port: (server.address() as { port: number }).port };
}

/** A connected socket. */
export async function connect(port: number): Promise<Socket> {
  const socket = dial({ port, host: "127.0.0.1", allowHalfOpen: true, noDelay: true });
  await once(socket, "connect");
  return socket;
}

/** The bytes in random parts, also empty ones; the same parts for the same seed. */
export function randomParts(bytes: Uint8Array, seed: number, count = 12): Uint8Array[] {
  const random = randomSource(seed);
  const offsets = Array.from({ length: random(count + 1) }, () => random(bytes.length + 1)).sort((a, b) => a - b);
  return cutAt(bytes, offsets);
}
