/** Clusters: one member with all slots, through both libraries' cluster clients. */
import { setTimeout as pause } from "node:timers/promises";
import { Cluster, Redis } from "ioredis";
import { createCluster } from "redis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RedisClient, redisValues } from "../src/index.ts";
import { caught } from "./harness/caught.ts";
import { isLeftOut, startServer, type TestServer } from "./harness/server.ts";

describe.skipIf(isLeftOut)("a cluster", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ "cluster-enabled": "yes", "cluster-announce-ip": "127.0.0.1" });
    const member = new Redis(server.port, "127.0.0.1");
    await member.cluster("ADDSLOTSRANGE", 0, 16_383);
    while (!(await member.cluster("INFO")).includes("cluster_state:ok")) await pause(10);
    await member.quit();
  });
  afterAll(() => server?.stop());

  const use = async (client: RedisClient): Promise<void> => {
    const values = redisValues(client);
    await values.set("a", { a: 1 });
    expect(await values.get("a")).toEqual({ a: 1 });
    await values.hSet("h", { x: [1] });
    expect(await values.hGetAll("h")).toEqual({ x: [1] });
    await values.mSet({ "{u}1": 1, "{u}2": 2 });
    expect(await values.mGet(["{u}2", "{u}1"])).toEqual([2, 1]);
    // The server refuses keys of several slots.
    expect((await caught<Error>(values.mGet(["a", "b"]))).message).toContain("CROSSSLOT");
    const stream = `s:${client.constructor.name}`;
    const id = await values.xAdd(stream, { x: 1 });
    expect(await values.xRead({ [stream]: "0" })).toEqual([{ key: stream, entries: [{ id, fields: { x: 1 } }] }]);
    let got: (value: unknown) => void = () => undefined;
    const message = new Promise((resolve) => {
      got = resolve;
    });
    const end = await values.subscribe("c", (value) => got(value));
    await values.publish("c", "hello");
    expect(await message).toBe("hello");
    await end();
  };

  test("of ioredis", async () => {
    const cluster = new Cluster([{ host: "127.0.0.1", port: server.port }]);
    await use(cluster).finally(() => cluster.quit());
  });

  test("of node-redis", async () => {
    const cluster = createCluster({ rootNodes: [{ url: `redis://127.0.0.1:${server.port}` }] });
    await cluster.connect();
    await use(cluster).finally(() => cluster.close());
  });
});
