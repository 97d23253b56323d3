// Global dispatchers of undici, and dispatchers with the interceptor. Prints what each server received, as JSON.
import { once } from "node:events";
import http from "node:http";
import https from "node:https";
import { createRequire } from "node:module";
import { propagate, runWithId, undiciInterceptor } from "@moonpack/trace";
import { tunnel } from "./tunnel.mjs";

const [name] = process.argv.slice(2);
const undici = createRequire(import.meta.url)(name);
const { Agent, Client, EnvHttpProxyAgent, MockAgent, Pool, ProxyAgent, RetryAgent } = undici;

const seen = [];
const note = (server) => (request, response) => {
  const { "x-request-id": id = null } = request.headers;
  seen.push(`${server} ${id}`);
  const to = new URL(request.url, "http://x").searchParams.get("to");
  if (to !== null) response.writeHead(302, { location: to });
  response.end("x");
};

/** TLS by a key that both sides know: no certificate is needed. */
const secret = { ciphers: "PSK+AES128", minVersion: "TLSv1.2", maxVersion: "TLSv1.2" };
const psk = Buffer.alloc(32, 7);
const serverSide = { ...secret, pskCallback: () => psk, pskIdentityHint: "a" };
const requestTls = { ...secret, pskCallback: () => ({ psk, identity: "a" }), checkServerIdentity: () => undefined };

async function listening(server) {
  await once(server.listen(0, "127.0.0.1"), "listening");
  return server;
}
const inside = await listening(http.createServer(note("inside")));
const outside = await listening(http.createServer(note("outside")));
const secureInside = await listening(https.createServer(serverSide, note("secure inside")));
const secureOutside = await listening(https.createServer(serverSide, note("secure outside")));
const proxy = await listening(http.createServer(note("proxy")));
proxy.on("connect", tunnel);
const host = (server) => `127.0.0.1:${server.address().port}`;
const to = [host(inside), host(secureInside)];
const elsewhere = `http://${host(outside)}`;
const plain = `http://${host(inside)}/a?to=${encodeURIComponent(elsewhere)}`;
const secure = `https://${host(secureInside)}/a?to=${encodeURIComponent(`https://${host(secureOutside)}`)}`;
const uri = `http://${host(proxy)}`;

/** The headers that servers receive with two requests through a global dispatcher. */
async function received(dispatcher, url, ask = undici.request) {
  const former = undici.getGlobalDispatcher();
  undici.setGlobalDispatcher(dispatcher);
  const outgoing = propagate({ to });
  const lines = await receivedBy(() => ask(url));
  outgoing.stop();
  undici.setGlobalDispatcher(former);
  return lines;
}

/** The headers that servers receive with two requests. */
async function receivedBy(ask) {
  seen.length = 0;
  await runWithId(async () => {
    for (let i = 0; i < 2; i++) {
      const answer = await ask().catch(() => undefined);
      await answer?.body?.text?.();
    }
  }, "mine");
  return [...new Set(seen.splice(0))];
}

const redirect = undici.interceptors.redirect({ maxRedirections: 3 });
const kinds = {
  Agent: () => new Agent({ connections: 1 }),
  composed: () => new Agent().compose((dispatch) => (options, handler) => dispatch(options, handler)),
  RetryAgent: () => new RetryAgent(new Agent()),
  EnvHttpProxyAgent: () => new EnvHttpProxyAgent(),
  MockAgent: () => {
    const agent = new MockAgent();
    agent.enableNetConnect();
    return agent;
  },
};
const results = { plain: {} };
for (const [kind, make] of Object.entries(kinds)) results.plain[kind] = await received(make(), plain);
results.tunnel = await received(new ProxyAgent({ uri, requestTls }), secure);

// The order of interceptors: one for redirects that comes first repeats the headers.
const ours = () => undiciInterceptor({ origins: (origin) => to.includes(origin.host) });
const through = (dispatcher, url = plain) => receivedBy(() => undici.request(url, { dispatcher }));
results.wrongOrder = await through(new Agent().compose(redirect, ours()));
results.rightOrder = await through(new Agent().compose(ours(), redirect));
results.composedTwice = await through(new Agent().compose(ours(), ours()));

// A Client and a Pool: their requests carry headers if they name an allowed origin.
const origin = `http://${host(inside)}`;
for (const Made of [Client, Pool]) {
  const dispatcher = new Made(origin).compose(ours());
  const ask = (more) => receivedBy(() => dispatcher.request({ path: "/", method: "GET", ...more }));
  results[Made.name] = [
    await ask({ origin }),
    await ask({ origin: new URL(origin) }),
    await ask({ origin: elsewhere }),
  ];
}

// Interceptors that are added to the proxy of the global dispatcher: redirects pass the proxy at each hop.
{
  const former = undici.getGlobalDispatcher();
  undici.setGlobalDispatcher(new Agent());
  const first = propagate({ to: "nowhere.example" });
  const composed = undici.getGlobalDispatcher().compose(redirect);
  results.composedSince = await received(composed, plain);
  first.stop();
  undici.setGlobalDispatcher(former);
}

// A dispatcher that is set while propagate is active carries headers from its second request on.
{
  const former = undici.getGlobalDispatcher();
  const outgoing = propagate({ to });
  undici.setGlobalDispatcher(new Agent());
  results.setSince = await receivedBy(() => undici.request(`${origin}/`));
  outgoing.stop();
  undici.setGlobalDispatcher(former);
}

// Node's fetch with the wrapper that undici 8 makes for it.
results.nodeFetch = await received(new Agent(), `${origin}/`, fetch);

// Node's agent with a proxy of the environment, which has changed since.
const env = { HTTP_PROXY: uri };
const agent = new http.Agent({ proxyEnv: env });
delete env.HTTP_PROXY;
const outgoing = propagate({ to });
await runWithId(
  () => new Promise((resolve) => http.get(plain, { agent }, (response) => response.resume().on("end", resolve))),
  "mine",
);
outgoing.stop();
results.proxyEnv = seen.splice(0);

process.stdout.write(JSON.stringify(results), () => process.exit(0));
