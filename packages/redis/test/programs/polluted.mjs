// Values while Object.prototype has properties with the names of options and results.

import { schema, u8 } from "@moonpack/pck";
import { framed, jobValues, redisValues } from "@moonpack/redis";

const names = ["codec", "encoder", "decoder", "json", "undecodable", "older", "ttl", "keepTtl", "condition"];
names.push(
  "id",
  "maxLength",
  "count",
  "block",
  "onError",
  "$moonpack",
  "messages",
  "message",
  "isForeignText",
  "ofJSON",
);
for (const name of names)
  Object.defineProperty(Object.prototype, name, { value: "polluted", configurable: true, writable: true });

const asked = [];
const command =
  (name, reply) =>
  async (...args) => {
    asked.push([name, ...args.flat().map((one) => (Buffer.isBuffer(one) ? one.toString("hex") : one))]);
    return reply;
  };
const client = {
  callBuffer: command("call", null),
  set: command("set", "OK"),
  xadd: command("xadd", "1-1"),
  xreadBuffer: command("xreadBuffer", null),
};
const values = redisValues(client);
const results = [values.decode(values.encode({ a: 1 }))];
await values.set("k", null);
results.push(asked.splice(0));
await values.xAdd("s", { f: null });
results.push(asked.splice(0));
await values.xRead({ s: "0" });
results.push(asked.splice(0));
try {
  jobValues().unpack({ a: 1 });
} catch (error) {
  results.push(error.code);
}
const jobs = jobValues({ codec: framed(schema("One", u8("n"))) });
results.push(jobs.unpack(jobs.pack({ n: 1 })));
console.log(JSON.stringify(results));
