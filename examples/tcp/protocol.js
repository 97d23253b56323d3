// A request is [id, method, ...arguments], a response [id, error, result]. Responses come in any order. No framing is needed,
// because a MessagePack message contains its own length.
import { DecodeStream, PipelinedWriter } from "moonpack/node";

/** Serves the methods of `handlers` on a socket until the client ends its side. */
export function serve(socket, handlers, { pipelining = true } = {}) {
  socket.setNoDelay(true);
  const writer = new PipelinedWriter(socket, { enabled: pipelining });
  const pending = new Set();
  const respond = async ([id, method, ...args]) => {
    let message;
    try {
      if (!Object.hasOwn(handlers, method)) throw new Error(`no method ${method}`);
      message = [id, null, (await handlers[method](...args)) ?? null];
    } catch (error) {
      message = [id, error.message, null];
    }
    // Requests are not read faster than responses are sent.
    if (!writer.write(message)) {
      requests.pause();
      await writer.drain();
      requests.resume();
    }
  };
  const requests = socket.pipe(new DecodeStream());
  requests.on("data", (request) => {
    const done = respond(request).catch(() => socket.destroy());
    pending.add(done);
    done.then(() => pending.delete(done));
  });
  requests.on("error", () => socket.destroy()); // invalid MessagePack, or an incomplete message
  requests.on("end", async () => {
    await Promise.all(pending);
    await writer.close({ end: true }).catch(() => undefined);
  });
  socket.on("error", () => requests.destroy());
  return writer;
}

/** A client of `serve`. Any number of calls may be pending at a time. */
export class Client {
  #writer;
  #calls = new Map();
  #nextId = 0;

  constructor(socket, { pipelining = true } = {}) {
    socket.setNoDelay(true);
    this.#writer = new PipelinedWriter(socket, { enabled: pipelining });
    const responses = socket.pipe(new DecodeStream());
    responses.on("data", (response) => {
      if (!Array.isArray(response)) return fail(new Error("invalid response"));
      const [id, error, result] = response;
      const call = this.#calls.get(id);
      this.#calls.delete(id);
      if (error === null) call?.resolve(result);
      else call?.reject(new Error(error));
    });
    const fail = (error) => {
      for (const { reject } of this.#calls.values()) reject(error);
      this.#calls.clear();
      socket.destroy();
    };
    responses.on("error", fail);
    socket.on("error", fail);
    socket.on("close", () => fail(new Error("the connection is closed")));
  }

  /** Calls a method. Arguments that cannot be encoded reject only this call. */
  call(method, ...args) {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#calls.set(id, { resolve, reject });
      try {
        this.#writer.write([id, method, ...args]);
      } catch (error) {
        this.#calls.delete(id);
        reject(error);
      }
    });
  }

  /** Ends the client's side. Pending calls still get their responses. */
  async close() {
    await this.#writer.close({ end: true });
  }

  /** Counters of the bytes, messages and writes so far. */
  stats() {
    return this.#writer.stats();
  }
}
