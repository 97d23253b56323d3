/** Options of untyped callers: unknown names, invalid durations, getters. */
import { schema, u8 } from "@moonpack/pck";
import { expect, test } from "vitest";
import { framed, jobValues, redisValues } from "../src/index.ts";

const sent: unknown[][] = [];
const command =
  (name: string, reply: unknown) =>
  async (...args: unknown[]) => {
    sent.push([name, ...args.flat()]);
    return reply;
  };
const client = {
  callBuffer: async () => null,
  on: () => {},
  set: command("set", "OK"),
  xreadBuffer: command("xread", null),
  getBuffer: async (key: string) => Buffer.from(key),
} as never;
const values = redisValues(client);

async function errorOf(run: () => unknown): Promise<unknown> {
  try {
    await run();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

test.each<[string, () => unknown, string]>([
  ["redisValues", () => redisValues(client, { undecodeable: "keep" } as never), "did you mean undecodable?"],
  ["framed", () => framed(schema(u8("n")), { oldr: [] } as never), "did you mean older?"],
  ["jobValues", () => jobValues({ undecodable: "keep" } as never), '"undecodable" is not a known option'],
  ["set", () => values.set("k", 1, { TTL: 5 } as never), "did you mean ttl?"],
  ["xAdd", () => values.xAdd("s", { a: 1 }, { maxLenght: 5 } as never), "did you mean maxLength?"],
  ["xRange", () => values.xRange("s", "-", "+", { block: 5 } as never), '"block" is not a known option'],
  ["xRead", () => values.xRead({ s: "0" }, { blok: 5 } as never), "did you mean block?"],
  ["xReadGroup", () => values.xReadGroup("g", "c", { s: ">" }, { noAck: true } as never), '"noAck"'],
  ["subscribe", () => values.subscribe("c", () => {}, { onEror: () => {} } as never), "did you mean onError?"],
])("%s refuses unknown options", async (_, run, text) => {
  expect(await errorOf(run)).toMatchObject({ code: "ERR_INVALID_ARGUMENT", message: expect.stringContaining(text) });
});

test("durations are whole milliseconds, or texts with a unit", async () => {
  sent.length = 0;
  await values.set("k", 1, { ttl: "1.5s" });
  await values.set("k", 1, { ttl: 7 });
  await values.xRead({ s: "0" }, { block: "5s" });
  await values.xRead({ s: "0" }, { block: 0 });
  expect(sent.map((words) => words.filter((word) => !Buffer.isBuffer(word)).join(" "))).toEqual([
    "set k PX 1500",
    "set k PX 7",
    "xread BLOCK 5000 STREAMS s 0",
    "xread BLOCK 0 STREAMS s 0",
  ]);
  for (const ttl of [0, -1, 0.5, "0.5ms", "60", "", Infinity, null])
    expect(await errorOf(() => values.set("k", 1, { ttl } as never))).toMatchObject({ code: "ERR_INVALID_ARGUMENT" });
});

test("undecodable: a function returns the value", async () => {
  const errors: unknown[] = [];
  const replaced = redisValues(client, {
    undecodable(error) {
      errors.push([error.code, error.key]);
      return "replaced";
    },
  });
  expect(await replaced.get("some text")).toBe("replaced");
  expect(errors).toEqual([["ERR_REDIS_TEXT", "some text"]]);
  const throwing = redisValues(client, {
    undecodable() {
      throw new Error("of the caller");
    },
  });
  expect(await errorOf(() => throwing.get("some text"))).toMatchObject({ message: "of the caller" });
});

test("each option is read once", () => {
  const reads: string[] = [];
  const names = ["codec", "encoder", "decoder", "json", "undecodable"];
  const getter = (name: string) => ({ enumerable: true, get: () => void reads.push(name) });
  redisValues(client, Object.defineProperties({}, Object.fromEntries(names.map((name) => [name, getter(name)]))));
  expect(reads).toEqual(names);
});
