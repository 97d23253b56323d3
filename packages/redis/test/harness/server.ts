/** A Redis server on loopback, for one test file. It stores nothing on disk, and ends with the test's process. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findRuntime, missingRuntime } from "@moonpack/tools/runtimes";

/** The missing program; undefined if the server can run. It is required in CI. */
export const missing = await missingRuntime("redis");
/** True if the tests are skipped, which the summary shows. With CI=true they run and fail. */
export const isLeftOut = missing !== undefined && process.env.CI !== "true";
if (isLeftOut) console.warn(`NOT RUN: tests with a Redis server need ${missing}`);

/** The server ends when its standard input ends, also after a crash of the test's process. */
const GUARDED = 'exec 3<&0; "$@" & server=$!; (cat; kill $server) <&3 >/dev/null 2>&1 & wait $server';

/** A running server. */
export interface TestServer {
  readonly port: number;
  stop(): Promise<void>;
}

/** Settings in the form of the configuration file. */
type Settings = Readonly<Record<string, string>>;

/** Starts a server. Tries another port if a program took the first one. */
export async function startServer(settings: Settings = {}): Promise<TestServer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await startOnce(settings);
    } catch (error) {
      if (attempt === 3) throw error;
    }
  }
}

async function startOnce(settings: Settings): Promise<TestServer> {
  const found = await findRuntime("redis");
  if (found === undefined) throw new Error(`needs ${missing}`);
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "moonpack-redis-"));
  const options = { port, bind: "127.0.0.1", save: "", appendonly: "no", dir: folder, maxmemory: "100mb", ...settings };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const child = spawn("sh", ["-c", GUARDED, "sh", found.executable, ...args], { stdio: ["pipe", "pipe", "inherit"] });
  const stop = async (): Promise<void> => {
    const ended = child.exitCode === null ? once(child, "exit") : undefined;
    child.stdin.end();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  let log = "";
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    log += chunk;
    if (!log.includes("Ready to accept connections")) continue;
    child.stdout.resume();
    return { port, stop };
  }
  await stop();
  throw new Error(`the Redis server did not start:\n${log}`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}
