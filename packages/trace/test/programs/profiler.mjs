// requestProfiler and asyncTracer, for any version of Node. Prints what they recorded, as JSON.
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asyncTracer, httpListener, id, requestProfiler } from "@moonpack/trace";

const events = [];
const tracing = asyncTracer({
  types: ["Timeout"],
  output: (all) =>
    events.push(
      ...all
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ),
});
const before = events.length;
const timer = setTimeout(() => {}, 1000);
clearTimeout(timer);
await new Promise((resolve) => setTimeout(() => setTimeout(resolve, 1), 1));
await new Promise((resolve) => setImmediate(resolve));
tracing.stop();
const inits = events.filter(({ e }) => e === "init");
const tracer = {
  before,
  inits: inits.length,
  nested: inits[2].trigger === inits[1].id,
  cleared: events.filter((event) => event.id === inits[0].id).map(({ e }) => e),
};
const folder = mkdtempSync(join(tmpdir(), "moonpack-trace-"));
const html = join(folder, "page.html");
let text = "";
const output = (lines) => {
  text += lines;
};
const profiler = requestProfiler({ sampleRate: 1, dutyCycle: 1, maxConcurrent: 10, output, html });
const handler = (_request, response) => {
  setTimeout(async () => {
    await readFile(new URL(import.meta.url));
    response.end(String(id()));
  }, 2);
};
const listener = (request, response) => profiler.middleware(request, response, () => handler(request, response));
const server = createServer(httpListener(listener)).listen(0, "127.0.0.1");
await once(server, "listening");
const url = `http://127.0.0.1:${server.address().port}/`;
const ids = await Promise.all(Array.from({ length: 10 }, async (_, i) => (await fetch(`${url}${i}?secret`)).text()));
profiler.stop();
server.closeAllConnections();
server.close();

const lines = text
  .split("\n")
  .slice(0, -1)
  .map((line) => JSON.parse(line));
const heads = lines.filter(({ k }) => k === "request");
const results = {
  all: ids.every((each) => heads.some((head) => head.id === each)),
  ended: heads.every(({ end, status, url: path }) => end === "finish" && status === 200 && /^\/\d$/.test(path)),
  counted: heads.every(({ id: own, ops }) => lines.filter((line) => line.k === "op" && line.id === own).length === ops),
  parents: lines.every(({ k, op, parent }) => k === "request" || parent < op),
  timers: heads.every(({ id: own }) => lines.some((line) => line.id === own && line.type === "Timeout")),
  page: (readFileSync(html, "utf8").match(/<svg/g) ?? []).length,
  tracer,
};
rmSync(folder, { recursive: true });

process.stdout.write(JSON.stringify(results), () => process.exit(0));
