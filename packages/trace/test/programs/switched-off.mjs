// Runs each line of code in a new worker, and prints whether promises have hooks after the import and after it, as JSON.
// Hooks are on or off for a whole worker, so each begins as a process does.
import { executionAsyncId } from "node:async_hooks";
import { once } from "node:events";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";

// Without promise hooks, code after an await has the asynchronous id 0.
const probe = () =>
  new Promise((resolve) => {
    setTimeout(async () => {
      await undefined;
      resolve(executionAsyncId() !== 0);
    }, 1);
  });

if (isMainThread) {
  const lines = process.argv.slice(2);
  const seen = {};
  const workers = lines.map(async (line) => {
    [seen[line]] = await once(new Worker(new URL(import.meta.url), { workerData: line }), "message");
  });
  await Promise.all(workers);
  process.stdout.write(JSON.stringify(seen));
} else {
  const trace = await import("@moonpack/trace");
  const imported = await probe();
  new Function("trace", workerData)(trace);
  parentPort.postMessage([imported, await probe()]);
}
