// A process whose files cannot grow beyond a limit (driver-failures.node.test.ts): node driver-limited.mjs DRIVER PATH
import { randomBytes } from "node:crypto";

const [, , name, path] = process.argv;
const drivers = await import("../build/index.js");
const driver = drivers[name]();
// So that logs, not tables, come to the limit.
const options = { columns: [{ name: "one", volume: "high" }], readOnly: false, maxCacheBytes: 2 ** 20 };
const ENTRIES = 200;
// With these sizes a table of all that fits into a log is below the limit.
const VALUE_BYTES = 45_000;

const first = Buffer.alloc(0);
const end = Buffer.alloc(9, 255);
async function count(store) {
  let n = 0;
  for await (const piece of store.range(0, first, end)) n += piece.length;
  return n;
}

const store = await driver.open(path, options);
const failures = new Set();
let range;
for (let i = 0; i < ENTRIES; i++) {
  const batch = [{ column: 0, key: Buffer.from(String(i).padStart(8, "0")), value: randomBytes(VALUE_BYTES) }];
  for (let tries = 0; ; tries++) {
    try {
      await store.batch(batch, { sync: i % 7 === 0 });
      break;
    } catch (error) {
      if (tries === 3) throw error;
      failures.add(`${error.code} ${/File too large/.exec(error.message)}`);
    }
  }
  if (i !== 10) continue;
  range = store.range(0, first, end)[Symbol.asyncIterator]();
  await range.next();
}
console.log(`failures: ${[...failures].join(", ")}`);
try {
  while (!(await range.next()).done);
} catch (error) {
  console.log(`a range that was read: ${error.code} ${/the database was opened again/.exec(error.message)}`);
}
const entries = await count(store);
await store.close();
const again = await driver.open(path, options);
console.log(`entries: ${entries}, opened again: ${await count(again)}`);
await again.close();
