// Reads a batch of readings and answers with the mean of each station.
import { parentPort } from "node:worker_threads";
import { means, readings } from "./schema.js";

parentPort.on("message", (bytes) => {
  try {
    // encodeOwned: the buffer holds this answer only, so it may move.
    const answer = means.encodeOwned({ list: meansOf(readings.decode(bytes).list) });
    parentPort.postMessage({ answer }, [answer.buffer]);
  } catch (error) {
    // Invalid bytes have a code and an offset. The worker continues with the next batch.
    parentPort.postMessage({ error: String(error) });
  }
});

function meansOf(list) {
  const stations = new Map();
  for (const { station, celsius } of list) {
    const sum = stations.get(station) ?? { count: 0, total: 0 };
    sum.count++;
    sum.total += celsius;
    stations.set(station, sum);
  }
  return [...stations].map(([station, { count, total }]) => ({ station, count, celsius: total / count }));
}
