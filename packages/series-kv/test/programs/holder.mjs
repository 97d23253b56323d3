// A process that has a store open until it is killed: `node holder.mjs PATH DRIVER`.
import { writeSync } from "node:fs";
import { openSeries } from "../../../series/build/index.js";
import { classicLevel, rocksdb } from "../../build/index.js";

const [path, driver] = process.argv.slice(2);
const series = await openSeries({ path, driver: driver === "rocksdb" ? rocksdb() : classicLevel() });
await series.write([{ metric: { name: "m" }, timestamp: Date.now(), value: 1 }]);
writeSync(1, "open\n");
setInterval(() => {}, 60_000);
