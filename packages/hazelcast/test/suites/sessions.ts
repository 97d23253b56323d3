/** express-session with its sessions in the cluster. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import session, { type Store } from "express-session";
import { type Client, type IMap, Predicates } from "hazelcast-client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { moonpackSerialization, type SessionStore, sessionStore, Undecoded } from "../../src/index.ts";
import type { TestCluster } from "../harness/cluster.ts";

type Handler = (session: Record<string, unknown> & session.Session, done: (answer: unknown) => void) => void;

export function sessions(clusterOf: () => TestCluster): void {
  let client: Client;
  const servers: Server[] = [];
  beforeAll(async () => {
    client = await clusterOf().client({ serialization: moonpackSerialization() });
  });
  afterAll(() => {
    for (const server of servers) server.close().closeAllConnections();
  });

  const open = async (name: string): Promise<IMap<string, unknown>> => client.getMap(name);

  /** Starts a server that calls `handle`, and returns a function that sends a request with a cookie. */
  async function serve(store: Store, handle: Handler, maxAge: number | null = 60_000) {
    const options = { store, secret: "secret", resave: false, saveUninitialized: false, rolling: true };
    const middleware = session({ ...options, cookie: { maxAge: maxAge as number } });
    const server = createServer((request, response) => {
      const fail = (error: unknown) => response.writeHead(500).end(String((error as { code?: string }).code ?? error));
      middleware(request as never, response as never, (error?: unknown) => {
        if (error) fail(error);
        else handle((request as never as { session: never }).session, (answer) => response.end(JSON.stringify(answer)));
      });
      request.on("error", fail);
    }).listen(0, "127.0.0.1");
    servers.push(server);
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    return async (cookie = "") => {
      const answer = await fetch(`http://127.0.0.1:${port}/`, { headers: { cookie } });
      return { text: await answer.text(), cookie: answer.headers.get("set-cookie")?.split(";")[0] ?? cookie };
    };
  }

  test("a session is found by another server, and keeps dates, Maps and bytes", async () => {
    const map = await open("user sessions");
    const login = await serve(sessionStore(map), (current, done) => {
      Object.assign(current, {
        user: "ann",
        at: new Date(7),
        seen: new Map([
          ["a", 1],
          [2 as never, 3],
        ]),
        raw: Uint8Array.of(1),
      });
      done("in");
    });
    const { cookie } = await login();
    const look = await serve(sessionStore(map), ({ user, at, seen, raw, cookie: { originalMaxAge } }, done) =>
      done([
        user,
        at instanceof Date,
        seen instanceof Map,
        raw instanceof Uint8Array,
        Math.ceil(originalMaxAge! / 1000),
      ]),
    );
    expect((await look(cookie)).text).toBe('["ann",true,true,true,60]');
    expect((await look()).text).toBe("[null,false,false,false,60]");
    // It lives as long as its cookie.
    const [key] = await map.keySet();
    const { ttl } = (await map.getEntryView(key!))!;
    expect(Number(ttl)).toBeGreaterThan(50_000);
    expect(Number(ttl)).toBeLessThanOrEqual(61_000);
  });

  test("touch, regenerate and destroy", async () => {
    const map = await open("touched sessions");
    const store = sessionStore(map);
    let count = 0;
    const run = await serve(store, (current, done) => {
      count++;
      if (count === 1) current.user = "ann";
      if (count === 3) current.regenerate(() => done("new"));
      else if (count === 4) current.destroy(() => done("gone"));
      else done(current.user ?? null);
    });
    const { cookie } = await run();
    const [key] = await map.keySet();
    await map.setTtl(key!, 40_000);
    expect((await run(cookie)).text).toBe('"ann"'); // unchanged: it is touched
    expect(Number((await map.getEntryView(key!))!.ttl)).toBeGreaterThan(50_000);
    const renewed = await run(cookie);
    expect([renewed.text, renewed.cookie === cookie, await map.containsKey(key!)]).toEqual(['"new"', false, false]);
    expect(await map.size()).toBe(1);
    expect((await run(renewed.cookie)).text).toBe('"gone"');
    expect(await map.size()).toBe(0);
    expect((await run(cookie)).text).toBe("null");
  });

  test("ttl applies to cookies without an expiry date; an expired session is removed", async () => {
    const map = await open("short sessions");
    const store = calls(sessionStore(map, { ttl: 700_000 }));
    await store.set("a", { cookie: { originalMaxAge: null } });
    expect(Number((await map.getEntryView("a"))!.ttl)).toBe(701_000);
    await store.set("b", { cookie: { expires: new Date(Date.now() + 90_000).toISOString() } });
    expect(Number((await map.getEntryView("b"))!.ttl)).toBeLessThanOrEqual(91_000);
    await store.set("b", { cookie: { expires: new Date(0) } });
    await store.touch("a", { cookie: { expires: new Date(0) } });
    expect(await map.keySet()).toEqual([]);
    expect(await store.get("a")).toBeNull();
  });

  test("prefixes: all, length and clear know only their own sessions", async () => {
    const map = await open("several applications");
    const [first, second] = ["a.%_\\(", "axx_("].map((prefix) => calls(sessionStore(map, { prefix })));
    await first!.set("1", { cookie: {}, user: "ann" });
    await first!.set("__proto__", { cookie: {} });
    await second!.set("1", { cookie: {}, user: "ben" });
    expect([await first!.length(), await second!.length()]).toEqual([2, 1]);
    expect(Object.entries(await first!.all()).sort()).toEqual([
      ["1", { cookie: {}, user: "ann" }],
      ["__proto__", { cookie: {} }],
    ]);
    await first!.clear();
    expect([await map.keySet(), await second!.get("1")]).toEqual([["axx_(1"], { cookie: {}, user: "ben" }]);
    const whole = calls(sessionStore(map));
    expect([await whole.length(), Object.keys(await whole.all())]).toEqual([1, ["axx_(1"]]);
    await whole.clear();
    expect(await map.keySetWithPredicate(Predicates.alwaysTrue())).toEqual([]);
  });

  test("errors reach the callback", async () => {
    const keeping = await clusterOf().client({ serialization: moonpackSerialization({ undecodable: "keep" }) });
    const map = await keeping.getMap<string, unknown>("damaged sessions");
    const other = await clusterOf().client({
      serialization: moonpackSerialization({ msgpack: { encoder: { fidelity: "js" } } }),
    });
    await (await other.getMap("damaged sessions")).set("a", { cookie: {}, tags: new Set() });
    expect(await map.get("a")).toBeInstanceOf(Undecoded);
    for (const each of [map, await open("damaged sessions")])
      await expect(calls(sessionStore(each)).get("a")).rejects.toMatchObject({ code: "ERR_UNKNOWN_EXTENSION" });
    const store = calls(sessionStore(map));
    await expect(store.set("b", { cookie: {}, run: () => 1 })).rejects.toMatchObject({ code: "ERR_UNSUPPORTED_TYPE" });
    const run = await serve(sessionStore(await open("damaged sessions")), (_, done) => done("reached"));
    const signed = `connect.sid=${encodeURIComponent("s:a.0")}`; // a wrong signature: a new session
    expect((await run(signed)).text).toBe('"reached"');
    // Without callbacks nothing happens.
    sessionStore(map).destroy("unknown");
  });
}

/** The store's calls as promises. */
function calls(store: SessionStore) {
  // The store has express-session's type.
  const typed: Store = store;
  const call = <T>(run: (answer: (error: unknown, value?: T) => void) => void): Promise<T> =>
    new Promise((resolve, reject) => run((error, value) => (error ? reject(error) : resolve(value as T))));
  return {
    get: (id: string) => call((answer) => store.get(id, answer)),
    set: (id: string, value: object) => call<void>((answer) => typed.set(id, value as session.SessionData, answer)),
    touch: (id: string, value: object) => call<void>((answer) => store.touch(id, value as never, answer)),
    all: () => call<object>((answer) => store.all(answer)),
    length: () => call<number>((answer) => store.length(answer)),
    clear: () => call<void>((answer) => store.clear(answer)),
  };
}
