/** Values of which only some parts are read: through every client, and their errors. */
import { decode, encode } from "moonpack";
import { Picker, Raw } from "moonpack/pick";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { framed, type RedisValueError, redisValues } from "../src/index.ts";
import { CLIENTS, type TestClient } from "./harness/clients.ts";
import { isLeftOut, startServer, type TestServer } from "./harness/server.ts";
import { User } from "./harness/user.ts";

interface Order {
  readonly id: number;
  readonly user: { readonly name: string };
  readonly items: readonly { readonly sku: string }[];
  readonly payload?: unknown;
}

const picker = new Picker({ name: "/user/name", skus: "/items/*/sku", payload: "/payload" }, { raw: ["payload"] });
const order = (id: number): Order => ({ id, user: { name: `user ${id}` }, items: [{ sku: "A1" }, { sku: `B${id}` }] });
const found = (id: number) => ({ name: `user ${id}`, skus: ["A1", `B${id}`], payload: undefined });

/** A client that runs no commands. */
const client = { callBuffer: async () => null, on: () => undefined };

function thrown(act: () => unknown): RedisValueError {
  try {
    act();
  } catch (error) {
    return error as RedisValueError;
  }
  throw new Error("nothing was thrown");
}

describe.skipIf(isLeftOut)("with a server", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server?.stop());

  describe.each(Object.entries(CLIENTS))("%s", (_, connect) => {
    let one: TestClient;
    beforeAll(async () => {
      one = await connect(server.port);
      await one.command("FLUSHALL");
    });
    afterAll(() => one?.close());

    test("every command that reads", async () => {
      const orders = redisValues<Order>(one.client);
      const parts = orders.pick(picker);
      await orders.mSet({ "o:1": order(1), "o:2": order(2) });
      expect(await parts.get("o:1")).toEqual(found(1));
      expect(await parts.get("none")).toBeUndefined();
      expect(await parts.mGet(["o:2", "none", "o:1"])).toEqual([found(2), undefined, found(1)]);
      await orders.hSet("h", { a: order(3), b: order(4) });
      expect(await parts.hGet("h", "b")).toEqual(found(4));
      expect(await parts.hMGet("h", ["a", "c"])).toEqual([found(3), undefined]);
      expect(await parts.hGetAll("h")).toEqual({ a: found(3), b: found(4) });
      const id = await orders.xAdd("s", { value: order(5) });
      expect(await parts.xRange("s")).toEqual([{ id, fields: { value: found(5) } }]);
      expect(await parts.xRead({ s: "0" })).toEqual([{ key: "s", entries: [{ id, fields: { value: found(5) } }] }]);
      expect(await orders.get("o:1")).toEqual(order(1));
    });

    test("a part is stored again as its bytes", async () => {
      const orders = redisValues<Order>(one.client);
      const payload = { at: new Date(5), list: [1, 2n ** 60n] };
      await orders.set("with", { ...order(1), payload });
      const part = (await orders.pick(picker).get("with"))!.payload;
      expect(part).toBeInstanceOf(Raw);
      await redisValues(one.client).set("copy", part);
      expect(await redisValues(one.client).get("copy")).toEqual(payload);
    });
  });
});

test("errors name the key, also of what is skipped", () => {
  const parts = redisValues<Order>(client).pick(picker);
  const bytes = encode(order(1));
  for (let size = 0; size < bytes.length; size++)
    expect(thrown(() => parts.decode(bytes.subarray(0, size), "o:1"))).toMatchObject({
      name: "RedisValueError",
      code: "ERR_TRUNCATED",
      key: "o:1",
    });
  expect(thrown(() => parts.decode(Buffer.concat([bytes, bytes]), "o:1")).code).toBe("ERR_TRAILING_BYTES");
  expect(thrown(() => parts.decode(Buffer.from('{"user":{}}'), "o:1")).code).toBe("ERR_REDIS_TEXT");
  const kept = redisValues<Order>(client, { undecodable: "keep" }).pick(picker);
  expect(kept.decode(Buffer.of(0xc1), "k")).toMatchObject({ code: "ERR_INVALID_BYTE", key: "k" });
  const other = redisValues<Order, string>(client, { undecodable: ({ key }) => `no ${key}` }).pick(picker);
  expect(other.decode(Buffer.of(0xc1), "k")).toBe("no k");
});

test("with json: true, stored JSON is picked from as MessagePack", () => {
  const parts = redisValues<Order>(client, { json: true }).pick(picker);
  const { payload, ...rest } = parts.decode(Buffer.from(JSON.stringify({ ...order(7), payload: [1, "é"] })));
  expect(rest).toEqual({ name: "user 7", skus: ["A1", "B7"] });
  expect(decode(payload!.data)).toEqual([1, "é"]);
  const { payload: packed } = parts.decode(encode({ ...order(7), payload: 5 }));
  expect(packed!.decode()).toBe(5);
});

test("a schema, another codec, and anything but a Picker are refused", () => {
  const refused = { code: "ERR_INVALID_ARGUMENT" };
  expect(thrown(() => redisValues(client, { codec: framed(User) }).pick(picker))).toMatchObject(refused);
  expect(thrown(() => redisValues(client).pick(picker).pick(picker))).toMatchObject(refused);
  for (const wrong of [undefined, null, "/name", { name: "/name" }, () => 1])
    expect(thrown(() => redisValues(client).pick(wrong as never))).toMatchObject(refused);
});
