/** The process that writes until it is killed: programs/writer.mjs. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("../../programs/writer.mjs", import.meta.url));

/** A process ends itself at the moment that it aims at: after 3 s on a quiet machine, after 17 s on a busy one. Later it is killed. */
export const LONGEST_TO_MOMENT_MS = 60_000;

/** The orders for a process. */
export interface Orders {
  readonly path: string;
  readonly backups: string;
  /** The URL of the module whose function `open` opens the store, and the driver that it takes. */
  readonly opener: string;
  readonly driver?: string;
  readonly durability: "sync" | "batch";
  /** The first operation of each client. */
  readonly next: readonly number[];
  readonly aim: Aim;
}

/** The moment at which a process ends itself, or `kind: "none"`. */
export interface Aim {
  readonly kind: string;
  /** That many before are passed over. */
  readonly after: number;
  readonly when: "before" | "during" | "after";
  readonly microseconds: number;
  readonly milliseconds: number;
}

/** The output of a process until it was killed. */
export interface Said {
  readonly isOpen: boolean;
  /** The kind of moment that it aimed at, if it came to that. */
  readonly aimed: string | undefined;
  /** The last operation that was acknowledged, by client; -1 for none. */
  readonly done: readonly number[];
  readonly warnings: readonly string[];
}

/** A process that has loaded its modules and waits for orders. */
export class WriterProcess {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  #text = "";
  /** Its standard error. */
  #errors = "";
  #onText: () => void = () => {};

  constructor() {
    this.#child = spawn(process.execPath, [PROGRAM], { stdio: ["pipe", "pipe", "pipe"] });
    this.#child.stdout!.setEncoding("utf8").on("data", (text: string) => {
      this.#text += text;
      this.#onText();
    });
    this.#child.stderr!.setEncoding("utf8").on("data", (text: string) => {
      this.#errors += text;
    });
    this.#child.stdin!.on("error", () => {});
    // "close" comes when all that it said has been read.
    this.#ended = once(this.#child, "close").finally(() => this.#onText());
  }

  /** Sends the orders, and kills the process after a delay, which may start when its store is open, unless the process ends itself. */
  async run(orders: Orders, when: { readonly start: number } | { readonly open: number }): Promise<Said> {
    await this.#says("ready\n");
    this.#child.stdin!.end(JSON.stringify(orders));
    let milliseconds: number;
    if ("start" in when) milliseconds = when.start;
    else {
      milliseconds = when.open;
      await this.#says("open\n");
    }
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), milliseconds);
    await this.#ended;
    clearTimeout(timer);
    const { signalCode, exitCode } = this.#child;
    if (signalCode !== "SIGKILL")
      throw new Error(
        `the process ended by itself (${signalCode ?? exitCode}): ${this.#errors}${this.#text.slice(-2000)}`,
      );
    return read(this.#text, orders.next.length);
  }

  async #says(text: string): Promise<void> {
    while (!this.#text.includes(text) && this.#child.signalCode === null && this.#child.exitCode === null)
      await new Promise<void>((resolve) => (this.#onText = resolve));
  }

  /** Ends a process that got no orders. */
  async end(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#ended;
  }
}

function read(text: string, clients: number): Said {
  const done = new Array<number>(clients).fill(-1);
  const warnings: string[] = [];
  let isOpen = false;
  let aimed: string | undefined;
  for (const line of text.split("\n")) {
    const [what, ...words] = line.split(" ");
    if (what === "open") isOpen = true;
    else if (what === "aimed") aimed = words[0];
    else if (what === "warning") warnings.push(line);
    else if (what === "done") done[Number(words[0])] = Number(words[1]);
  }
  return { isOpen, aimed, done, warnings };
}
