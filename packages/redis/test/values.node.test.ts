/** Values through every client: round trips, and errors for everything else. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { framed, type RedisValueError, type RedisValues, redisValues } from "../src/index.ts";
import { caught } from "./harness/caught.ts";
import { CLIENTS, type TestClient } from "./harness/clients.ts";
import { isLeftOut, startServer, type TestServer } from "./harness/server.ts";
import { ada, User, UserV1 } from "./harness/user.ts";

const VALUES = [
  null,
  false,
  0,
  53,
  -1,
  1.5,
  2n ** 63n,
  "",
  "é",
  "{}",
  [],
  {},
  { a: [1, { b: null }], at: new Date(5), bytes: new Uint8Array([0, 10, 13, 255]) },
];

describe.skipIf(isLeftOut)("values", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server?.stop());

  describe.each(Object.entries(CLIENTS))("%s", (client, connect) => {
    let one: TestClient;
    let values: RedisValues<unknown, unknown>;
    beforeAll(async () => {
      one = await connect(server.port);
      await one.command("FLUSHALL");
      values = redisValues(one.client);
    });
    afterAll(() => one?.close());

    test("get and set", async () => {
      for (const [i, value] of VALUES.entries()) {
        expect(await values.set(`value:${i}`, value)).toBe(true);
        expect(await values.get(`value:${i}`)).toEqual(value);
      }
      expect(await values.get("missing")).toBeUndefined();
      expect(await values.set("__proto__", 1)).toBe(true);
      expect(await values.get("__proto__")).toBe(1);
    });

    test("options of set", async () => {
      expect(await values.set("lives", 1, { ttl: 60_000 })).toBe(true);
      const left = Number(await one.command("PTTL", "lives"));
      expect(left).toBeGreaterThan(0);
      expect(left).toBeLessThanOrEqual(60_000);
      expect(await values.set("lives", 2, { keepTtl: true, condition: "XX" })).toBe(true);
      expect(Number(await one.command("PTTL", "lives"))).toBeGreaterThan(0);
      expect(await values.set("lives", 3, { condition: "NX" })).toBe(false);
      expect(await values.get("lives")).toBe(2);
      expect(await values.set("lives", 4)).toBe(true);
      expect(Number(await one.command("PTTL", "lives"))).toBe(-1);
      expect(await values.set("absent", 1, { condition: "XX" })).toBe(false);
    });

    test("several keys", async () => {
      await values.mSet({ "m:1": { a: 1 }, "m:2": "two" });
      await values.mSet(new Map([["m:3", [3]]]));
      expect(await values.mGet(["m:2", "none", "m:3", "m:1"])).toEqual(["two", undefined, [3], { a: 1 }]);
      await values.mSet({});
      expect(await values.mGet([])).toEqual([]);
    });

    test("hashes", async () => {
      expect(await values.hSet("h", { a: 1, "10": [2], b: null })).toBe(3);
      expect(
        await values.hSet(
          "h",
          new Map<string, unknown>([
            ["a", 5],
            ["__proto__", { x: 1 }],
          ]),
        ),
      ).toBe(1);
      expect(await values.hGet("h", "a")).toBe(5);
      expect(await values.hGet("h", "none")).toBeUndefined();
      expect(await values.hMGet("h", ["b", "none", "10"])).toEqual([null, undefined, [2]]);
      expect(await values.hMGet("h", [])).toEqual([]);
      const all = await values.hGetAll("h");
      expect(Object.entries(all).sort()).toEqual([
        ["10", [2]],
        ["__proto__", { x: 1 }],
        ["a", 5],
        ["b", null],
      ]);
      expect(await values.hGetAll("none")).toEqual({});
      expect(await values.hSet("h", {})).toBe(0);
    });

    test("streams and groups", async () => {
      const first = await values.xAdd("s", { at: new Date(5), reading: { celsius: 21.5 } });
      const second = await values.xAdd("s", new Map([["reading", -1]]), { maxLength: 1000 });
      const entries = [
        { id: first, fields: { at: new Date(5), reading: { celsius: 21.5 } } },
        { id: second, fields: { reading: -1 } },
      ];
      expect(await values.xRange("s")).toEqual(entries);
      expect(await values.xRange("s", "-", "+", { count: 1 })).toEqual(entries.slice(0, 1));
      expect(await values.xRange("s", `(${first}`)).toEqual(entries.slice(1));
      expect(await values.xRange("none")).toEqual([]);
      expect(await values.xRead({ s: "0", none: "0" })).toEqual([{ key: "s", entries }]);
      expect(await values.xRead({ s: first }, { count: 5, block: 1 })).toEqual([
        { key: "s", entries: entries.slice(1) },
      ]);
      expect(await values.xRead({ s: second })).toEqual([]);
      expect(await values.xRead({ s: second }, { block: 1 })).toEqual([]);
      await one.command("XGROUP", "CREATE", "s", "g", "0");
      expect(await values.xReadGroup("g", "c", { s: ">" }, { count: 1 })).toEqual([
        { key: "s", entries: entries.slice(0, 1) },
      ]);
      expect(await values.xReadGroup("g", "c", { s: "0" })).toEqual([{ key: "s", entries: entries.slice(0, 1) }]);
      await one.command("XACK", "s", "g", first);
      expect(await values.xReadGroup("g", "c", { s: "0" })).toEqual([{ key: "s", entries: [] }]);
      expect(await values.xAdd("own", { a: 1 }, { id: "7-1" })).toBe("7-1");
    });

    test("counts of entries are checked: Redis treats 0 as all or as none", async () => {
      for (const count of [0, -1, 1.5, Number.NaN]) {
        const calls = [
          values.xRange("s", "-", "+", { count }),
          values.xRead({ s: "0" }, { count }),
          values.xReadGroup("g", "c", { s: ">" }, { count }),
          values.xAdd("s", { a: 1 }, { maxLength: count }),
          values.xRead({ s: "0" }, { block: count - 1 }),
        ];
        for (const call of calls) expect(await caught(call)).toMatchObject({ code: "ERR_INVALID_ARGUMENT" });
      }
    });

    test("a byte order mark of a name is kept", async () => {
      const pairs = [
        ["\ufeffa", 1],
        ["a", 2],
      ] as const;
      await values.hSet("marked", pairs);
      expect(Object.entries(await values.hGetAll("marked")).sort()).toEqual([...pairs].sort());
      await values.xAdd("\ufeffmarked", pairs);
      const [stream] = await values.xRead({ "\ufeffmarked": "0" });
      expect(stream).toMatchObject({ key: "\ufeffmarked", entries: [{ fields: Object.fromEntries(pairs) }] });
    });

    test("more values than a function call may have arguments", async () => {
      const pairs = Array.from({ length: 150_000 }, (_, i) => [`many:${i}`, i] as const);
      await values.mSet(pairs);
      expect(await values.hSet("many", pairs)).toBe(pairs.length);
      // node-redis 5 itself passes names as arguments of a call.
      if (client.startsWith("node-redis 5")) return;
      const names = pairs.map(([name]) => name);
      const read = await values.mGet(names);
      expect(read.length).toBe(pairs.length);
      expect(read.findIndex((value, i) => value !== i)).toBe(-1);
      expect((await values.hMGet("many", names)).at(-1)).toBe(pairs.length - 1);
    });

    test("a schema, and values of an older one", async () => {
      const users = redisValues(one.client, { codec: framed(User, { older: [UserV1] }) });
      await users.set("user:7", ada);
      expect(await users.get("user:7")).toEqual(ada);
      const old = redisValues(one.client, { codec: framed(UserV1) });
      await old.set("user:8", { id: 8, name: "Bob" });
      expect(await users.get("user:8")).toEqual({ id: 8, name: "Bob", level: 1, city: null });
      const error = await caught<RedisValueError>(old.get("user:7"));
      expect([error.code, error.key]).toEqual(["ERR_FINGERPRINT", "user:7"]);
    });

    test("undecodable values are errors with their place and bytes", async () => {
      await one.command("SET", "text", '{"a":1}');
      await one.command("SET", "cut", "\x82\x01");
      await one.command("HSET", "mixed", "bad", "[1,2]");
      await values.hSet("mixed", { good: 1 });
      const id = await values.xAdd("poison", { good: 1 });
      const poison = String(await one.command("XADD", "poison", "*", "bad", "hello there"));

      const text = await caught<RedisValueError>(values.get("text"));
      expect(text.message).toBe(
        'the value at key "text": is text or JSON of another writer; json: true also reads JSON (at byte 0)',
      );
      expect([text.name, text.code, text.key, text.field]).toEqual([
        "RedisValueError",
        "ERR_REDIS_TEXT",
        "text",
        undefined,
      ]);
      expect(Buffer.from(text.bytes).toString()).toBe('{"a":1}');
      expect((await caught<RedisValueError>(values.mGet(["m:1", "text"]))).key).toBe("text");
      const field = await caught<RedisValueError>(values.hGetAll("mixed"));
      expect([field.code, field.key, field.field]).toEqual(["ERR_REDIS_TEXT", "mixed", "bad"]);
      const entry = await caught<RedisValueError>(values.xRead({ poison: "0" }));
      expect([entry.key, entry.field, entry.entry]).toEqual(["poison", "bad", poison]);
      expect(entry.message).toContain(`field "bad" of entry ${poison} at key "poison": `);

      const kept = redisValues(one.client, { undecodable: "keep" });
      expect(await kept.mGet(["text", "none", "m:2"])).toEqual([text, undefined, "two"]);
      const { good, bad } = await kept.hGetAll("mixed");
      expect([good, (bad as RedisValueError).code]).toEqual([1, "ERR_REDIS_TEXT"]);
      const [stream] = await kept.xRead({ poison: "0" });
      expect(stream!.entries.map((each) => each.id)).toEqual([id, poison]);
      expect(stream!.entries[0]!.fields).toEqual({ good: 1 });
    });

    test("the client's own commands are unchanged", async () => {
      await one.command("SET", "plain", "é");
      expect(await one.command("GET", "plain")).toBe("é");
    });

    test("an error of the server is its client's error", async () => {
      await one.command("SET", "scalar", "1");
      const error = await caught<Error>(values.hGetAll("scalar"));
      expect(error.message).toContain("WRONGTYPE");
    });

    test("nothing is sent if a value cannot be encoded", async () => {
      const error = await caught<{ code: string }>(values.mSet({ "e:1": 1, "e:2": () => 1 }));
      expect(error.code).toBe("ERR_UNSUPPORTED_TYPE");
      expect(await values.get("e:1")).toBeUndefined();
    });
  });
});
