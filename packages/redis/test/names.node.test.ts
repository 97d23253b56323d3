/** Untrusted names: invalid UTF-8, duplicates in an entry, array indices; and names that callers pass. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RedisValueError, type RedisValues, redisValues } from "../src/index.ts";
import { caught } from "./harness/caught.ts";
import { CLIENTS, type TestClient } from "./harness/clients.ts";
import { isLeftOut, startServer, type TestServer } from "./harness/server.ts";

/** A script, because command arguments of clients cannot hold invalid UTF-8. */
const FILL = `
redis.call("DEL", "names", "twice", "hash", "true")
redis.call("XADD", "names", "1-1", "a\\255", "\\1", "a\\254", "\\2", "good", "\\3")
redis.call("XADD", "names", "2-1", "good", "\\4")
redis.call("XADD", "twice", "1-1", "a", "\\1", "b", "\\2", "a", "\\3")
redis.call("HSET", "hash", "a\\255", "\\1", "a\\254", "\\2", "good", "\\3")
redis.call("HSET", "true", "a\\239\\191\\189", "\\1", "b", "\\2")`;

describe.skipIf(isLeftOut)("names", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server?.stop());

  describe.each(Object.entries(CLIENTS))("%s", (_, connect) => {
    let one: TestClient;
    let values: RedisValues<unknown, unknown>;
    beforeAll(async () => {
      one = await connect(server.port);
      await one.command("FLUSHALL");
      await one.command("EVAL", FILL, "0");
      values = redisValues(one.client);
    });
    afterAll(() => one?.close());

    test("a field whose name is not UTF-8 is an error; with undecodable: keep, in the place of its value", async () => {
      const place = { name: "RedisValueError", code: "ERR_INVALID_UTF8", field: "a\ufffd" };
      const entry = await caught<RedisValueError>(values.xRange("names"));
      expect(entry).toMatchObject({ ...place, key: "names", entry: "1-1" });
      expect([...entry.bytes]).toEqual([1]);
      expect(await caught(values.hGetAll("hash"))).toMatchObject({ ...place, key: "hash" });
      const kept = redisValues(one.client, { undecodable: "keep" });
      const [first, second] = await kept.xRange("names");
      expect(first!.fields).toMatchObject({ "a\ufffd": { name: "RedisValueError" }, good: 3 });
      expect(second!.fields).toEqual({ good: 4 });
      expect(await kept.hGetAll("hash")).toMatchObject({ "a\ufffd": { name: "RedisValueError" }, good: 3 });
      expect(await values.hGetAll("true")).toEqual({ "a\ufffd": 1, b: 2 });
    });

    test("a duplicate field in an entry is an error, and cannot be written", async () => {
      const twice = { name: "RedisValueError", code: "ERR_DUPLICATE_KEY", key: "twice", field: "a", entry: "1-1" };
      expect(await caught(values.xRange("twice"))).toMatchObject(twice);
      const kept = redisValues(one.client, { undecodable: "keep" });
      expect((await kept.xRange("twice"))[0]!.fields).toMatchObject({ a: twice, b: 2 });
      const pairs = [
        ["a", 1],
        ["a", 2],
      ] as const;
      expect(await caught(values.xAdd("written", pairs))).toMatchObject({ code: "ERR_INVALID_ARGUMENT" });
      expect(Number(await one.command("EXISTS", "written"))).toBe(0);
      expect(await caught(values.xRead({ twice: "0" }))).toMatchObject(twice);
      await one.command("XGROUP", "CREATE", "twice", "g", "0");
      expect(await caught(values.xReadGroup("g", "c", { twice: ">" }))).toMatchObject(twice);
    });

    test("fields that are array indices allocate no arrays", async () => {
      const count = 4000;
      await one.command("EVAL", `for i = 1, ${count} do redis.call("XADD", "indices", "*", "1023", "\\1") end`, "0");
      const before = process.memoryUsage().heapUsed;
      const entries = await values.xRange("indices");
      const after = process.memoryUsage().heapUsed;
      expect(entries.length).toBe(count);
      expect(entries.at(-1)!.fields).toEqual({ 1023: 1 });
      // As arrays they would take 12 KB each, 48 MB.
      expect(after - before).toBeLessThan(30e6);
    });

    test("texts with a lone surrogate are refused before a command is sent", async () => {
      const lone = "k\ud800";
      const calls = [
        values.get(lone),
        values.set(lone, 1),
        values.mGet(["a", lone]),
        values.mSet({ a: 1, [lone]: 1 }),
        values.hGet(lone, "a"),
        values.hGet("h", lone),
        values.hMGet(lone, ["a"]),
        values.hMGet("h", [lone]),
        values.hGetAll(lone),
        values.hSet(lone, { a: 1 }),
        values.hSet("h", new Map([[lone, 1]])),
        values.xAdd(lone, { a: 1 }),
        values.xAdd("s", { [lone]: 1 }),
        values.xAdd("s", { a: 1 }, { id: lone }),
        values.xRange(lone),
        values.xRange("s", lone),
        values.xRange("s", "-", lone),
        values.xRead({ [lone]: "0" }),
        values.xRead({ s: lone }),
        values.xReadGroup(lone, "c", { s: ">" }),
        values.xReadGroup("g", lone, { s: ">" }),
        values.xReadGroup("g", "c", { [lone]: ">" }),
        values.publish(lone, 1),
        values.subscribe(lone, () => undefined),
      ];
      for (const call of calls) {
        const error = await caught<RedisValueError>(call);
        expect([error.code, error.message]).toEqual(["ERR_INVALID_UTF8", expect.stringContaining('"k\\ud800"')]);
      }
      expect(Number(await one.command("EXISTS", "k\ufffd", "h", "s", "a"))).toBe(0);
    });

    test("anything but text is refused before a command is sent: ioredis makes several words of an array", async () => {
      const list = ["h", "a", "1"] as never;
      const calls = [
        values.get(list),
        values.set(list, 1),
        values.mGet([list]),
        values.mGet("ab" as never),
        values.mSet([[list, 1]]),
        values.hGet("h", list),
        values.hMGet("h", [list]),
        values.hSet(list, { b: 1 }),
        values.hSet("h", [[list, 1]]),
        values.xAdd(list, { a: 1 }),
        values.xAdd("s", { a: 1 }, { id: list }),
        values.xRange("s", list),
        values.xRead({ s: list }),
        values.xReadGroup(list, "c", { s: ">" }),
        values.publish(list, 1),
        values.subscribe(list, () => undefined),
        values.get(7 as never),
        values.get(undefined as never),
      ];
      for (const call of calls) expect(await caught(call)).toMatchObject({ code: "ERR_INVALID_ARGUMENT" });
      expect(Number(await one.command("EXISTS", "h", "s"))).toBe(0);
    });
  });
});
