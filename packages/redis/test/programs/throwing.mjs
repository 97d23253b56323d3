// A listener that throws at its first message, and an onError that throws: throwing.mjs PORT CLIENT
import { redisValues } from "@moonpack/redis";
import { Redis } from "ioredis";
import { Redis as Redis6 } from "ioredis-6";
import { createClient } from "redis";
import { createClient as createClient6 } from "redis-6";

const [port, name] = process.argv.slice(2);
const url = `redis://127.0.0.1:${port}`;
const nodeRedis = (client) => client.on("error", (error) => got.push(`client: ${error.message}`)).connect();
const make = {
  "ioredis 5": () => new Redis(url),
  "ioredis 6": () => new Redis6(url),
  "node-redis 5": () => nodeRedis(createClient({ url })),
  "node-redis 6": () => nodeRedis(createClient6({ url })),
}[name];

const got = [];
process.on("uncaughtException", (error) => got.push(`uncaught: ${error.message}`));
const [sender, receiver] = [await make(), await make()];
const values = redisValues(sender);
const listening = redisValues(receiver);
const last = new Promise((resolve) => {
  const listener = (value) => {
    got.push(value);
    if (value === 1) throw new Error("one");
    if (value === 4) resolve();
  };
  const onError = () => {
    throw new Error("two");
  };
  listening.subscribe("numbers", listener, { onError }).then(() => {
    // Sent at once, so they arrive in one chunk.
    void values.publish("numbers", 1);
    void sender.publish("numbers", "text");
    void values.publish("numbers", 3);
    void values.publish("numbers", 4);
  });
});
await last;
await new Promise(setImmediate);
console.log(JSON.stringify(got));
process.exit();
