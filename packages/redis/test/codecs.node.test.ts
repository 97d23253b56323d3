/** Codecs and options, without a server: detection of text, refused values, ownership of memory. */
import { inspect } from "node:util";
import { array, codec, map, omitNull, REF, schema, U8, U32, utf8 } from "@moonpack/pck";
import * as fc from "fast-check";
import { encode } from "moonpack";
import { keyFlood } from "moonpack/bytes";
import { describe, expect, test } from "vitest";
import { framed, type RedisValueError, redisValues } from "../src/index.ts";
import { ada, User, UserV1 } from "./harness/user.ts";

/** A client that runs no commands. */
const client = { callBuffer: async () => null, on: () => undefined };

describe("JSON", () => {
  const both = redisValues(client, { json: true });

  test("is read beside MessagePack, and the two are never confused", () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), fc.constantFrom(undefined, 2), (value, indent) => {
        const json = JSON.stringify(value, undefined, indent);
        expect(both.decode(Buffer.from(json))).toEqual(JSON.parse(json));
        expect(both.decode(both.encode(value))).toEqual(value);
      }),
    );
    for (let i = -40; i < 300; i++) {
      expect(both.decode(both.encode(i))).toBe(i);
      expect(both.decode(Buffer.from(String(i)))).toBe(i);
    }
  });

  test("a digit of another MessagePack encoder is its integer, unless JSON is read", () => {
    const values = redisValues(client);
    expect(values.decode(encode(53))).toBe(53);
    expect(values.encode(53)).toEqual(Buffer.from([0xcc, 53]));
    expect(values.encode(58)).toEqual(Buffer.from([58]));
  });

  test("values of a schema are checked", () => {
    const users = redisValues(client, { codec: framed(User, { older: [UserV1] }), json: true });
    expect(users.decode(Buffer.from(JSON.stringify({ id: 7, name: "Ada", level: 3 })))).toEqual(ada);
    expect(users.decode(users.encode(ada))).toEqual(ada);
    expect(users.decode(framed(UserV1).encode({ id: 7, name: "Ada" }) as Buffer)).toEqual({ ...ada, level: 1 });
    const error = thrown(() => users.decode(Buffer.from('{"id":7,"name":"Ada","level":300}'), "user:7"));
    expect([error.code, error.key]).toEqual(["ERR_OUT_OF_RANGE", "user:7"]);
    expect(error.message).toContain("$.level");
  });

  test("text that is not JSON is an error", () => {
    const error = thrown(() => both.decode(Buffer.from("true or false"), "k"));
    expect([error.code, error.message]).toEqual(["ERR_REDIS_TEXT", expect.stringContaining("not JSON")]);
    expect(thrown(() => redisValues(client).decode(Buffer.from("-17"))).code).toBe("ERR_REDIS_TEXT");
  });

  test("names that are array indices allocate no arrays", () => {
    const texts = [
      '{"1023":0}',
      '{ "7": {"\\u0031023" : [{"1000":{"999":"1023"}}], "a\\"1023":1, "a\\\\":{"55":1}}, "007" :"\\"1023\\":", "4294967295":1}',
      '{"99":1,"#99":2,"##99":3,"#":4,"__proto__":{"99":1},"99":5}',
    ];
    for (const text of texts) {
      expect(both.decode(Buffer.from(text))).toEqual(JSON.parse(text));
      expect(Object.entries(both.decode(Buffer.from(text)) as object)).toEqual(Object.entries(JSON.parse(text)));
    }
    const parts = fc.constantFrom("1023", "#", '"', "\\", "7", ":", " ", "\n");
    const name = fc.array(parts, { maxLength: 5 }).map((each) => each.join(""));
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ depthSize: "small" }, fc.integer(), name, fc.dictionary(name, tie("value"))),
    }));
    fc.assert(
      fc.property(fc.dictionary(name, value), (given) => {
        const text = JSON.stringify(given);
        expect(both.decode(Buffer.from(text))).toEqual(JSON.parse(text));
      }),
    );
    for (const text of ['{"1023":', '{"1023":1,}', '{"1023":1}}', '{"\\x":1,"1023":1}'])
      expect(thrown(() => both.decode(Buffer.from(text))).code).toBe("ERR_REDIS_TEXT");
    const deep = `${'{"1023":'.repeat(100_000)}0${"}".repeat(100_000)}`;
    expect(thrown(() => both.decode(Buffer.from(deep))).code).toBe("ERR_LIMIT_DEPTH");

    const count = 4000;
    const before = process.memoryUsage().heapUsed;
    const values = Array.from({ length: count }, () => both.decode(Buffer.from('{"1023":0}')));
    // As arrays they would take 12 KB each, 48 MB.
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(30e6);
    expect(values.length).toBe(count);
  });

  test("a schema limits absent fields and colliding keys of JSON", () => {
    const Empty = schema("Empty", ...Array.from({ length: 100 }, (_, i) => omitNull(utf8(`f${i}`))));
    const List = redisValues(client, { codec: framed(schema("List", array("list", REF(Empty)))), json: true });
    const json = (count: number): Buffer => Buffer.from(`{"list":[${Array(count).fill("{}").join(",")}]}`);
    expect((List.decode(json(100)) as { list: unknown[] }).list.length).toBe(100);
    expect(thrown(() => List.decode(json(350_000), "k"))).toMatchObject({ code: "ERR_LIMIT_ELEMENTS", key: "k" });
    const Counts = framed(schema("Counts", map("counts", U32, U8)));
    const pairs = collidingKeys(129).map((key) => [key, 1]);
    const counts = redisValues(client, { codec: Counts, json: true });
    const colliding = thrown(() => counts.decode(Buffer.from(JSON.stringify({ counts: pairs })), "k"));
    expect(colliding).toMatchObject({ code: "ERR_LIMIT_ELEMENTS", key: "k" });
  });

  test("control characters of untrusted text are escaped in errors", () => {
    const error = thrown(() => both.decode(Buffer.from("x\u009b31m\u202e"), "k\u009b31m\u2028"));
    expect([error.code, error.cause instanceof SyntaxError]).toEqual(["ERR_REDIS_TEXT", false]);
    expect(error.key).toBe("k\u009b31m\u2028");
    for (const text of [inspect(error.cause), error.message]) expect(text).not.toMatch(/[\u0080-\u009f\u2028\u202e]/);
    expect(error.message).toContain("\\u009b31m");
  });

  test("requires a codec whose bytes differ from JSON", () => {
    expect(thrown(() => redisValues(client, { codec: codec(User), json: true })).message).toContain("framed(schema)");
  });
});

describe("invalid bytes", () => {
  const values = redisValues(client);
  const bytes = encode({ name: "Ada", list: [1, 2, 3], at: new Date(5) });

  test("every truncation, and a trailing byte, is an error with key and offset", () => {
    for (let length = 0; length < bytes.length; length++) {
      const error = thrown(() => values.decode(bytes.subarray(0, length), "k"));
      expect([error.name, error.code, error.key]).toEqual(["RedisValueError", "ERR_TRUNCATED", "k"]);
      expect(error.needMore).toBeGreaterThan(0);
      expect(error.message).toMatch(/^the value at key "k": .* \(at byte \d+, \d+ more needed\)$/);
    }
    expect(thrown(() => values.decode(Buffer.concat([bytes, bytes]))).code).toBe("ERR_TRAILING_BYTES");
    expect(thrown(() => values.decode(new Uint8Array([0xc1]))).message).not.toContain("key");
  });

  test("a framed value, truncated or of an unknown schema", () => {
    const users = redisValues(client, { codec: framed(User) });
    const full = users.encode(ada);
    for (let length = 0; length < full.length; length++)
      expect(thrown(() => users.decode(full.subarray(0, length), "k")).code).toBe("ERR_TRUNCATED");
    expect(thrown(() => users.decode(new Uint8Array(20), "k")).code).toBe("ERR_FINGERPRINT");
    expect(thrown(() => users.decode(bytes, "k")).code).toBe("ERR_FINGERPRINT");
  });

  test("errors keep a copy of the bytes; only the text shortens a long key; a codec's own error is the cause", () => {
    const given = new Uint8Array([0xc1]);
    const key = "k".repeat(1000);
    const error = thrown(() => values.decode(given, key));
    given[0] = 0;
    expect([...error.bytes]).toEqual([0xc1]);
    expect(error.key).toBe(key);
    expect(error.message.length).toBeLessThan(400);
    const cause = new TypeError("mine");
    const broken = {
      encode: () => new Uint8Array(1),
      decode: () => {
        throw cause;
      },
    };
    const own = thrown(() => redisValues(client, { codec: broken }).decode(given));
    expect([own.code, own.cause]).toEqual(["ERR_USER_CODE", cause]);
  });

  test("text instead of bytes is refused, with advice", () => {
    expect(thrown(() => values.decode("abc" as never)).message).toContain("getBuffer");
  });
});

describe("memory", () => {
  test("values own their memory; with binary: view they are views", () => {
    const bytes = encode({ bytes: new Uint8Array([1, 2, 3]) });
    const copy = redisValues<{ bytes: Uint8Array }>(client).decode(bytes);
    const view = redisValues<{ bytes: Uint8Array }>(client, { decoder: { binary: "view" } }).decode(bytes);
    bytes.fill(9, bytes.length - 3);
    expect([...copy.bytes]).toEqual([1, 2, 3]);
    expect([...view.bytes]).toEqual([9, 9, 9]);
  });

  test("encoded bytes are never reused", () => {
    const values = redisValues(client);
    const first = values.encode({ a: 1 });
    const before = first.toString("hex");
    values.encode({ b: 2 });
    expect(first.toString("hex")).toBe(before);
  });
});

describe("options", () => {
  test("options of MessagePack", () => {
    const values = redisValues<unknown>(client, { encoder: { fidelity: "js" }, decoder: { fidelity: "js" } });
    const value = { set: new Set([1]), map: new Map([[1, 2]]), missing: undefined };
    expect(values.decode(values.encode(value))).toEqual(value);
    expect(inspect(values)).toContain("RedisValues");
  });

  test("invalid options are refused", () => {
    const refused = (make: () => unknown): string[] => {
      const { code, message } = thrown(make);
      return [code, message];
    };
    const invalid = (text: string): unknown[] => ["ERR_INVALID_ARGUMENT", expect.stringContaining(text)];
    expect(refused(() => redisValues(client, { json: 1 as never }))).toEqual(invalid("json"));
    expect(refused(() => redisValues(client, { undecodable: "return" as never }))).toEqual(invalid("undecodable"));
    expect(refused(() => redisValues(client, 7 as never))).toEqual(invalid("options"));
    expect(refused(() => redisValues(client, { codec: {} as never }))).toEqual(invalid("codec"));
    expect(refused(() => redisValues(client, { codec: codec(User), decoder: {} }))).toEqual(invalid("remove codec"));
    expect(refused(() => redisValues(client, { decoder: { maxDepth: -1 } }))).toEqual(invalid("maxDepth"));
    expect(refused(() => framed(User, { older: 1 as never }))).toEqual(invalid("older"));
    expect(refused(() => redisValues(client).encode(undefined as never))[0]).toBe("ERR_UNSUPPORTED_TYPE");
  });

  test("options of set, and values by name", async () => {
    const values = redisValues(client);
    const text = async (promise: Promise<unknown>): Promise<string> =>
      promise.then(
        () => "",
        (error) => `${error.code} ${error.message}`,
      );
    expect(await text(values.set("k", 1, { ttl: 1.5 }))).toContain("ERR_INVALID_ARGUMENT ttl");
    expect(await text(values.set("k", 1, { ttl: 0 }))).toContain("ttl");
    expect(await text(values.set("k", 1, { ttl: 5, keepTtl: true }))).toContain("exclude");
    expect(await text(values.set("k", 1, { condition: "GET" as never }))).toContain("condition");
    expect(await text(values.mSet("k" as never))).toContain("by name");
    expect(await text(values.subscribe("c", 1 as never))).toContain("functions");
  });

  test("anything but a client is refused", () => {
    const codeOf = (given: unknown): string => thrown(() => redisValues(given as never)).code;
    for (const given of [undefined, null, "redis://", {}, [], { sendCommand() {} }])
      expect(codeOf(given)).toBe("ERR_INVALID_ARGUMENT");
    expect(thrown(() => redisValues({ sendCommand() {} } as never)).message).toContain("node-redis 5 or 6");
    expect(thrown(() => redisValues({ ...client, isPipeline: true } as never)).message).toContain("pipeline");
  });
});

/** Returns integers that V8 puts into one bucket of a Map with `count` keys. */
function collidingKeys(count: number): number[] {
  const keys: number[] = [];
  for (let key = 1; keys.length < count; key++) {
    const flood = keyFlood(count)!;
    // 32 keys fill a bucket.
    for (let i = 0; i < 32; i++) flood.isFull(1);
    if (flood.isFull(key)) keys.push(key);
  }
  return keys;
}

function thrown(run: () => unknown): RedisValueError {
  try {
    run();
  } catch (error) {
    return error as RedisValueError;
  }
  throw new Error("nothing was thrown");
}
