// Global dispatchers of undici of all kinds, which end elsewhere than a request says. Prints who received what, as JSON.
import { once } from "node:events";
import http from "node:http";
import https from "node:https";
import { createRequire } from "node:module";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { propagate, runWithId, undiciInterceptor } from "@moonpack/trace";
import { tunnel } from "./tunnel.mjs";

const [name] = process.argv.slice(2);
const undici = createRequire(import.meta.url)(name);
const { Agent, BalancedPool, Client, EnvHttpProxyAgent, MockAgent, Pool, ProxyAgent, RetryAgent } = undici;

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

async function listening(server, where = [0, "127.0.0.1"]) {
  await once(server.listen(...where), "listening");
  return server;
}
const path = join(tmpdir(), `moonpack-trace-dispatchers-${process.pid}.sock`);
const inside = await listening(http.createServer(note("inside")));
const outside = await listening(http.createServer(note("outside")));
await listening(http.createServer(note("unix")), [path]);
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

/** What servers receive by two requests through a global dispatcher: the second goes by what the first has made. */
async function received(dispatcher, url, ask = undici.request) {
  const former = undici.getGlobalDispatcher();
  undici.setGlobalDispatcher(dispatcher);
  const outgoing = propagate({ to });
  const lines = await receivedBy(() => ask(url));
  outgoing.stop();
  undici.setGlobalDispatcher(former);
  return lines;
}

/** The same by requests of any kind, without `propagate`. */
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

const isOld = undici.createRedirectInterceptor !== undefined; // undici 6
const redirect = undici.interceptors.redirect({ maxRedirections: 3 });
const legacy = () => undici.createRedirectInterceptor({ maxRedirections: 3 });
const connectElsewhere = (_options, callback) => {
  const socket = connect(outside.address().port, "127.0.0.1", () => callback(null, socket));
};
/** Of the name that undici's class has. */
const overriding = () => {
  const Sending = class Agent extends undici.Agent {
    dispatch(options, handler) {
      return super.dispatch({ ...options, origin: elsewhere }, handler);
    }
  };
  return new Sending();
};
const withInterceptors = () => {
  const agent = new Agent();
  agent.interceptors = [legacy()];
  return agent;
};

const kinds = {
  plain: () => new Agent(),
  options: () =>
    new Agent({ connections: 2, keepAliveTimeout: 10, connectTimeout: 5000, connect: { keepAlive: true } }),
  client: () => new Agent({ connections: 1 }),
  socketPath: () => new Agent({ socketPath: path }),
  "connect.socketPath": () => new Agent({ connect: { socketPath: path } }),
  "connect.path": () => new Agent({ connect: { path } }),
  "tls.path": () => new Agent({ tls: { path } }),
  connector: () => new Agent({ connect: connectElsewhere }),
  factory: () => new Agent({ factory: (_origin, options) => new Pool(elsewhere, options) }),
  composed: () => new Agent().compose(redirect),
  overriding,
  Client: () => new Client(elsewhere),
  Pool: () => new Pool(elsewhere),
  BalancedPool: () => new BalancedPool([elsewhere]),
  RetryAgent: () => new RetryAgent(new Agent().compose(redirect)),
  MockAgent: () => {
    const agent = new MockAgent();
    agent.enableNetConnect();
    return agent;
  },
  EnvHttpProxyAgent: () => new EnvHttpProxyAgent(),
  "EnvHttpProxyAgent, proxy": () => new EnvHttpProxyAgent({ httpProxy: uri, proxyTunnel: false }),
  "EnvHttpProxyAgent, path": () => new EnvHttpProxyAgent({ connect: { path } }),
  ...(isOld && {
    maxRedirections: () => new Agent({ maxRedirections: 3 }),
    "interceptors.Agent": () => new Agent({ interceptors: { Agent: [legacy()] } }),
    "interceptors.Pool": () => new Agent({ interceptors: { Pool: [legacy()] } }),
    "interceptors.Client": () => new Agent({ interceptors: { Client: [legacy()] } }),
    "interceptors, set": withInterceptors,
  }),
};
const proxies = {
  ProxyAgent: () => new ProxyAgent({ uri, requestTls }),
  "ProxyAgent, client": () => new ProxyAgent({ uri, requestTls, connections: 1 }),
  "ProxyAgent, factory": () =>
    new ProxyAgent({ uri, requestTls, factory: (origin, options) => new Pool(origin, options).compose(redirect) }),
  "EnvHttpProxyAgent, tunnel": () => new EnvHttpProxyAgent({ httpsProxy: uri, requestTls }),
  "EnvHttpProxyAgent, factory": () =>
    new EnvHttpProxyAgent({
      httpsProxy: uri,
      requestTls,
      factory: (origin, options) => new Pool(origin, options).compose(redirect),
    }),
  ...(isOld && {
    "ProxyAgent, maxRedirections": () => new ProxyAgent({ uri, requestTls, maxRedirections: 3 }),
    "ProxyAgent, interceptors": () => new ProxyAgent({ uri, requestTls, interceptors: { Agent: [legacy()] } }),
  }),
};

const results = { plain: {}, secure: {} };
for (const [kind, make] of Object.entries(kinds)) results.plain[kind] = await received(make(), plain);
for (const [kind, make] of Object.entries(proxies)) results.secure[kind] = await received(make(), secure);

// Composed in the wrong order: redirects are followed behind our back.
const wrong = new Agent().compose(redirect, undiciInterceptor({ to }));
const right = new Agent().compose(undiciInterceptor({ to }), redirect);
const through = (dispatcher) => (url) => undici.request(url, { dispatcher });
results.wrongOrder = await received(new Agent(), plain, through(wrong));
results.rightOrder = await received(new Agent(), plain, through(right));

// Dispatchers that are composed with the interceptor: next to it stands one whose way is known, or another one.
const ours = (more) => undiciInterceptor({ to, ...more });
const asked = (more) => (dispatcher) => dispatcher.compose(ours(more));
const origin = `http://${host(inside)}`;
const redirecting = () => new Agent().compose(redirect);
class Own extends undici.Dispatcher {
  #agent = redirecting();
  dispatch(options, handler) {
    return this.#agent.dispatch(options, handler);
  }
}
/** Composes what the global dispatcher is while `propagate` watches it. */
const watched = (dispatcher, compose) => {
  const former = undici.getGlobalDispatcher();
  undici.setGlobalDispatcher(dispatcher);
  const outgoing = propagate({ to: "nowhere.example" });
  const composed = compose(undici.getGlobalDispatcher());
  outgoing.stop();
  undici.setGlobalDispatcher(former);
  return composed;
};
const known = {
  Agent: () => asked()(new Agent()),
  "Agent, options": () => asked()(new Agent({ connections: 2, connect: { keepAlive: true } })),
  "Agent, another after": () => asked()(new Agent()).compose(redirect),
  "Agent, origin": () => asked({ origin })(new Agent()),
  global: () => asked()(undici.getGlobalDispatcher()),
  watched: () => watched(new Agent(), asked()),
  Pool: () => asked({ origin })(new Pool(origin)),
  "Pool, connections": () => asked({ origin })(new Pool(origin, { connections: 1 })),
  Client: () => asked({ origin })(new Client(origin)),
};
const toElsewhere = { connect: connectElsewhere };
const unknown = {
  composed: () => asked()(redirecting()),
  "composed, same call": () => new Agent().compose(redirect, ours()),
  "composed, bound": () => {
    const agent = redirecting();
    return agent.compose(() => ours()(agent.dispatch.bind(agent)));
  },
  "an agent's own, bound": () => {
    const agent = new Agent();
    const inner = redirecting();
    const dispatch = (options, handler) => inner.dispatch(options, handler);
    return agent.compose(() => ours()(dispatch.bind(agent)));
  },
  Own: () => asked()(new Own()),
  overriding: () => asked()(overriding()),
  RetryAgent: () => asked()(new RetryAgent(redirecting())),
  watched: () => watched(redirecting(), asked()),
  "watched, composed since": () => watched(new Agent(), (agent) => asked()(agent.compose(redirect))),
  Pool: () => asked()(new Pool(elsewhere)),
  Client: () => asked()(new Client(elsewhere)),
  BalancedPool: () => asked()(new BalancedPool([elsewhere])),
  "Pool, factory": () =>
    asked({ origin })(new Pool(origin, { factory: (where, options) => new Client(where, options).compose(redirect) })),
  connector: () => asked()(new Agent(toElsewhere)),
  "connect.socketPath": () => asked()(new Agent({ connect: { socketPath: path } })),
  factory: () => asked()(new Agent({ factory: (_origin, options) => new Pool(elsewhere, options) })),
  ProxyAgent: () => asked()(new ProxyAgent({ uri, proxyTunnel: false })),
  ...(isOld && {
    maxRedirections: () => asked()(new Agent({ maxRedirections: 3 })),
    "Pool, maxRedirections": () => asked({ origin })(new Pool(origin, { maxRedirections: 3 })),
    "Client, maxRedirections": () => asked({ origin })(new Client(origin, { maxRedirections: 3 })),
    "interceptors.Agent": () => asked()(new Agent({ interceptors: { Agent: [legacy()] } })),
    "interceptors.Pool": () => asked({ origin })(new Pool(origin, { interceptors: { Client: [legacy()] } })),
  }),
};
const toInside = `${origin}/`;
results.known = {};
results.unknown = {};
for (const [kind, make] of Object.entries(known)) {
  const dispatcher = make();
  results.known[kind] = await receivedBy(() => through(dispatcher)(toInside));
}
for (const [kind, make] of Object.entries(unknown)) {
  const dispatcher = make();
  results.unknown[kind] = await receivedBy(() => through(dispatcher)(plain));
}
const trusting = asked({ trustDispatcher: true })(new Agent(toElsewhere));
results.trusted = await receivedBy(() => through(trusting)(toInside));

// A dispatcher that is composed of the watched global one, and set in its place.
{
  const former = undici.getGlobalDispatcher();
  undici.setGlobalDispatcher(new Agent());
  const first = propagate({ to: "nowhere.example" });
  const composed = undici.getGlobalDispatcher().compose(redirect);
  results.composedSince = await received(composed, plain);
  first.stop();
  undici.setGlobalDispatcher(former);
}

// A wrapper of undici 8 for Node's own fetch, around another dispatcher than the global one.
const own = Symbol.for("undici.globalDispatcher.1");
if (undici.Dispatcher1Wrapper !== undefined) {
  const without = `http://${host(inside)}/`;
  results.wrapper = await received(new Agent(), without, fetch);
  const setElsewhere = (url) => {
    const former = globalThis[own];
    Reflect.set(globalThis, own, new undici.Dispatcher1Wrapper(new Agent({ connect: { path } })));
    const outgoing = propagate({ to });
    return fetch(url).finally(() => {
      outgoing.stop();
      Reflect.set(globalThis, own, former);
    });
  };
  seen.length = 0;
  await runWithId(() => setElsewhere(without), "mine");
  results.otherWrapper = seen.splice(0);
}

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
