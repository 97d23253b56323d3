// Outgoing requests to real servers, for any version of Node. Prints what the servers received, as JSON.
import { once } from "node:events";
import http from "node:http";
import { createRequire } from "node:module";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { types } from "node:util";
import { propagate, runWithId, undiciInterceptor } from "@moonpack/trace";
import { tunnel } from "./tunnel.mjs";

const require = createRequire(import.meta.url);
const seen = [];
/** The names of headers that a request came with, as they were sent. */
const full = [];
const NAMES = new Set(["x-request-id", "x-other", "x-correlation-id", "traceparent", "tracestate"]);
const warnings = [];
process.on("warning", ({ code }) => warnings.push(code));

async function listening(listener, where = [0, "127.0.0.1"]) {
  const server = http.createServer(listener).listen(...where);
  await once(server, "listening");
  return server;
}

const note = (name) => (request, response) => {
  const { "x-request-id": id = null, traceparent = null } = request.headers;
  full.push([name, request.url, ...request.rawHeaders.filter((line) => NAMES.has(line.toLowerCase()))]);
  seen.push([name, request.url, id, traceparent === null ? null : traceparent.length]);
  const to = new URL(request.url, "http://x").searchParams.get("to");
  if (to !== null) response.writeHead(302, { location: to });
  setTimeout(() => response.end("x"), request.url.startsWith("/slow") ? 10 : 0);
};
const inside = await listening(note("inside"));
const outside = await listening(note("outside"));
const path = join(tmpdir(), `moonpack-trace-${process.pid}.sock`);
const unix = await listening(note("unix"), [path]);
const proxy = await listening(note("proxy"));
proxy.on("connect", (request, socket) => {
  const { "x-request-id": id = null } = request.headers;
  seen.push(["connect", request.url, id, null]);
  tunnel(request, socket);
});
const port = (server) => server.address().port;
const url = (server, rest = "/") => `http://127.0.0.1:${port(server)}${rest}`;
const to = `127.0.0.1:${port(inside)}`;
const origins = ({ host }) => host === to;
const redirect = `/a?to=${encodeURIComponent(url(outside, "/b?to=" + encodeURIComponent(url(inside, "/c"))))}`;

const got = (options) =>
  new Promise((resolve, reject) => {
    const request = typeof options === "string" ? http.get(options) : http.request(options);
    request.on("response", (response) => response.resume().on("end", resolve)).on("error", reject);
    request.on("connect", (_response, socket) => resolve(socket.destroy()));
    request.end();
  });

/** The requests that servers received: name of the server, path, id, length of traceparent. */
async function during(fn, key = "mine") {
  seen.length = 0;
  await runWithId(fn, key);
  return seen.splice(0);
}

const results = {};
const undicis = process.argv.slice(2);
const symbols = [Symbol.for("undici.globalDispatcher.1"), Symbol.for("undici.globalDispatcher.2")];
void Response;
for (const name of undicis) require(name).setGlobalDispatcher(require(name).getGlobalDispatcher());
const before = [http.Agent.prototype.addRequest, ...symbols.map((symbol) => globalThis[symbol])];
const outgoing = propagate({ to });

results.http = await during(async () => {
  await got(url(inside, "/1"));
  await got(url(outside, "/2"));
  await got({ host: "127.0.0.1", port: port(outside), path: "/3", headers: { host: to } });
  await got({ host: "127.0.0.1", port: port(inside), path: "/4", headers: { host: "evil.example" } });
  await got({ host: "127.0.0.1", port: port(inside), path: "/5", agent: new http.Agent({ port: port(outside) }) });
  await got({ host: "127.0.0.1", port: port(inside), path: "/6", agent: false });
  await got({ socketPath: path, host: "127.0.0.1", port: port(inside), path: "/7" });
  await got({ host: "127.0.0.1", port: port(inside), path: url(outside, "/8") });
  await got({ host: "127.0.0.1", port: port(proxy), path: url(inside, "/9") });
  await got({ host: "127.0.0.1", port: port(proxy), method: "CONNECT", path: to });
  await got({ host: "127.0.0.1", port: port(inside), path: "/array", headers: ["Host", to] });
  await got({ host: "127.0.0.1", port: port(inside), path: "/expect", headers: { expect: "100-continue" } });
  const createConnection = () => connect(port(outside), "127.0.0.1");
  await got({ host: "127.0.0.1", port: port(inside), path: "/socket", createConnection });
  await got({
    host: "127.0.0.1",
    port: port(inside),
    path: "/10",
    headers: { "X-Request-Id": "own", tracestate: "a=1" },
  });
});
await got(url(inside, "/none"));
results.none = seen.splice(0);

results.fetch = await during(async () => {
  await (await fetch(url(inside, redirect))).text();
  await (await fetch(url(inside, "/own"), { headers: { "x-request-id": "own" } })).text();
});
const many = async (ask) => {
  seen.length = 0;
  await Promise.all(Array.from({ length: 40 }, (_, i) => runWithId(() => ask(url(inside, `/slow${i}`)), `slow${i}`)));
  return seen.splice(0).filter(([, from, id]) => `/${id}` !== from).length;
};
results.fetchMixed = await many(async (where) => (await fetch(where)).text());

for (const name of undicis) {
  const undici = require(name);
  const own = (results[name] = {});
  await runWithId(() => undici.request(url(inside, "/wake")).then(({ body }) => body.text()), "wake"); // it may have set a dispatcher
  own.request = await during(async () => {
    await (await undici.request(url(inside, "/1"))).body.text();
    await (await undici.request(url(outside, "/2"))).body.text();
    await (await undici.fetch(url(inside, redirect))).text();
    await (await undici.request(url(inside, redirect), { maxRedirections: 3 }).catch(() => undefined))?.body.text();
  });
  const pool = new undici.Pool(url(inside, ""), { connections: 2 });
  const composed = pool.compose(undiciInterceptor({ origins }));
  own.poolMixed = await many(async (where) =>
    (await composed.request({ origin: url(inside, ""), path: new URL(where).pathname, method: "GET" })).body.text(),
  );
  own.poolAlone = await during(async () => (await pool.request({ path: "/p", method: "GET" })).body.text());
  const sock = new undici.Client(url(inside, ""), { socketPath: path });
  own.unix = await during(async () => (await sock.request({ path: "/u", method: "GET" })).body.text());
  const lying = new undici.Client(url(outside, ""));
  own.lying = await during(async () =>
    (await lying.request({ path: "/l", method: "GET", origin: url(inside, "") })).body.text(),
  );
  const follow = new undici.Agent().compose(
    undiciInterceptor({ origins }),
    undici.interceptors.redirect({ maxRedirections: 3 }),
  );
  own.redirects = await during(async () =>
    (await undici.request(url(inside, redirect), { dispatcher: follow })).body.text(),
  );
  const through = new undici.ProxyAgent(url(proxy, ""));
  const former = undici.getGlobalDispatcher();
  undici.setGlobalDispatcher(through);
  own.proxy = await during(async () => {
    await (await undici.request(url(inside, "/first"))).body.text();
    await (await undici.request(url(inside, "/second"))).body.text();
  });
  undici.setGlobalDispatcher(former);
  await Promise.all([pool, sock, lying, through].map((each) => each.destroy()));
}
outgoing.stop();
const after = [http.Agent.prototype.addRequest, ...symbols.map((symbol) => globalThis[symbol])];
// undici 8 makes a wrapper for older copies anew whenever a dispatcher is set, as the proxy's above.
const isAnew = (each) => each?.constructor.name === "Dispatcher1Wrapper" && !types.isProxy(each);
results.restored = before.every((each, i) => each === after[i] || (isAnew(each) && isAnew(after[i])));
results.stopped = await during(async () => {
  await got(url(inside, "/1"));
  await (await fetch(url(inside, "/2"))).text();
});

/** The headers that servers received during some requests. */
async function received(fn) {
  full.length = 0;
  await runWithId(fn, "mine");
  return full.splice(0).map(([name, path, ...names]) => `${name} ${path.split("?")[0]} ${names.join()}`);
}
const everywhere = async () => {
  await got(url(inside, "/1"));
  await (await fetch(url(outside, "/2"))).text();
};
if (undicis.length === 0) {
  const first = propagate({ to });
  const second = propagate({ to: ["127.0.0.1"], headerName: "X-Other" });
  const third = propagate({ to, headerName: "x-request-ID" });
  results.two = await received(everywhere);
  first.stop();
  third.stop();
  results.one = await received(everywhere);
  second.stop();
  second.stop();
  results.noneLeft = await received(everywhere);

  const { HttpProxyAgent } = require("http-proxy-agent");
  const { HttpsProxyAgent } = require("https-proxy-agent");
  const proxied = async () => {
    for (const Made of [HttpProxyAgent, HttpsProxyAgent]) {
      const agent = new Made(url(proxy, ""));
      await got({ agent, host: "127.0.0.1", port: port(inside), path: `/${Made.name}` });
      agent.destroy();
    }
  };
  const allowed = propagate({ to: ["127.0.0.1"] });
  results.proxies = await received(proxied);
  // Node's own: versions that do not know the option connect to the destination itself.
  const byNode = new http.Agent({ proxyEnv: { HTTP_PROXY: url(proxy, "") } });
  results.proxyOfNode = await during(() => got({ agent: byNode, host: "127.0.0.1", port: port(inside), path: "/env" }));
  byNode.destroy();
  allowed.stop();
  const any = propagate({ to: "any", headerName: "X-Correlation-Id" });
  results.any = await received(async () => {
    await everywhere();
    await got({ socketPath: path, path: "/unix" });
    await proxied();
  });
  results.connected = await during(() =>
    got({ host: "127.0.0.1", port: port(proxy), method: "CONNECT", path: to }).then(() => undefined),
  );
  any.stop();
  any.stop();
}
for (const name of undicis) {
  const undici = require(name);
  const former = undici.getGlobalDispatcher();
  undici.setGlobalDispatcher(new undici.Agent().compose((dispatch) => dispatch));
  const any = propagate({ to: "any", headerName: "X-Correlation-Id" });
  const pool = new undici.Pool(url(outside, ""), { connections: 1 });
  results[name].any = await received(async () => {
    await (await undici.request(url(inside, "/1"))).body.text();
    await (await undici.fetch(url(inside, "/composed"))).text();
    await (await pool.request({ path: "/pool", method: "GET" })).body.text();
    await (await undici.fetch(url(outside, "/fetched"), { dispatcher: pool })).text();
  });
  any.stop();
  undici.setGlobalDispatcher(former);
  await pool.destroy();
  const agent = new undici.Agent().compose(undiciInterceptor({ origins }));
  const spelt = [`127.0.0.1`, `127.1`, `2130706433`, `0x7f.1`, `[::ffff:127.0.0.1]`, `localhost`];
  results[name].literals = await received(async () => {
    for (const host of spelt) {
      const origin = `http://${host}:${port(inside)}`;
      const asked = undici.request(`${origin}/${host.replaceAll(/\W/g, "-")}`, { dispatcher: agent });
      await asked.then(({ body }) => body.text()).catch(() => undefined); // without IPv6
    }
  });
  await agent.destroy();
}
await new Promise((resolve) => setTimeout(resolve, 5));
results.warnings = warnings.filter((code) => code?.startsWith("MOONPACK"));
for (const server of [inside, outside, unix, proxy]) {
  server.closeAllConnections();
  server.close();
}
process.stdout.write(JSON.stringify(results), () => process.exit(0));
