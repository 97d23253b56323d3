/** A member is killed under load. With one backup nothing is lost, if the cluster was safe before. */
import { SHARE } from "@moonpack/tools/share";
import type { Client, IMap } from "hazelcast-client";
import { expect, test } from "vitest";
import { moonpackSerialization } from "../../src/index.ts";
import type { TestCluster } from "../harness/cluster.ts";
import { Player } from "../harness/schema-versions.ts";
import { until } from "../harness/until.ts";

/** Number of kills: MOONPACK_KILLS, otherwise 2, or 1 in a share. */
const KILLS = Number(process.env.MOONPACK_KILLS ?? (SHARE < 1 ? 1 : 2));
const WRITERS = 64;
/** Acknowledged writes before the kill, and after it. */
const WRITES = 3000;
/** Keys of each writer. */
const KEYS = 20;

/** The versions of a writer's key. */
interface Known {
  /** The last version that was acknowledged; -1 for none. */
  acknowledged: number;
  /** The last version that was sent. */
  sent: number;
}

export function killed(clusterOf: () => TestCluster): void {
  test(
    `${KILLS} times: no wrong value, no acknowledged write lost`,
    async () => {
      const cluster = clusterOf();
      for (let run = 0; run < KILLS; run++) {
        const client = await cluster.client({
          network: { redoOperation: true },
          // Without it the client reports success when a backup is silent.
          properties: { "hazelcast.client.operation.fail.on.indeterminate.state": true },
          serialization: moonpackSerialization({ stored: [Player] }),
        });
        const victim = cluster.ports[run % cluster.ports.length]!;
        await cluster.untilSafe();
        const load = new Load(await client.getMap(`killed ${run}`));
        load.start();
        await until(() => load.count > WRITES);
        await cluster.killMember(victim);
        const before = load.count;
        await until(() => load.count > before + WRITES);
        await load.stop();
        await load.check();
        expect(load.wrong).toEqual([]);
        await client.shutdown();
        if (run < KILLS - 1) await cluster.startMember(victim);
      }
    },
    60_000 * (KILLS + 1),
  );

  // Members start in seconds.
  if (SHARE < 1) return;
  test("attach publishes again when the cluster has lost its maps", async () => {
    const cluster = clusterOf();
    const serialization = moonpackSerialization({ stored: [Player] });
    const client: Client = await cluster.client({ serialization });
    const attached = await serialization.attach(client, { settle: 0 });
    const published = await (await client.getMap("moonpack.schemas")).keySet();
    expect(published.length).toBe(2);
    await Promise.all(cluster.ports.map((port) => cluster.killMember(port)));
    await cluster.startMember(cluster.ports[0]!);
    await until(async () => (await (await client.getMap("moonpack.schemas")).size()) === 2);
    expect(attached.problems).toEqual([]);
  });
}

/** Writers and readers that record the expected content of the map. */
class Load {
  /** Acknowledged writes. */
  count = 0;
  readonly wrong: string[] = [];
  readonly #map: IMap<string, unknown>;
  readonly #known = new Map<string, Known>();
  #isRunning = false;
  #writers: Promise<void>[] = [];

  constructor(map: IMap<string, unknown>) {
    this.#map = map;
  }

  start(): void {
    this.#isRunning = true;
    this.#writers = Array.from({ length: WRITERS }, (_, writer) => this.#write(writer));
  }

  async stop(): Promise<void> {
    this.#isRunning = false;
    await Promise.all(this.#writers);
  }

  /** Reads every key. */
  async check(): Promise<void> {
    for (const [key, known] of this.#known) this.#examine(key, await this.#map.get(key), { ...known });
  }

  async #write(writer: number): Promise<void> {
    for (let i = 0; this.#isRunning; i++) {
      const key = `${writer}:${i % KEYS}`;
      const known = this.#known.get(key) ?? { acknowledged: -1, sent: -1 };
      this.#known.set(key, known);
      known.sent++;
      try {
        await this.#map.set(key, versionOf(key, known.sent));
        known.acknowledged = known.sent;
        this.count++;
      } catch {
        // It is unknown whether this version was written; a later one will be.
      }
      if (i % 4 === 3) {
        const at = { ...known };
        const value = await this.#map.get(key).catch(() => undefined);
        if (value !== undefined) this.#examine(key, value, at);
      }
    }
  }

  /** A value may be any version between the acknowledged one and the one that was sent last. */
  #examine(key: string, value: unknown, { acknowledged, sent }: Known): void {
    for (let version = Math.max(acknowledged, 0); version <= sent; version++) {
      if (isSame(value, versionOf(key, version))) return;
    }
    if (value !== null || acknowledged >= 0)
      this.wrong.push(`${key}: ${JSON.stringify(value)}, acknowledged ${acknowledged}, sent ${sent}`);
  }
}

/** PCK and MessagePack alternate; the version is in several places of the value. */
function versionOf(key: string, version: number): object {
  if (version % 2 === 0)
    return new Player({ name: `${key} ${version}`, score: version % 60_000, lives: version % 256 });
  return { key, version, text: `${key} ${version} `.repeat(8), list: [version, key] };
}

function isSame(value: unknown, expected: object): boolean {
  const isOfClass = value !== null && typeof value === "object" && value.constructor === expected.constructor;
  return isOfClass && JSON.stringify(value) === JSON.stringify(expected);
}
