// Runs a worker in workerd: starts it from modules in a folder, sends one request over loopback, and ends it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { get } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";

const COMPATIBILITY = "2026-01-01";
/** Time to end after its response. */
const GRACE_MS = 5000;

/** Starts the first of the modules as the worker. Returns its response as `body` and its output as `printed`. */
export async function askWorker(executable, folder, modules, patience) {
  const worker = await startWorker(executable, folder, modules);
  try {
    const body = await Promise.race([responseText(worker.port, patience), worker.ended]);
    return { body, printed: await worker.stop() };
  } catch (error) {
    worker.kill(); // a busy worker does not end by itself
    throw new Error(`${error.message}\n${(await worker.output).map((part) => part.slice(-3000)).join("")}`);
  } finally {
    worker.kill();
  }
}

/**
 * Starts the first of the modules as the worker, on a free port of loopback. `ended` rejects if it ends by itself. `stop` ends it and
 * returns what it printed.
 */
export async function startWorker(executable, folder, modules) {
  writeFileSync(join(folder, "worker.capnp"), workerConfig(modules));
  const child = spawn(executable, ["serve", "worker.capnp", "--control-fd=3"], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  const kill = () => child.kill("SIGKILL");
  const ended = new Promise((_, reject) =>
    child.on("error", reject).on("exit", (status) => reject(new Error(`workerd ended with ${status}`))),
  );
  ended.catch(() => undefined);
  try {
    const port = await Promise.race([portOf(child.stdio[3]), ended]);
    const stop = async () => {
      child.kill();
      const [printed] = await Promise.race([output, sleep(GRACE_MS, ["workerd did not end\n"])]);
      return printed;
    };
    return { port, output, ended, stop, kill };
  } catch (error) {
    kill();
    throw new Error(`${error.message}\n${(await output).map((part) => part.slice(-3000)).join("")}`);
  }
}

/** `fetch` is not used: its time limit is five minutes. */
async function responseText(port, patience) {
  const request = get({ host: "127.0.0.1", port, timeout: patience });
  request.on("timeout", () => request.destroy(new Error("workerd did not respond")));
  const [response] = await once(request, "response");
  const body = await text(response);
  if (response.statusCode !== 200) throw new Error(`workerd responded with status ${response.statusCode}: ${body}`);
  return body;
}

function workerConfig(modules) {
  const embedded = modules.map((name) => `(name = "${name}", esModule = embed "${name}")`).join(", ");
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const worker :Workerd.Worker = (modules = [${embedded}], compatibilityDate = "${COMPATIBILITY}");
`;
}

/** Waits until it listens, which it reports on its control channel. */
async function portOf(channel) {
  let output = "";
  for await (const chunk of channel) {
    output += chunk;
    for (const line of output.split("\n").slice(0, -1)) {
      const { event, port } = JSON.parse(line);
      if (event === "listen") return port;
    }
  }
  throw new Error("workerd did not listen");
}
