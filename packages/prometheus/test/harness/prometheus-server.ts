/** A Prometheus server on loopback, for one test. It ends with the test's process. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findRuntime, missingRuntime } from "@moonpack/tools/runtimes";

/** The missing program; undefined if the server can run. It is required in CI. */
export const missing = await missingRuntime("prometheus");
/** True if the tests are skipped, which the summary shows. With CI=true they run and fail. */
export const isLeftOut = missing !== undefined && process.env.CI !== "true";
if (isLeftOut) console.warn(`NOT RUN: tests with a Prometheus server need ${missing}`);

/** The server ends when its standard input ends, also after a crash of the test's process. */
const GUARDED = 'exec 3<&0; "$@" & server=$!; (cat; kill $server) <&3 >/dev/null 2>&1 & wait $server';

/** A running server. */
export interface PrometheusServer {
  /** Its address, without a slash at the end. */
  readonly url: string;
  /** The folder of its programs, such as promtool. */
  readonly programs: string;
  stop(): Promise<void>;
}

/** Starts a server with a configuration file. */
export async function startPrometheus(configuration: string): Promise<PrometheusServer> {
  const found = await findRuntime("prometheus");
  if (found === undefined) throw new Error(`needs ${missing}`);
  const folder = mkdtempSync(join(tmpdir(), "moonpack-prometheus-"));
  const file = join(folder, "prometheus.yml");
  writeFileSync(file, configuration);
  const address = `127.0.0.1:${await freePort()}`;
  const options = [`--config.file=${file}`, `--storage.tsdb.path=${folder}/data`, `--web.listen-address=${address}`];
  const child = spawn("sh", ["-c", GUARDED, "sh", found.executable, ...options, "--log.level=warn"], {
    stdio: ["pipe", "ignore", "pipe"],
  });
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    log = (log + text).slice(-4000);
  });
  const server: PrometheusServer = {
    url: `http://${address}`,
    programs: join(found.executable, ".."),
    async stop() {
      const ended = child.exitCode === null ? once(child, "exit") : undefined;
      child.stdin.end();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
  for (let attempt = 0; attempt < 600 && child.exitCode === null; attempt++) {
    const answer = await fetch(`${server.url}/-/ready`).catch(() => undefined);
    if (answer?.ok) return server;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await server.stop();
  throw new Error(`Prometheus did not start:\n${log}`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}
