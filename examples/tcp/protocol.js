// Requests are [id, method, ...arguments]; answers are [id, error, result], in any order. Neither needs a frame: a
// MessagePack message says itself where it ends.
import { DecodeStream, PipelinedWriter } from "moonpack/node";

/** Serves the methods of `handlers` on a socket, until the client ends its side. */
export function serve(socket, handlers, { pipelining = true } = {}) {
  socket.setNoDelay(true);
  const writer = new PipelinedWriter(socket, { enabled: pipelining });
  const pending = new Set();
  const answer = async ([id, method, ...args]) => {
    let message;
    try {
      if (!Object.hasOwn(handlers, method)) throw new Error(`no method ${method}`);
      message = [id, null, (await handlers[method](...args)) ?? null];
    } catch (error) {
      message = [id, error.message, null];
    }
    // Requests are read no faster than answers leave.
    if (!writer.write(message)) {
      requests.pause();
      await writer.drain();
      requests.resume();
    }
  };
  const requests = socket.pipe(new DecodeStream());
  requests.on("data", (request) => {
    const done = answer(request).catch(() => socket.destroy());
    pending.add(done);
    done.then(() => pending.delete(done));
  });
  requests.on("error", () => socket.destroy()); // not MessagePack, or cut
  requests.on("end", async () => {
    await Promise.all(pending);
    await writer.close({ end: true }).catch(() => undefined);
  });
  socket.on("error", () => requests.destroy());
  return writer;
}

/** A client of `serve`: `call` any number of methods at a time. */
export class Client {
  #writer;
  #calls = new Map();
  #nextId = 0;

  constructor(socket, { pipelining = true } = {}) {
    socket.setNoDelay(true);
    this.#writer = new PipelinedWriter(socket, { enabled: pipelining });
    const answers = socket.pipe(new DecodeStream());
    answers.on("data", (answer) => {
      if (!Array.isArray(answer)) return fail(new Error("no answer"));
      const [id, error, result] = answer;
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
    answers.on("error", fail);
    socket.on("error", fail);
    socket.on("close", () => fail(new Error("the connection is closed")));
  }

  /** Calls a method; what cannot be encoded rejects this call alone. */
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

  /** Ends the client's side; answers to calls that are under way still come. */
  async close() {
    await this.#writer.close({ end: true });
  }

  /** Counters of what was written. */
  stats() {
    return this.#writer.stats();
  }
}
