/** A database and a store of files in one folder: neither opens the folder of the other, or changes it. */
import { existsSync, readdirSync } from "node:fs";
import { openSeries } from "@moonpack/series";
import { classicLevel, rocksdb } from "@moonpack/series-kv";
import { describe, expect, test } from "vitest";
import { temporaryPaths } from "./driver-harness.ts";

const path = temporaryPaths();
const POINT = { metric: { name: "cpu.load" }, timestamp: 1_700_000_000_000, value: 0.5 };

describe.each([rocksdb, classicLevel])("%o", (driver) => {
  test("does not open a store of files", async () => {
    const folder = path("files");
    const series = await openSeries({ path: folder });
    await series.write([POINT]);
    await series.close();
    const names = readdirSync(folder);
    for (const readOnly of [false, true])
      await expect(openSeries({ path: folder, driver: driver(), readOnly })).rejects.toMatchObject({
        code: "ERR_SERIES_VERSION",
        message: `${folder} contains a store of format 2, which manages its own files: open it without a driver`,
      });
    expect(readdirSync(folder)).toEqual(names);
  });

  test("its database is not opened as a store of files", async () => {
    const folder = path("database");
    await (await openSeries({ path: folder, driver: driver() })).close();
    const names = readdirSync(folder);
    for (const readOnly of [false, true])
      await expect(openSeries({ path: folder, readOnly })).rejects.toMatchObject({ code: "ERR_SERIES_VERSION" });
    expect(readdirSync(folder)).toEqual(names);
    expect(existsSync(`${folder}/manifest`)).toBe(false);
  });
});
