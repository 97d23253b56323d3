// Two copies of the package in one process, and a patch of other code. Prints the ids that were seen. The argument is the kind of the
// second copy.
import { once } from "node:events";
import http from "node:http";
import * as first from "@moonpack/trace";
import { secondCopy } from "./second-copy.mjs";

const second = await secondCopy(process.argv[2]);
const results = { warnings: [] };
process.on("warning", ({ code }) => results.warnings.push(code));

async function listening(listener) {
  const server = http.createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${server.address().port}/`;
}

/** Both middlewares for the same request: `first` and `second` read the id, and a listener is removed by its function. */
{
  const seen = [];
  const note = () => seen.push(`${first.id()} ${second.id()}`);
  const removed = () => seen.push("removed");
  const inner = second.httpListener(
    (_request, response) => {
      response.once("finish", note).on("close", note).on("finish", removed).off("finish", removed);
      response.once("close", removed).removeListener("close", removed);
      results.listeners = [response.listeners("finish").includes(note), response.listenerCount("close", note)];
      response.write("x", note);
      setTimeout(() => response.end("y", note), 1);
    },
    { requestIdFactory: () => "b" },
  );
  const url = await listening(first.httpListener(inner, { requestIdFactory: () => "a" }));
  await (await fetch(url)).text();
  for (let tries = 0; tries < 1000 && seen.length < 4; tries++) await new Promise((done) => setTimeout(done, 2));
  results.seen = seen;
}

/** The headers of one request of `http` and one of `fetch`. */
const received = [];
const url = await listening((request, response) => {
  const names = request.rawHeaders.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase());
  const count = (name) => names.filter((each) => each === name).length;
  received.push(`${request.headers["x-request-id"] ?? "-"} ${count("x-request-id")} ${count("traceparent")}`);
  response.end();
});
const to = new URL(url).host;
const asked = () =>
  new Promise((resolve, reject) => {
    http.get(url, { agent: false }, (response) => response.resume().on("end", resolve)).on("error", reject);
  });
const both = (fn) => first.runWithId(() => second.runWithId(fn, "b"), "a");
async function carried() {
  received.length = 0;
  await both(async () => {
    await asked().catch((error) => received.push(error.message));
    await (await fetch(url)).text();
  });
  return received.splice(0);
}

const LINK = Symbol.for("moonpack.trace.dispatcher");
const DISPATCHERS = [1, 2].map((version) => Symbol.for(`undici.globalDispatcher.${version}`));
/** How many proxies stand in front of each global dispatcher. */
const depths = () =>
  DISPATCHERS.filter((key) => globalThis[key] !== undefined).map((key) => {
    let depth = 0;
    for (let each = globalThis[key]; each[LINK] !== undefined; each = each[LINK].target) depth++;
    return depth;
  });

const plain = http.Agent.prototype.addRequest;
let a = first.propagate({ to });
let b = second.propagate({ to });
results.both = await carried();
for (let i = 0; i < 20; i++) await carried();
results.layers = [...new Set(depths())];
a.stop();
results.second = await carried();
a = first.propagate({ to });
results.again = await carried();
b.stop();
results.first = await carried();
a.stop();
results.none = await carried();
for (let i = 0; i < 5; i++) {
  a = first.propagate({ to });
  b = second.propagate({ to });
  a.stop();
  b.stop();
}
results.left = Math.max(...depths());

/** Other code wraps the agents' method while ours is active: ours stays below it, and must not call the method above. */
http.Agent.prototype.addRequest = plain;
a = first.propagate({ to });
const ours = http.Agent.prototype.addRequest;
http.Agent.prototype.addRequest = function (...args) {
  return ours.apply(this, args);
};
results.wrapped = (await carried())[0];
a.stop();
results.wrappedStopped = (await carried())[0];
a = first.propagate({ to });
results.wrappedAgain = (await carried())[0];
a.stop();
process.stdout.write(JSON.stringify(results), () => process.exit(0));
