/** attach with a fake client: events that are rare on a real cluster. */
import { EventEmitter } from "node:events";
import { fingerprint, toDocument } from "@moonpack/pck";
import type { Client } from "hazelcast-client";
import { expect, test } from "vitest";
import { moonpackSerialization } from "../src/index.ts";
import { Player, PlayerV1, PlayerV2, StrictPlayer } from "./harness/schema-versions.ts";
import { until } from "./harness/until.ts";

const keyOf = (schema: typeof PlayerV1 | typeof PlayerV2): string =>
  `1001:${Buffer.from(fingerprint(schema)).toString("hex")}`;
const soon = { settle: 0 };

/** A map, a cluster and their listeners, in memory. */
class FakeCluster {
  readonly entries = new Map<unknown, unknown>();
  readonly listeners = new Map<string, { memberAdded(): void } | { added(event: object): void }>();
  readonly lifecycle = new EventEmitter();
  failure: Error | null = null;

  client(): Client {
    const add = (listener: never): string => {
      this.listeners.set(String(this.listeners.size), listener);
      return String(this.listeners.size - 1);
    };
    const fail = () => {
      if (this.failure !== null) throw this.failure;
    };
    const map = {
      entrySet: async () => {
        fail();
        return [...this.entries];
      },
      putIfAbsent: async (key: string, value: string) => {
        const before = this.entries.get(key) ?? null;
        if (before === null) this.entries.set(key, value);
        return before;
      },
      addEntryListener: async (listener: never) => add(listener),
      removeEntryListener: async (id: string) => this.listeners.delete(id),
    };
    const cluster = { addMembershipListener: add, removeMembershipListener: (id: string) => this.listeners.delete(id) };
    return {
      getMap: async () => map,
      getCluster: () => cluster,
      getLifecycleService: () => this.lifecycle,
    } as unknown as Client;
  }

  /** A member joins: a cluster that was started again. */
  join(): void {
    for (const listener of this.listeners.values()) if ("memberAdded" in listener) listener.memberAdded();
  }
}

test("schemas are published again after the cluster has lost its maps", async () => {
  const cluster = new FakeCluster();
  const serialization = moonpackSerialization({ stored: [Player] });
  await serialization.attach(cluster.client(), soon);
  expect(JSON.parse(cluster.entries.get(keyOf(PlayerV2)) as string)).toEqual(toDocument(PlayerV2));
  cluster.entries.clear();
  cluster.join();
  await until(() => cluster.entries.size === 2);
  expect([...cluster.entries.keys()].sort()).toEqual([keyOf(PlayerV1), keyOf(PlayerV2)].sort());
});

test("a reconnected client reads the schemas that it has missed", async () => {
  const cluster = new FakeCluster();
  const serialization = moonpackSerialization({ stored: [StrictPlayer] });
  const attached = await serialization.attach(cluster.client(), soon);
  // No event comes for it.
  cluster.entries.set(keyOf(PlayerV1), "{");
  for (const state of ["DISCONNECTED", "CONNECTED"]) {
    expect(attached.problems).toEqual([]);
    cluster.lifecycle.emit("lifecycleEvent", state);
  }
  await until(() => attached.problems.length === 1);
  await attached.detach();
  expect(cluster.lifecycle.listenerCount("lifecycleEvent")).toBe(0);
});

test("entries whose keys are not strings are ignored", async () => {
  const cluster = new FakeCluster();
  cluster.entries.set(Object.create(null), "{").set({ toString: 5, valueOf: 5 }, "{").set(7n, "{");
  const attached = await moonpackSerialization({ stored: [Player] }).attach(cluster.client(), soon);
  expect(attached.problems).toEqual([]);
});

test("a failure in the background is a problem until the next success", async () => {
  const cluster = new FakeCluster();
  const attached = await moonpackSerialization({ stored: [Player] }).attach(cluster.client(), soon);
  cluster.failure = new Error("no connection");
  cluster.join();
  await until(() => attached.problems.length === 1);
  expect(attached.problems).toEqual([{ key: "*", error: cluster.failure }]);
  await expect(attached.refresh()).rejects.toThrow("no connection");
  cluster.failure = null;
  await attached.refresh();
  expect(attached.problems).toEqual([]);
});

test("a failed attach removes its listeners; detach removes both listeners", async () => {
  const cluster = new FakeCluster();
  const serialization = moonpackSerialization({ stored: [Player] });
  cluster.failure = new Error("no connection");
  await expect(serialization.attach(cluster.client(), soon)).rejects.toThrow("no connection");
  expect(cluster.listeners.size).toBe(0);
  cluster.failure = null;
  const attached = await serialization.attach(cluster.client(), soon);
  expect(cluster.listeners.size).toBe(2);
  await attached.detach();
  expect(cluster.listeners.size).toBe(0);
});

test("a serialization without classes publishes nothing", async () => {
  const cluster = new FakeCluster();
  cluster.entries.set(keyOf(PlayerV1), JSON.stringify(toDocument(PlayerV1)));
  const attached = await moonpackSerialization().attach(cluster.client());
  expect([cluster.entries.size, attached.problems]).toEqual([1, []]);
});
