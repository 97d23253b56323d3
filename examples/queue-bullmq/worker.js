// Processes batches of the queue, and stores the mean of each: node worker.js URL NUMBER
import { Worker } from "bullmq";
import { Redis } from "ioredis";
import { batches, means } from "./kinds.js";

const [url, number] = process.argv.slice(2);
const client = new Redis(url, { maxRetriesPerRequest: null });
const kept = means(client);

async function work(job) {
  // Throws for bytes of another schema and for plain JSON: the job fails, and BullMQ keeps it.
  const { station, readings } = batches.unpack(job.data);
  const sum = readings.reduce((total, { celsius }) => total + celsius, 0);
  const mean = { station, readings: readings.length, celsius: sum / readings.length };
  await kept.hSet("means", { [station]: mean });
  await kept.publish("means", mean);
  return { by: `worker ${number}` };
}

const worker = new Worker("batches", work, { connection: client });
process.once("disconnect", async () => {
  await worker.close();
  client.disconnect();
});
