// node client.js [PORT] [--no-pipelining] [--calls 100000]
import { once } from "node:events";
import { connect } from "node:net";
import { parseArgs } from "node:util";
import { Client } from "./protocol.js";

const { values: options, positionals } = parseArgs({
  options: { "no-pipelining": { type: "boolean" }, calls: { type: "string", default: "100000" } },
  allowPositionals: true,
});
const CONCURRENCY = 64;
const calls = Number(options.calls);

const socket = connect(Number(positionals[0] ?? 7000), "127.0.0.1");
await once(socket, "connect");
const client = new Client(socket, { pipelining: !options["no-pipelining"] });

await client.call("set", "point", { at: new Date(0), raw: new Uint8Array(3) });
console.log("get:", await client.call("get", "point"));
await client.call("nothing").catch((error) => console.log("error:", error.message));
await client.call("set", "f", () => 1).catch((error) => console.log("error:", error.code));

// The number of pending calls is constant: each call that ends starts the next one.
let left = calls;
let sum = 0;
const begun = performance.now();
await Promise.all(
  Array.from({ length: CONCURRENCY }, async () => {
    while (left-- > 0) {
      const result = await client.call("add", 1, 2);
      sum += result;
    }
  }),
);
const seconds = (performance.now() - begun) / 1000;
console.log("sum:", sum);
const { messages, batches } = client.stats();
console.error(`${Math.round(calls / seconds)} calls/s, ${(messages / batches).toFixed(1)} messages a write`);
await client.close();
