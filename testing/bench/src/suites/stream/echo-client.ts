import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { compare, type Target } from "@moonpack/load";
import { type Message, type Mode, peer } from "./echo-peer.js";

const SERVER = fileURLToPath(new URL("./echo-server.js", import.meta.url));

/** The job of a pair of processes. */
export interface EchoJob {
  readonly textBytes: number;
  readonly inFlight: number;
  /** `maxBatch` of the gathering writers on both sides. */
  readonly maxBatch?: number | undefined;
  readonly pairs: number;
  readonly runMs: number;
  readonly warmUpMs: number;
  /** The mode that begins; it alternates. */
  readonly first: Mode;
}

/** The result: messages per second of each run, and the latencies of each in nanoseconds as an HDR histogram. */
export type EchoResult = Readonly<
  Record<Mode, { readonly rates: readonly number[]; readonly latencies: readonly string[] }>
>;

const OTHER: Record<Mode, Mode> = { gathered: "plain", plain: "gathered" };

/** Runs pairs against a server in another process. */
export async function measureEcho(job: EchoJob): Promise<EchoResult> {
  const server = spawn(process.execPath, [SERVER, ...(job.maxBatch === undefined ? [] : [String(job.maxBatch)])], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  try {
    const [line] = (await once(createInterface(server.stdout), "line")) as [string];
    const ports = JSON.parse(line) as Record<Mode, number>;
    const modes = [job.first, OTHER[job.first]];
    const { targets } = await compare(
      modes.map((mode) => echoing(ports[mode], mode, job)),
      {
        concurrency: job.inFlight,
        rounds: job.pairs,
        duration: job.runMs,
        warmup: job.warmUpMs,
        keys: job.inFlight,
        payload: 0,
      },
    );
    const measured = targets.map(({ target, rounds, summary, failures }) => {
      const errors = Object.keys(summary!.errors);
      if (errors.length + failures.length > 0) throw new Error(`${target}: ${[...errors, ...failures].join(", ")}`);
      const latencies = rounds.map(({ histograms }) => histograms.response);
      return [target, { rates: rounds.map(({ perSecond }) => perSecond), latencies }];
    });
    return Object.fromEntries(measured) as EchoResult;
  } finally {
    server.stdin.end();
  }
}

/** A connection to the server. An operation sends a message and ends when it has come back. */
function echoing(port: number, mode: Mode, { textBytes, inFlight, maxBatch }: EchoJob): Target {
  const texts = Array.from({ length: inFlight }, (_, id) => String(id % 10).repeat(textBytes));
  /** The numbers of messages that are not in flight. */
  const free = texts.map((_, id) => id);
  const pending: { resolve(message: Message): void; reject(error: Error): void }[] = [];
  const socket = connect(port, "127.0.0.1");
  const fail = () => {
    for (const { reject } of pending) reject(new Error(`${mode}: the connection was lost`));
  };
  const send = peer(socket, mode, maxBatch, (message) => {
    free.push(message.id);
    if (message.text.length === textBytes) pending[message.id]!.resolve(message);
    else pending[message.id]!.reject(new Error(`${mode}: the text differs`));
  });
  return {
    name: mode,
    async setup() {
      await once(socket, "connect");
      socket.on("close", fail);
    },
    get() {
      const id = free.pop()!;
      return new Promise((resolve, reject) => {
        pending[id] = { resolve, reject };
        send({ id, text: texts[id]! });
      });
    },
    check(_key, message) {
      const { id, text } = message as Message;
      return text === texts[id];
    },
    async close() {
      socket.destroy();
    },
  };
}
