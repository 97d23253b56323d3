/** Messages of channels, on separate connections. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { framed, type RedisValueError, redisValues } from "../src/index.ts";
import { CLIENTS, type TestClient } from "./harness/clients.ts";
import { isLeftOut, startServer, type TestServer } from "./harness/server.ts";
import { ada, User } from "./harness/user.ts";

const TESTED = Object.entries(CLIENTS).filter(([name]) => !/pool|automatic/.test(name));

describe.skipIf(isLeftOut)("messages", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server?.stop());

  test.each([
    "ioredis 5",
    "ioredis 6",
    "node-redis 5",
    "node-redis 6",
  ])("%s: an error of a listener or of onError is an uncaught exception, and no message is lost", async (client) => {
    const program = fileURLToPath(new URL("programs/throwing.mjs", import.meta.url));
    const args = [program, String(server.port), client];
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 60_000 });
    const got = JSON.parse(stdout) as unknown[];
    expect(got.filter((one) => typeof one === "number")).toEqual([1, 3, 4]);
    expect(got.filter((one) => typeof one === "string")).toEqual(["uncaught: one", "uncaught: two"]);
  });

  describe.each(TESTED)("%s", (_, connect) => {
    let sender: TestClient;
    let receiver: TestClient;
    beforeAll(async () => {
      sender = await connect(server.port);
      receiver = await connect(server.port);
    });
    afterAll(async () => {
      await sender?.close();
      await receiver?.close();
    });

    test("each listener gets the values of its channel, until it ends", async () => {
      const codec = framed(User);
      const [from, to] = [redisValues(sender.client, { codec }), redisValues(receiver.client, { codec })];
      const got = new Inbox();
      const endOne = await to.subscribe("users", (user) => got.add(["one", user]));
      const endTwo = await to.subscribe("users", (user) => got.add(["two", user]));
      await to.subscribe("others", (user) => got.add(["other", user]));
      expect(await from.publish("users", ada)).toBe(1);
      expect(await got.next(2)).toEqual([
        ["one", ada],
        ["two", ada],
      ]);
      await endOne();
      await from.publish("users", ada);
      expect(await got.next(1)).toEqual([["two", ada]]);
      await endTwo();
      expect(await from.publish("users", ada)).toBe(0);
      await from.publish("others", ada);
      expect(await got.next(1)).toEqual([["other", ada]]);
    });

    test("ending one subscription, also repeatedly, ends no other one of the same connection", async () => {
      const from = redisValues(sender.client);
      const got = new Inbox();
      const endOne = await redisValues(receiver.client).subscribe("shared", (value) => got.add(["one", value]));
      const endTwo = await redisValues(receiver.client).subscribe("shared", (value) => got.add(["two", value]));
      await endOne();
      await endOne();
      expect(await from.publish("shared", 1)).toBe(1);
      expect(await got.next(1)).toEqual([["two", 1]]);
      await endTwo();
      expect(await from.publish("shared", 2)).toBe(0);
      await redisValues(receiver.client).subscribe("shared", (value) => got.add(["three", value]));
      await endTwo();
      await from.publish("shared", 3);
      expect(await got.next(1)).toEqual([["three", 3]]);
    });

    test("a message that cannot be decoded is passed to onError, and the next one arrives", async () => {
      const [from, to] = [redisValues(sender.client), redisValues(receiver.client)];
      const got = new Inbox();
      const onError = (error: RedisValueError): void => got.add([error.code, error.key]);
      await to.subscribe("bad", (value) => got.add(value), { onError });
      await sender.command("PUBLISH", "bad", '{"a":1}');
      await from.publish("bad", { a: 1 });
      expect(await got.next(2)).toEqual([["ERR_REDIS_TEXT", "bad"], { a: 1 }]);
    });

    test("without onError the process warns; with undecodable: keep the listener gets the error", async () => {
      const got = new Inbox();
      const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
      onTestFinished(() => warn.mockRestore());
      await redisValues(receiver.client).subscribe("warn", (value) => got.add(value));
      await redisValues(receiver.client, { undecodable: "keep" }).subscribe("warn", (value) => got.add(value));
      await sender.command("PUBLISH", "warn", "hello there");
      expect(await got.next(1)).toMatchObject([{ key: "warn" }]);
      expect(warn.mock.calls).toMatchObject([[{ name: "RedisValueError", key: "warn" }]]);
    });
  });
});

/** Received values in order. */
class Inbox {
  readonly #got: unknown[] = [];
  #wake: () => void = () => undefined;

  add(value: unknown): void {
    this.#got.push(value);
    this.#wake();
  }

  /** Resolves with the next values when `count` have arrived. */
  async next(count: number): Promise<unknown[]> {
    while (this.#got.length < count) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.#got.splice(0);
  }
}
