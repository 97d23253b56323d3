// Runs a program that is a server in a process, with hostile clients. run.d.mts has the types.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { attack } from "./attack.mjs";

const PRELOAD = new URL("./delayed-clients.mjs", import.meta.url).href;

/**
 * Starts Node with these arguments. `delaysClients`: clients in the program wait until `release` is called for their server. `listening`
 * is called with the port of each server. `kill` ends the process, `ended` resolves to what it did.
 */
export function start(args, { cwd, delaysClients, listening }) {
  const child = spawn(process.execPath, ["--import", PRELOAD, ...args], {
    cwd,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    env: { ...process.env, NODE_OPTIONS: "", MOONPACK_DELAY_CLIENTS: delaysClients ? "1" : "0" },
  });
  /** The bytes that each connection of the program's own clients has sent; some send nothing. */
  const sent = new Map();
  let failure;
  const release = (port) => child.connected && child.send({ release: port }, () => undefined);
  child.on("message", async ({ listening: port, connection, sent: bytes }) => {
    if (bytes !== undefined) sent.set(connection, [...(sent.get(connection) ?? []), Buffer.from(bytes, "base64")]);
    if (port === undefined) return;
    try {
      await listening(port, release);
    } catch (error) {
      failure = error; // of the attack: the program would wait for ever
      child.kill("SIGKILL");
    }
  });
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]).then(
    ([stdout, stderr, [status, signal]]) => {
      if (failure !== undefined) throw failure;
      return { status, signal, stdout, stderr, sent: [...sent.values()].map((parts) => Buffer.concat(parts)) };
    },
  );
  return { kill: () => child.kill("SIGKILL"), ended };
}

/** Runs a program that ends by itself. Returns its output and status. */
async function toItsEnd(args, options) {
  const program = start(args, options);
  const timer = setTimeout(program.kill, options.patience);
  try {
    return await program.ended;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Runs a program that has servers and clients of them twice: once to see what its clients send, then with hostile clients that come before
 * the clients. Returns what the second run did, with the number of `servers` and of `visits`. `frames`: messages for its WebSockets.
 */
export async function runWithHostileClients(args, { cwd, frames = [], patience = 120_000 }) {
  const first = await toItsEnd(args, { cwd, patience, delaysClients: false, listening: () => undefined });
  if (first.status !== 0) return { ...first, servers: 0, visits: 0 };
  let servers = 0;
  let visits = 0;
  const listening = async (port, release) => {
    servers++;
    visits += await attack(port, first.sent, frames);
    release(port);
  };
  const second = await toItsEnd(args, { cwd, patience, delaysClients: true, listening });
  return { ...second, servers, visits };
}
