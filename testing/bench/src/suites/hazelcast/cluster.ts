/** A member on loopback for a run, and clients of it. */
import { mkdtempSync, rmSync } from "node:fs";
import { freePorts, Member } from "@moonpack/tools/hazelcast-member";
import { findRuntime } from "@moonpack/tools/runtimes";
import { Client, type ClientConfig } from "hazelcast-client";
import { scratchFile } from "../../results.js";

/** Where a cluster is. It survives JSON. */
export interface Place {
  readonly clusterName: string;
  readonly port: number;
}

/** A member that runs. */
export interface RunningCluster extends Place {
  /** The versions of Hazelcast and Java. */
  readonly versions: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Memory for a map of 100 objects of 100 KB for each way, and for the garbage of operations. */
const JAVA = ["-Xms1g", "-Xmx1g"];

/** Starts a member. The error names the missing program, and how to install it. */
export async function startCluster(): Promise<RunningCluster> {
  const parts = await findRuntime("hazelcast");
  if (parts === undefined)
    throw new Error(
      "the suite hazelcast needs a member of Hazelcast: Java 17 or later, and jars that Maven fetches. " +
        "To install what is missing: node scripts/runtimes.mjs hazelcast",
    );
  const [port] = await freePorts(1);
  const place = { clusterName: `bench-${port}`, port: port! };
  const folder = mkdtempSync(scratchFile("member-"));
  const member = new Member(parts, { ...place, ports: [place.port], folder, java: JAVA });
  const stop = async () => {
    await member.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await member.isStarted;
  } catch (error) {
    await stop();
    throw error;
  }
  return { ...place, versions: { "Hazelcast (member)": parts.version, Java: parts.java }, stop };
}

const silent = (): void => undefined;
const QUIET = { log: silent, error: silent, warn: silent, info: silent, debug: silent, trace: silent };

/** A client of the cluster; all else as `config` says. */
export function connect({ clusterName, port }: Place, config: ClientConfig = {}): Promise<Client> {
  return Client.newHazelcastClient({
    ...config,
    clusterName,
    customLogger: QUIET,
    connectionStrategy: { connectionRetry: { clusterConnectTimeoutMillis: 30_000 } },
    network: { ...config.network, clusterMembers: [`127.0.0.1:${port}`] },
  });
}
