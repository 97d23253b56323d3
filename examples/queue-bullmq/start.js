// Adds batches of readings, and shows the results of a worker in another process: node start.js [URL]
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Queue, QueueEvents } from "bullmq";
import { Redis } from "ioredis";
import { batches, means } from "./kinds.js";

const url = process.argv[2] ?? "redis://127.0.0.1:6379";
const client = new Redis(url, { maxRetriesPerRequest: null });
const queue = new Queue("batches", { connection: client });
const listening = client.duplicate();
const events = new QueueEvents("batches", { connection: listening });
await events.waitUntilReady();
const worker = fork(fileURLToPath(new URL("worker.js", import.meta.url)), [url, "1"]);

const begin = 1_700_000_000_000n;
for (const [station, base] of Object.entries({ Harbour: 15, Airport: 17, Summit: 5 })) {
  const readings = Array.from({ length: 100 }, (_, i) => ({
    at: begin + BigInt(i) * 600_000n,
    celsius: base + Math.sin(i / 40),
  }));
  // A job that is removed at once may not exist any more at the next line.
  const job = await queue.add("batch", batches.pack({ station, readings }), { removeOnComplete: { count: 1000 } });
  const { by } = await job.waitUntilFinished(events);
  const mean = await means(client).hGet("means", station);
  console.log(`${by}: ${station}, ${mean.readings} readings, mean ${mean.celsius.toFixed(2)} °C`);
}

const ended = once(worker, "exit");
worker.disconnect();
await ended;
await events.close();
await queue.close();
for (const each of [client, listening]) each.disconnect();
