/** One process has a store, with the folder that the store was made with. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openSeries, SeriesError, type SeriesOptions } from "@moonpack/series";
import type { Client } from "hazelcast-client";
import { beforeAll, expect, test } from "vitest";
import { type ClusterOptions, hazelcast } from "../../src/series/index.ts";
import type { TestCluster } from "../harness/cluster.ts";
import { until } from "../harness/until.ts";
import { seriesClient, watched } from "./clients.ts";

const PROGRAM = fileURLToPath(new URL("../programs/series-driver.mjs", import.meta.url));
const LEASE_MS = 2000;
const COLUMNS = { columns: ["meta", "pages"], readOnly: false, maxCacheBytes: 0 };

const newFolder = (): string => mkdtempSync(join(tmpdir(), "moonpack-series-"));
const newName = (): string => `own-${randomUUID()}`;

export function ownership(clusterOf: () => TestCluster): void {
  let client: Client;
  beforeAll(async () => {
    client = await seriesClient(clusterOf());
  });
  const open = (path: string, options: ClusterOptions, more: SeriesOptions = {}) =>
    openSeries({ ...more, path, driver: hazelcast(client, options) });
  const failure = async (opened: Promise<unknown>): Promise<SeriesError> => {
    const error: unknown = await opened.then(
      () => undefined,
      (e: unknown) => e,
    );
    return error as SeriesError;
  };

  test("a store of another process is refused; when that is killed its points are there after the lease", async () => {
    const { name: clusterName, ports } = clusterOf();
    const path = newFolder();
    const name = newName();
    writeFileSync(join(path, "owner.json"), JSON.stringify({ pid: process.pid, host: "old", since: "before" }));
    const MOONPACK_SERIES_STORE = JSON.stringify({ clusterName, ports, name, lease: LEASE_MS });
    const child: ChildProcess = spawn(process.execPath, [PROGRAM, "open", path], {
      env: { ...process.env, MOONPACK_SERIES_STORE },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [line] = (await once(child.stdout!.setEncoding("utf8"), "data")) as [string];
    const point = JSON.parse(line) as { timestamp: number; value: number };
    for (const folder of [path, newFolder()]) {
      for (const readOnly of [false, true]) {
        const error = await failure(open(folder, { name }, { readOnly }));
        expect(error).toBeInstanceOf(SeriesError);
        expect(error.code).toBe("ERR_SERIES_LOCKED");
        // Not the process that owner.json in the folder names.
        expect(error.message).toContain(`is open in process ${child.pid} on ${hostname()}, since 20`);
        expect(error.message).toContain(`${LEASE_MS} ms`);
      }
    }
    child.kill("SIGKILL");
    await once(child, "exit");
    const series = await open(path, { name, wait: 60_000 });
    expect(await series.last({ name: "cpu.load" })).toEqual({ timestamp: point.timestamp, value: child.pid });
    await series.close();
  });

  test("another folder is refused: it does not have the log", async () => {
    const path = newFolder();
    const name = newName();
    await (await open(path, { name })).close();
    const error = await failure(open(newFolder(), { name }));
    expect(error.code).toBe("ERR_INVALID_ARGUMENT");
    expect(error.message).toContain(path);
    const other = newName();
    const ofOther = newFolder();
    await (await open(ofOther, { name: other })).close();
    expect((await failure(open(ofOther, { name }))).code).toBe("ERR_INVALID_ARGUMENT");
    await (await open(path, { name })).close();
  });

  test("a backup is refused, and the store still works", async () => {
    const name = newName();
    const series = await open(newFolder(), { name });
    const error = await failure(series.backup(join(newFolder(), "backup")));
    expect(error.code).toBe("ERR_INVALID_ARGUMENT");
    expect(error.message).toContain("backup");
    await series.write([{ metric: { name: "a" }, timestamp: Date.now(), value: 1 }]);
    await series.flush();
    await series.close();
  });

  test("a cluster that has lost the store is not taken for a new one", async () => {
    const path = newFolder();
    const name = newName();
    await (await open(path, { name })).close();
    await (await client.getMap(`${name}:store`)).destroy();
    const error = await failure(open(path, { name }));
    expect(error.code).toBe("ERR_SERIES_STORE");
    expect(error.message).toContain("lost the store");
  });

  test("a store whose creation was interrupted is completed at the next opening", async () => {
    const path = newFolder();
    const name = newName();
    const failing = watched(client, (_, method, [key]) => {
      if (method === "set" && key === "identity") throw new Error("the member is gone");
    });
    const driver = hazelcast(failing, { name });
    expect((await failure(driver.open(join(path, "kv"), COLUMNS))).code).toBe("ERR_SERIES_STORE");
    const store = await hazelcast(client, { name }).open(join(path, "kv"), COLUMNS);
    await store.close();
  });

  test("a store with an expired lease still works, unless another process has opened it", async () => {
    const name = newName();
    const store = await hazelcast(client, { name, lease: LEASE_MS }).open(join(newFolder(), "kv"), COLUMNS);
    const control = await client.getMap<string, string>(`${name}:store`);
    const write = () => store.batch([{ column: 1, key: Uint8Array.of(1), value: Uint8Array.of(1) }], { sync: true });
    // As after a long pause of this process.
    const owner = await control.get("owner");
    await control.delete("owner");
    await until(async () => (await control.get("owner")) === owner);
    await write();
    const other = JSON.stringify({ pid: 7, host: "other", since: "now", id: "x" });
    await control.set("owner", other);
    await until(async () => (await failure(write()))?.code === "ERR_SERIES_LOCKED");
    expect((await failure(write())).message).toContain("was opened by process 7 on other, since now");
    await store.close();
    expect(await control.get("owner")).toBe(other);
  });

  test("writes are refused if another process has opened and left the store since", async () => {
    const name = newName();
    const store = await hazelcast(client, { name, lease: LEASE_MS }).open(join(newFolder(), "kv"), COLUMNS);
    const control = await client.getMap<string, string>(`${name}:store`);
    await control.set("lastOwner", JSON.stringify({ pid: 8, host: "gone", since: "now", id: "y" }));
    await control.delete("owner");
    const write = () => store.batch([{ column: 1, key: Uint8Array.of(1), value: Uint8Array.of(1) }], { sync: true });
    await until(async () => (await failure(write()))?.code === "ERR_SERIES_LOCKED");
    expect((await failure(write())).message).toContain("was opened by process 8 on gone");
    await store.close();
    expect(await control.get("owner")).toBe(null);
  });
}
