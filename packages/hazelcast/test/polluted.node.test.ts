/** A polluted Object.prototype changes no option. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { attach } from "../src/attach/attach.ts";
import { moonpackSerialization, sessionStore, stored } from "../src/index.ts";
import { hazelcast } from "../src/series/index.ts";
import { IncompatiblePlayer, PlayerV2 } from "./harness/schema-versions.ts";

describe("properties of a polluted Object.prototype change nothing", () => {
  const POLLUTION: Record<string, unknown> = {
    stored: [Date],
    msgpack: { typeId: 5 },
    write: "json",
    undecodable: "keep",
    client: { globalSerializer: { id: 5, read: () => 1, write: () => undefined } },
    globalSerializer: { id: 5, read: () => 1, write: () => undefined },
    typeId: 5,
    packedTypeId: 5,
    older: [IncompatiblePlayer],
    key: true,
    codec: { int64: "number" },
    classes: [],
    lives: 9,
    ttl: 0,
    prefix: 7,
    map: 5,
    settle: -1,
    name: "polluted",
    lease: 1,
    wait: -1,
  };
  beforeEach(() => {
    for (const [key, value] of Object.entries(POLLUTION))
      Object.defineProperty(Object.prototype, key, { value, configurable: true, writable: true });
  });
  afterEach(() => {
    for (const key of Object.keys(POLLUTION)) Reflect.deleteProperty(Object.prototype, key);
  });
  test("serializations, classes and stores", () => {
    const config = moonpackSerialization({});
    expect([config.globalSerializer!.id, config.customSerializers!.length]).toEqual([28016, 1]);
    class Plain extends stored(9, PlayerV2, {}) {}
    expect(Object.hasOwn(new Plain({ name: "a", score: 1 } as never), "lives")).toBe(true);
    expect(new Plain({ name: "a", score: 1 } as never).lives).toBeUndefined();
    expect(() => sessionStore({ set: () => null } as never, {})).not.toThrow();
  });
  test("the driver of series", () => {
    const client = { getConfig: () => ({}) } as never;
    expect(hazelcast(client, Object.defineProperty({}, "name", { value: "a" }) as never).name).toBe("hazelcast");
    expect(() => hazelcast(client, {} as never)).toThrow(expect.objectContaining({ code: "ERR_INVALID_ARGUMENT" }));
  });
  test("attach", async () => {
    const names: string[] = [];
    const client = {
      getMap: async (name: string) => {
        names.push(name);
        throw new Error("stop here");
      },
    } as never;
    await expect(attach(client, new Map(), {})).rejects.toThrow("stop here");
    expect(names).toEqual(["moonpack.schemas"]);
  });
});
