/** Random calls of a store against plain Maps: writes, deletes, sealing, roll-up, retention, reopening, crashes, backups, reads. */

import { checkModel } from "@moonpack/series/test/harness/model/check.ts";
import { classicLevel, rocksdb } from "@moonpack/series-kv";
import { SHARE } from "@moonpack/tools/share";
import { test } from "vitest";
import { FolderBackend, KeptBackend, MemoryBackend } from "./harness/backends.ts";

/** A run takes long: a share has half as many as its share. */
const runs = (whole: number) => (SHARE < 1 ? Math.max(1, Math.floor((whole * SHARE) / 2)) : whole);

test("in memory, without a log", async () => {
  await checkModel({ seed: 1, runs: runs(100), length: 100, backend: () => new MemoryBackend() });
});

test("with a log and a database that are killed and lose power", async () => {
  await checkModel({ seed: 1000, runs: runs(150), length: 60, backend: (folder) => new KeptBackend(folder) });
}, 900_000); // a minute alone, four times as long beside other work

test.each([rocksdb, classicLevel])("in a folder, with %o", async (make) => {
  await checkModel({ seed: 2000, runs: runs(6), length: 40, backend: (folder) => new FolderBackend(folder, make) });
});
