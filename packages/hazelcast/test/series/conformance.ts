/** The conformance suite for drivers. This driver does not promise snapshots. */
import { randomUUID } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { driverSuite } from "@moonpack/series-kv/conformance";
import { SHARE } from "@moonpack/tools/share";
import type { Client } from "hazelcast-client";
import { afterAll, beforeAll, test } from "vitest";
import { hazelcast } from "../../src/series/index.ts";
import type { TestCluster } from "../harness/cluster.ts";
import { destroy, seriesClient } from "./clients.ts";

const PROGRAM = pathToFileURL(fileURLToPath(new URL("../programs/series-driver.mjs", import.meta.url))).href;
/** The lease of the killed process, and how long this process waits for it. */
const LEASE_MS = 2000;
const WAIT_MS = 6000;

export function conformance(clusterOf: () => TestCluster): void {
  let client: Client;
  beforeAll(async () => {
    client = await seriesClient(clusterOf());
  });
  afterAll(() => {
    delete process.env.MOONPACK_SERIES_STORE;
  });

  driverSuite(test, () => {
    const name = `suite-${randomUUID()}`;
    const { name: clusterName, ports } = clusterOf();
    // For the other process.
    process.env.MOONPACK_SERIES_STORE = JSON.stringify({ clusterName, ports, name, lease: LEASE_MS });
    return {
      // Each test of the lock waits until the killed process's lease ends. A share has no kill.
      driver: hazelcast(client, { name, wait: SHARE < 1 ? 0 : WAIT_MS }),
      path: join(mkdtempSync(join(tmpdir(), "moonpack-series-")), "kv"),
      program: { module: PROGRAM, export: "driver" },
      promises: { snapshots: false, survivesKill: SHARE === 1 },
      clean: () => destroy(client, name),
    };
  });
}
