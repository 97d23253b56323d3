/** The time to live of sessions, and when they are readable. A fake map records its calls. */
import type { Session } from "express-session";
import type { IMap } from "hazelcast-client";
import { afterEach, expect, test, vi } from "vitest";
import { sessionStore } from "../src/index.ts";

/** Sets and touches a session with this cookie, and returns the map's calls. */
async function callsFor(cookie: object): Promise<unknown[]> {
  const calls: unknown[] = [];
  const map = {
    set: async (key: string, value: unknown, ttl: number) => void calls.push(["set", key, value, ttl]),
    setTtl: async (key: string, ttl: number) => void calls.push(["setTtl", key, ttl]),
    delete: async (key: string) => void calls.push(["delete", key]),
  };
  const store = sessionStore(map as never, { ttl: 7000, prefix: "p:" });
  await new Promise((resolve) => store.set("a", { cookie }, resolve));
  await new Promise((resolve) => store.touch("a", { cookie }, resolve));
  return calls;
}

afterEach(() => vi.useRealTimers());

// A member ended `maxAge: 1500` after 929 ms.
test.each([
  [1, 2000],
  [900, 2000],
  [1000, 2000],
  [1500, 3000],
])("%d ms to live are %d for members: they count whole seconds, and round down when an entry began", async (left, ttl) => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const cookie = { expires: new Date(Date.now() + left) };
  expect(await callsFor(cookie)).toEqual([
    ["set", "p:a", { cookie }, ttl],
    ["setTtl", "p:a", ttl],
  ]);
});

test.each([{ foo: 1 }, { cookie: null }, { cookie: "text" }])("%j: a session needs a cookie", async (session) => {
  const store = sessionStore(mapInMemory().map);
  const refused = expect.objectContaining({ code: "ERR_INVALID_ARGUMENT" });
  expect(await new Promise((resolve) => store.set("a", session as never, resolve))).toEqual(refused);
  expect(await new Promise((resolve) => store.touch("a", session as never, resolve as never))).toEqual(refused);
});

test("a session whose date cannot move is over at its end, though its entry is still there", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const store = sessionStore(mapInMemory().map);
  const cookie = { expires: new Date(Date.now() + 1500) };
  await new Promise((resolve) => store.set("a", { cookie } as never, resolve));
  const get = () => new Promise<unknown>((resolve) => store.get("a", (error, found) => resolve(error ?? found)));
  vi.setSystemTime(Date.now() + 1499);
  expect(await get()).toMatchObject({ cookie });
  const all = () => new Promise<object>((resolve) => store.all((_, found) => resolve(found as never)));
  expect(Object.keys(await all())).toEqual(["a"]);
  vi.setSystemTime(Date.now() + 1);
  expect(await get()).toBeNull();
  expect(await all()).toEqual({});
});

test.each([{}, { expires: null }, { expires: "never" }])("%j: ttl applies", async (cookie) => {
  expect(await callsFor(cookie)).toEqual([
    ["set", "p:a", { cookie }, 8000],
    ["setTtl", "p:a", 8000],
  ]);
});

test.each([new Date(0), "1970-01-01T00:00:00.000Z"])("expired at %s: removed", async (expires) => {
  expect(await callsFor({ expires })).toEqual([
    ["delete", "p:a"],
    ["delete", "p:a"],
  ]);
});

test("a session that was touched beyond its first end can be saved", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const { map, entries } = mapInMemory();
  const store = sessionStore(map);
  const maxAge = 60_000;
  const first = { cookie: { originalMaxAge: maxAge, expires: new Date(Date.now() + maxAge) }, user: "ann" };
  await new Promise((resolve) => store.set("a", first, resolve));
  vi.setSystemTime(Date.now() + 100_000);
  const session = await new Promise<Session>((resolve) => store.load("a", (_, found) => resolve(found as never)));
  expect([session.cookie.maxAge, session.cookie.originalMaxAge]).toEqual([maxAge, maxAge]);
  await new Promise((resolve) => session.save(resolve));
  expect(entries.get("a")).toMatchObject({ user: "ann", cookie: { expires: new Date(Date.now() + maxAge) } });
  const all = await new Promise<object>((resolve) => store.all((_, found) => resolve(found as never)));
  expect(Object.keys(all)).toEqual(["a"]);
  // Reading does not change the map's value.
  expect(first.cookie.expires.getTime()).toBe(Date.now() - 40_000);
});

test("a near cache of objects would give several requests the same session: refused", async () => {
  const { map, entries } = mapInMemory();
  entries.set("a", { cookie: {}, cart: [] });
  const store = sessionStore(map);
  const get = () => new Promise<unknown>((resolve) => store.get("a", (error, found) => resolve(error ?? found)));
  expect(await get()).toEqual({ cookie: {}, cart: [] });
  expect(await get()).toMatchObject({ code: "ERR_INVALID_ARGUMENT", message: expect.stringContaining("BINARY") });
});

test.each([7, "text", {}, new Map([["cookie", {}]]), { cookie: "text" }])("%j is not a session", async (value) => {
  const { map, entries } = mapInMemory();
  entries.set("secret", value);
  const error = await new Promise<{ code: string; message: string }>((resolve) =>
    sessionStore(map).get("secret", (reason) => resolve(reason as never)),
  );
  expect([error.code, error.message.includes("secret")]).toEqual(["ERR_INVALID_ARGUMENT", false]);
});

/** A map that returns the objects that it holds. */
function mapInMemory() {
  const entries = new Map<string, unknown>();
  const map = {
    get: async (key: string) => entries.get(key) ?? null,
    set: async (key: string, value: unknown) => void entries.set(key, value),
    delete: async (key: string) => void entries.delete(key),
    entrySetWithPredicate: async () => [...entries],
  };
  return { map: map as unknown as IMap<string, unknown>, entries };
}
