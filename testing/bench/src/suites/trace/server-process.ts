/** A server in its own process, and requests to it. */
import autocannon from "autocannon";
import { Companion } from "../../measure/companion.js";
import type { ServerJob, ServerReply, ServerRequest } from "./servers/child.js";

const CHILD = new URL("./servers/child.js", import.meta.url);

/** The cost of a number of requests. */
export interface Turn {
  /** Microseconds of the server's processor for a request, all threads and the kernel included. */
  readonly processor: number;
  /** Requests per second. */
  readonly rate: number;
}

/** A running server. */
export class ServerProcess {
  readonly #companion: Companion<{ ask: ServerRequest }, { reply: ServerReply }>;
  readonly #url: string;

  constructor(companion: Companion<{ ask: ServerRequest }, { reply: ServerReply }>, url: string) {
    this.#companion = companion;
    this.#url = url;
  }

  /** Starts a server in a Node. */
  static async start(job: ServerJob, executable: string, path = "/"): Promise<ServerProcess> {
    const companion = new Companion<{ ask: ServerRequest }, { reply: ServerReply }>(
      CHILD,
      [JSON.stringify(job)],
      executable,
    );
    const { reply: port } = await companion.ask({ ask: "port" });
    return new ServerProcess(companion, `http://127.0.0.1:${port}${path}`);
  }

  /** Sends requests, each of `connections` the next one when it has a response. Throws if one fails. */
  async turn(amount: number, connections: number): Promise<Turn> {
    const before = await this.#processor();
    const start = performance.now();
    let end = start;
    // autocannon sees only once in `sampleInt` milliseconds that all is done.
    const { non2xx, errors, timeouts } = await new Promise<autocannon.Result>((resolve, reject) => {
      autocannon({ url: this.#url, amount, connections, sampleInt: 20 }, (error: Error | null, result) =>
        error === null ? resolve(result) : reject(error),
      ).on("response", () => {
        end = performance.now();
      });
    });
    const processor = (await this.#processor()) - before;
    if (non2xx + errors + timeouts > 0) throw new Error(`${this.#url}: ${non2xx + errors + timeouts} requests failed`);
    return { processor: processor / amount, rate: (amount / (end - start)) * 1000 };
  }

  /** The text of a response to a request with an id, or without one. */
  async ask(path: string, id?: string): Promise<string> {
    const response = await fetch(new URL(path, this.#url), id === undefined ? {} : { headers: { "X-Request-Id": id } });
    return response.text();
  }

  /** The lines that were logged since the last call. */
  async lines(): Promise<string[]> {
    return (await this.#companion.ask({ ask: "lines" })).reply as string[];
  }

  async end(): Promise<void> {
    await this.#companion.end();
  }

  async #processor(): Promise<number> {
    return (await this.#companion.ask({ ask: "processor" })).reply as number;
  }
}
