// A terminal: runs one line after the other. Servers stay until the end.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** Lines whose programs may stay: those in the background, and an example's server. */
const MAY_STAY = /&$|^node (?:server|start)\.js\b/;
/** How long a line may take to end, or to show that it works, ms. */
const PATIENCE = 180_000;

export class Shell {
  #cwd;
  #env;
  #ports;
  #children = [];

  /** `ports` are those that the servers may listen on. */
  constructor(cwd, env, ports) {
    this.#cwd = cwd;
    this.#env = env;
    this.#ports = new Set(ports);
  }

  /**
   * Runs a line until it ends or, for a server, until it prints a line or listens. A page that it names must answer. Throws if it
   * fails.
   */
  async run(line) {
    for (const port of this.#ports) if (await listens(port)) this.#ports.delete(port); // an earlier program's
    const options = { cwd: this.#cwd, env: this.#env, stdio: ["ignore", "pipe", "pipe"], detached: true };
    const child = spawn("sh", ["-c", line.replace(/\s*&$/, "")], options);
    this.#children.push(child);
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text) => (output += text));
    const ended = once(child, "close").then(([status]) => ({ status }));
    const works = MAY_STAY.test(line) ? this.#works(() => output, ended) : new Promise(() => {});
    const late = sleep(PATIENCE, { status: "late" }, { ref: false });
    const { status, url } = await Promise.race([ended, works, late]);
    if (status !== undefined && status !== 0) throw new Error(`${line}: exit ${status}\n${output}`);
    if (url === undefined) return;
    const { status: answer } = await fetch(url);
    // 405: it takes only POST.
    if (answer !== 200 && answer !== 405) throw new Error(`${line}: ${url} answers with status ${answer}`);
  }

  /** Waits until a program prints a line other than npm's, or listens. Returns the address of its page, if it printed one. */
  async #works(output, ended) {
    let isOver = false;
    void ended.then(() => (isOver = true));
    while (!isOver) {
      const [line] = /^(?!>|npm )\S.*\n/m.exec(output()) ?? [];
      if (line !== undefined) return { url: /^https?:\S+/.exec(line)?.[0] };
      for (const port of this.#ports) {
        if (!(await listens(port))) continue;
        this.#ports.delete(port);
        return {};
      }
      await sleep(100);
    }
    return ended;
  }

  /** Ends all programs that stay. */
  async end() {
    for (const child of this.#children) {
      const ended = child.exitCode === null && child.signalCode === null ? once(child, "close") : undefined;
      try {
        process.kill(-child.pid, "SIGTERM");
      } catch {
        continue; // the group has ended
      }
      await Promise.race([ended, sleep(5000, undefined, { ref: false })]);
    }
  }
}

function listens(port) {
  return new Promise((resolve) => {
    const socket = connect(Number(port), "127.0.0.1");
    socket.on("connect", () => resolve(true)).on("error", () => resolve(false));
    socket.on("connect", () => socket.destroy());
  });
}
