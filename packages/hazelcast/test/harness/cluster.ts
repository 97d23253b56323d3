/** Real members on loopback, for one test file. They end with the test's process, whatever ends it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freePorts, Member, type MemberOptions } from "@moonpack/tools/hazelcast-member";
import { type FoundMember, findRuntime, missingRuntime } from "@moonpack/tools/runtimes";
import { Client, type ClientConfig } from "hazelcast-client";

/** Options of a test's members. */
export type ClusterWishes = Pick<MemberOptions, "classpath" | "jet" | "config">;

/** Members with little memory that start quickly. */
const JAVA = ["-Xms64m", "-Xmx256m", "-XX:TieredStopAtLevel=1"];
/** Time limit for starting members on a busy machine. */
export const START_MS = 180_000;

/** Names the missing requirement for running members; undefined if all are there. */
export const missing = await missingRuntime("hazelcast");
/** The tests are left out, which the summary shows; with CI=true they run, and fail. */
export const isLeftOut = missing !== undefined && process.env.CI !== "true";
if (isLeftOut) console.warn(`NOT RUN: tests with members of Hazelcast need ${missing}`);

/** One or several members that form a cluster. */
export class TestCluster {
  readonly name = `moonpack-${crypto.randomUUID()}`;
  readonly ports: readonly number[];
  readonly #parts: FoundMember;
  readonly #wishes: ClusterWishes;
  readonly #folder = mkdtempSync(join(tmpdir(), "moonpack-hazelcast-"));
  readonly #members = new Map<number, Member>();
  readonly #clients = new Set<Client>();

  constructor(parts: FoundMember, ports: readonly number[], wishes: ClusterWishes) {
    this.#parts = parts;
    this.ports = ports;
    this.#wishes = wishes;
  }

  /** Starts a cluster with `count` members. */
  static async start(size: number, wishes: ClusterWishes = {}): Promise<TestCluster> {
    const parts = await findRuntime("hazelcast");
    if (parts === undefined) throw new Error(`needs ${missing}`);
    const cluster = new TestCluster(parts, await freePorts(size), wishes);
    try {
      await Promise.all(cluster.ports.map((port) => cluster.startMember(port)));
    } catch (error) {
      await cluster.stop();
      throw error;
    }
    return cluster;
  }

  /** Starts the member at one of the ports (again). */
  async startMember(port: number): Promise<void> {
    const place = { clusterName: this.name, port, ports: this.ports, folder: this.#folder };
    const member = new Member(this.#parts, { ...this.#wishes, ...place, java: JAVA });
    this.#members.set(port, member);
    await member.isStarted;
  }

  /** Ends a member at once, as a crash of its machine does. */
  async killMember(port: number): Promise<void> {
    await this.#members.get(port)?.kill();
    this.#members.delete(port);
  }

  /** Waits until the members' health check says that each partition has all its backups. */
  async untilSafe(): Promise<void> {
    for (;;) {
      const states = await Promise.all([...this.#members.keys()].map(isSafe));
      if (states.every((safe) => safe)) return;
      await pause(100);
    }
  }

  /** A client of this cluster. `stop` ends it, too. */
  async client(config: ClientConfig = {}): Promise<Client> {
    const client = await Client.newHazelcastClient(this.configOf(config));
    this.#clients.add(client);
    return client;
  }

  /** A client's configuration, with this cluster's name and addresses. */
  configOf(config: ClientConfig = {}): ClientConfig {
    return {
      clusterName: this.name,
      customLogger: QUIET,
      connectionStrategy: { connectionRetry: { clusterConnectTimeoutMillis: 60_000, initialBackoffMillis: 100 } },
      ...config,
      network: { clusterMembers: this.ports.map((port) => `127.0.0.1:${port}`), ...config.network },
    };
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#clients].map((client) => client.shutdown()));
    await Promise.all([...this.#members.values()].map((member) => member.kill()));
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

const silent = (): void => undefined;
const QUIET = { log: silent, error: silent, warn: silent, info: silent, debug: silent, trace: silent };

async function isSafe(port: number): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/hazelcast/health/cluster-safe`);
  await answer.text();
  return answer.ok;
}
