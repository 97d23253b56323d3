// Starts both services and the gateway, each a process: node start.js [PORT]. Ctrl-C stops all.
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const children = [];

async function start(script, args, port = "0") {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = fork(path, args, { env: { ...process.env, PORT: port } });
  children.push(child);
  child.once("exit", (code) => {
    if (code !== 0) stop(1);
  });
  const [{ url }] = await once(child, "message");
  return url;
}

/** A process ends when its channel does. */
function stop(code) {
  process.exitCode = code;
  for (const child of children) if (child.connected) child.disconnect();
}

for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stop(0));

const [orders, prices] = await Promise.all([start("./orders.js", []), start("./prices.js", [])]);
const gateway = await start("./gateway.js", [orders, prices], process.argv[2] ?? "3000");
console.log(gateway);
