import { unlinkSync } from "node:fs";
import { isatty } from "node:tty";
import { type MessagePort, receiveMessageOnPort } from "node:worker_threads";
import type { Notice } from "./supervisor.js";

/** Returns to the start of the line, clears it and turns line wrapping on: this removes a progress bar. */
const NO_BAR = "\r\x1b[K\x1b[?7h";

/** The files and processes that the command would leave behind if it ended now, as its thread has reported. */
export class Leftovers {
  readonly #files = new Set<string>();
  readonly #children = new Set<number>();
  readonly #port: MessagePort;
  #hasBar = false;

  constructor(port: MessagePort) {
    this.#port = port;
    port.on("message", (notice: Notice) => this.#take(notice));
    port.unref();
  }

  /**
   * Removes everything, and sends the signal to child processes. Synchronous, so that it works while the process is
   * ending.
   */
  remove(signal?: NodeJS.Signals): void {
    // The last notices may not have been delivered yet.
    for (
      let received = receiveMessageOnPort(this.#port);
      received !== undefined;
      received = receiveMessageOnPort(this.#port)
    )
      this.#take(received.message);
    if (this.#hasBar && isatty(2)) process.stderr.write(NO_BAR);
    this.#hasBar = false;
    for (const path of this.#files) attempt(() => unlinkSync(path));
    this.#files.clear();
    for (const pid of this.#children) if (signal !== undefined) attempt(() => process.kill(pid, signal));
  }

  #take(notice: Notice): void {
    if (notice.kind === "file") this.#files.add(notice.path);
    else if (notice.kind === "fileGone") this.#files.delete(notice.path);
    else if (notice.kind === "child") this.#children.add(notice.pid);
    else if (notice.kind === "childGone") this.#children.delete(notice.pid);
    else if (notice.kind === "bar") this.#hasBar = notice.isShown;
  }
}

/** Runs an action on a file or process that may already be gone. */
function attempt(act: () => void): void {
  try {
    act();
  } catch {
    // Already gone: nothing is left behind.
  }
}
