// A few workers, each with one message at a time. Messages are bytes whose memory moves: nothing is copied.
import { once } from "node:events";
import { Worker } from "node:worker_threads";

export class Pool {
  #idle = [];
  #waiting = [];
  #workers;

  constructor(script, count) {
    this.#workers = Array.from({ length: count }, () => new Worker(script));
    for (const worker of this.#workers) this.#idle.push(worker);
  }

  /** Resolves with the bytes of the answer. Await it before you make many more: a waiting message is held in memory. */
  async run(bytes) {
    const worker = this.#idle.pop() ?? (await new Promise((resolve) => this.#waiting.push(resolve)));
    try {
      // The second argument lists what moves. `bytes` has length 0 from here on.
      worker.postMessage(bytes, [bytes.buffer]);
      // Rejects if the worker fails outside its `try`.
      const [{ error, answer }] = await once(worker, "message");
      if (error !== undefined) throw new Error(error);
      return answer;
    } finally {
      const next = this.#waiting.shift();
      if (next !== undefined) next(worker);
      else this.#idle.push(worker);
    }
  }

  async close() {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }
}
