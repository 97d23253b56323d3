// Loads both servers at the same rate, in turn, prints a report and writes a picture: node compare.js [SECONDS] [RATE]
import { writeFileSync } from "node:fs";
import { compare, toMarkdown, toSvg } from "@moonpack/load";
import { http } from "@moonpack/load/targets";
import { start } from "./server.js";

const [, , seconds = "3", rate = "500"] = process.argv;
const interruption = new AbortController();
process.once("SIGINT", () => interruption.abort());

const servers = { "made anew": await start({ keeps: false }), kept: await start({ keeps: true }) };
const targets = Object.entries(servers).map(([name, { url }]) =>
  http({ name, url, check: (key, { body }) => JSON.parse(Buffer.concat(body))[0].key === String(key) }),
);
console.error("Ctrl-C ends the run with what has been measured.");
const result = await compare(targets, {
  rate: Number(rate),
  duration: `${seconds}s`,
  warmup: 500,
  rounds: 3,
  keys: 100,
  distribution: "zipf",
  signal: interruption.signal,
});
for (const { close } of Object.values(servers)) close();

console.log(toMarkdown(result));
writeFileSync("load.svg", toSvg(result));
