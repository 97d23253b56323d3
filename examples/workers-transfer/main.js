// Sends batches of readings to workers, by transfer, and shows what that costs the main thread beside a structured clone.

import { Pool } from "./pool.js";
import { means, readings } from "./schema.js";

const BATCHES = 20;
const batches = Array.from({ length: BATCHES }, (_, batch) => ({
  list: Array.from({ length: 5000 }, (_, index) => ({
    station: ["Oslo", "Bergen", "Voss"][index % 3],
    at: 1_700_000_000 + 60 * (batch * 5000 + index),
    celsius: Math.round(100 * Math.sin(index / 50)) / 10,
  })),
}));

const pool = new Pool(new URL("./worker.js", import.meta.url), 2);
let counted = 0;
// A pool takes as many at a time as it has workers: the rest is not encoded yet.
const queue = batches.values();
const lane = async () => {
  for (const batch of queue) {
    const { list } = means.decode(await pool.run(readings.encodeOwned(batch)));
    for (const { count } of list) counted += count;
  }
};
await Promise.all([lane(), lane()]);
console.log(`${counted} readings came back in means`);

try {
  await pool.run(new Uint8Array([1, 2, 3]));
} catch (error) {
  console.log(`a batch that is cut: ${error.message}`);
}
await pool.close();

// Both sides of a hand-over, in one thread. Another value costs another time: measure with yours.
const clone = millisecondsOf(() => structuredClone(batches[0]));
const transfer = millisecondsOf(() => {
  const bytes = readings.encodeOwned(batches[0]);
  readings.decode(structuredClone(bytes, { transfer: [bytes.buffer] }));
});
console.log(
  `a batch of 5,000: a structured clone takes ${clone} ms; to encode, transfer and decode takes ${transfer} ms`,
);

function millisecondsOf(call) {
  for (let warm = 0; warm < 20; warm++) call();
  const start = performance.now();
  for (let times = 0; times < 20; times++) call();
  return ((performance.now() - start) / 20).toFixed(2);
}
