// The shells of whoever follows a tutorial: what they print, programs that stay, and their end.
import { spawn } from "node:child_process";

/** How long a command may take, and how long it is waited for what a program that stays prints. */
const PATIENCE_MS = 240_000;

/** Terminals that stand in a folder. `end` ends all that still runs there. */
export class Terminals {
  #folder;
  #env;
  #running = new Map();

  constructor(folder, env) {
    this.#folder = folder;
    this.#env = env;
  }

  /** Runs a command to its end; answers the lines that it printed, and its exit code where that is not 0. */
  async run(command) {
    const { child, output } = this.#start(command);
    const timer = setTimeout(() => endGroup(child), PATIENCE_MS);
    const status = await new Promise((resolve) => child.on("close", resolve));
    clearTimeout(timer);
    const lines = linesOf(output.text);
    return status === 0 ? lines : [...lines, `(exit code ${status})`];
  }

  /** Ends what runs in that terminal, starts the command there; answers what it printed once that is so many lines, 1 at least. */
  async stay(terminal, command, count) {
    await this.close(terminal);
    const started = this.#start(command);
    this.#running.set(terminal, started);
    const { child, output } = started;
    const end = performance.now() + PATIENCE_MS;
    while (linesOf(output.text).length < Math.max(count, 1) && child.exitCode === null && performance.now() < end)
      await new Promise((resolve) => setTimeout(resolve, 20));
    const lines = linesOf(output.text);
    return child.exitCode === null ? lines : [...lines, `(exit code ${child.exitCode})`];
  }

  /** Ends what runs in that terminal. */
  async close(terminal) {
    const running = this.#running.get(terminal);
    this.#running.delete(terminal);
    if (running === undefined || running.child.exitCode !== null) return;
    const ended = new Promise((resolve) => running.child.on("close", resolve));
    endGroup(running.child);
    await ended;
  }

  /** Ends everything. */
  async end() {
    for (const terminal of [...this.#running.keys()]) await this.close(terminal);
  }

  #start(command) {
    // A group of its own: `go run` starts another program, which has to end too.
    const child = spawn(command, {
      cwd: this.#folder,
      env: this.#env,
      shell: true,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const output = { text: "" };
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text) => {
        output.text += text;
      });
    return { child, output };
  }
}

function endGroup(child) {
  try {
    process.kill(-child.pid, "SIGTERM");
  } catch {
    // It has ended by itself.
  }
}

const linesOf = (text) =>
  text === ""
    ? []
    : text
        .trimEnd()
        .split("\n")
        .map((line) => line.trimEnd());
