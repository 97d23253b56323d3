// The shells of a tutorial's reader: their output, and programs that keep running.
import { spawn } from "node:child_process";

/** Time limits of a command, and of the output of a program that keeps running. */
const PATIENCE_MS = 240_000;

/** Terminals in one folder. `end` ends everything that still runs there. */
export class Terminals {
  #folder;
  #env;
  #running = new Map();

  constructor(folder, env) {
    this.#folder = folder;
    this.#env = env;
  }

  /** Runs a command to its end. Returns its lines of output, and its exit code if that is not 0. */
  async run(command) {
    const { child, output } = this.#start(command);
    const timer = setTimeout(() => endGroup(child), PATIENCE_MS);
    const status = await new Promise((resolve) => child.on("close", resolve));
    clearTimeout(timer);
    const lines = linesOf(output.text);
    return status === 0 ? lines : [...lines, `(exit code ${status})`];
  }

  /**
   * Ends the program in that terminal and starts the command there. Returns its output once it has as many lines, at
   * least 1.
   */
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

  /** Ends the program in that terminal. */
  async close(terminal) {
    const running = this.#running.get(terminal);
    this.#running.delete(terminal);
    if (running === undefined || running.child.exitCode !== null) return;
    const ended = new Promise((resolve) => running.child.on("close", resolve));
    endGroup(running.child);
    await ended;
  }

  /** Ends all programs. */
  async end() {
    for (const terminal of [...this.#running.keys()]) await this.close(terminal);
  }

  #start(command) {
    // In its own process group: `go run` starts another program, which must end too.
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
    // It has already ended.
  }
}

const linesOf = (text) =>
  text === ""
    ? []
    : text
        .trimEnd()
        .split("\n")
        .map((line) => line.trimEnd());
