import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/**
 * A measuring process that works only when it is asked to. Several of them take turns of some milliseconds, so that each has its
 * own compiled code, feedback and heap, and a change of the machine (clock speed, other processes) affects all of them equally.
 */
export class Companion<Request, Reply> {
  readonly #child: ChildProcess;
  readonly #stop = (): void => {
    this.#child.kill();
  };

  /** Starts the script, which calls {@link serveCompanion}, in this Node or another one. */
  constructor(script: URL, args: readonly string[], execPath = process.execPath) {
    this.#child = fork(fileURLToPath(script), [...args], { execPath, execArgv: ["--expose-gc"] });
    // If the runner ends early, its child must not stay.
    process.once("exit", this.#stop);
  }

  /** Returns the answer to a request. Requests are made one after the other. */
  async ask(request: Request): Promise<Reply> {
    const ended = new AbortController();
    const answered = once(this.#child, "message", { signal: ended.signal }) as Promise<[Reply]>;
    const failed = once(this.#child, "exit", { signal: ended.signal }) as Promise<[number | null]>;
    try {
      this.#child.send(request as object);
      const first = await Promise.race([answered.then(([reply]) => ({ reply })), failed.then(([code]) => ({ code }))]);
      if ("code" in first) throw new Error(`the measuring process ended with ${first.code}`);
      return first.reply;
    } finally {
      ended.abort();
      for (const each of [answered, failed]) each.catch(() => undefined);
    }
  }

  /** Ends the process. */
  async end(): Promise<void> {
    process.removeListener("exit", this.#stop);
    const exited = once(this.#child, "exit");
    this.#child.disconnect();
    await exited;
  }
}

/** In the process of a {@link Companion}: answers its requests until it is ended. */
export function serveCompanion<Request, Reply>(answer: (request: Request) => Reply): void {
  process.on("message", (request) => process.send!(answer(request as Request) as object));
}
