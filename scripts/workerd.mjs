// A worker in workerd, the edge's runtime: started from modules in a folder, asked once over loopback, and ended.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { get } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";

const COMPATIBILITY = "2026-01-01";
/** How long it may take to end once it has answered. */
const GRACE_MS = 5000;

/** The first of the modules is the worker. Answers the body of its response as `body`, and as `printed` what it printed. */
export async function askWorker(executable, folder, modules, patience) {
  writeFileSync(join(folder, "worker.capnp"), workerConfig(modules));
  const child = spawn(executable, ["serve", "worker.capnp", "--control-fd=3"], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  try {
    const ended = new Promise((_, reject) =>
      child.on("error", reject).on("exit", (status) => reject(new Error(`workerd ended with ${status}`))),
    );
    const port = await Promise.race([portOf(child.stdio[3]), ended]);
    const body = await Promise.race([answerOf(port, patience), ended]);
    child.kill();
    const [printed] = await Promise.race([output, sleep(GRACE_MS, ["workerd did not end\n"])]);
    return { body, printed };
  } catch (error) {
    child.kill("SIGKILL"); // a worker that is busy does not end by itself
    throw new Error(`${error.message}\n${(await output).map((said) => said.slice(-3000)).join("")}`);
  } finally {
    child.kill("SIGKILL");
  }
}

/** Not by `fetch`, which waits five minutes for an answer and no longer. */
async function answerOf(port, patience) {
  const request = get({ host: "127.0.0.1", port, timeout: patience });
  request.on("timeout", () => request.destroy(new Error("workerd did not answer")));
  const [response] = await once(request, "response");
  const answer = await text(response);
  if (response.statusCode !== 200) throw new Error(`workerd answered ${response.statusCode}: ${answer}`);
  return answer;
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

/** What it writes to its control channel once it listens. */
async function portOf(channel) {
  let said = "";
  for await (const chunk of channel) {
    said += chunk;
    for (const line of said.split("\n").slice(0, -1)) {
      const { event, port } = JSON.parse(line);
      if (event === "listen") return port;
    }
  }
  throw new Error("workerd did not listen");
}
