/** Disks that are full, files that cannot grow, folders that cannot be written, files that are damaged: for real, on each driver. */
import { randomBytes } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import type { Driver, StoreOptions } from "../build/drivers/driver.js";
import {
  codeOf,
  countOf,
  digits,
  mayMount,
  mountReadOnly,
  mountSmall,
  ON_DISK,
  run,
  temporaryPaths,
  unmount,
} from "./driver-harness.ts";

const path = temporaryPaths();
const options: StoreOptions = { columns: ["one", "two"], readOnly: false, maxCacheBytes: 2 ** 20 };
const readOnly: StoreOptions = { ...options, readOnly: true };
const NO_MOUNT = "needs the right to mount file systems";

function folder(name: string): string {
  const made = path(name);
  mkdirSync(made);
  return made;
}

describe.each(ON_DISK)("$name", ({ name, make }) => {
  const driver: Driver = make();

  test("a full disk is ERR_SERIES_FULL; reads continue; writes succeed when there is space again", async ({ skip }) => {
    const mounted = folder("full");
    if (!mayMount(mounted)) skip(NO_MOUNT);
    mountSmall(mounted, "18m");
    try {
      const ballast = join(mounted, "ballast");
      // LevelDB needs as much as its logs have, which may be two of 4 MiB, to open its database again.
      writeFileSync(ballast, Buffer.alloc(10 * 2 ** 20));
      const store = await driver.open(join(mounted, "db"), options);
      let n = 0;
      const put = () =>
        store.batch([{ column: 0, key: digits(n), value: randomBytes(60_000) }], { sync: n % 10 === 0 });
      let code: string | undefined;
      for (; code === undefined; n++) {
        code = await codeOf(put());
        expect(n).toBeLessThan(300);
      }
      n--;
      expect(code).toBe("ERR_SERIES_FULL");
      expect(await codeOf(put())).toBe("ERR_SERIES_FULL");
      const read = await store.getMany(0, [digits(0), digits(n - 1), digits(n)]);
      expect(read.map((value) => value?.length)).toEqual([60_000, 60_000, undefined]);
      expect(await countOf(store, 0)).toBe(n);
      rmSync(ballast);
      // RocksDB looks for space every five seconds, if it gets the time.
      for (let tries = 0; (code = await codeOf(put())) !== undefined; tries++) {
        expect([code, tries < 240]).toEqual(["ERR_SERIES_FULL", true]);
        await setTimeout(250);
      }
      for (n++; n % 10 !== 0; n++) await put();
      expect(await countOf(store, 0)).toBe(n);
      await store.close();
      const again = await driver.open(join(mounted, "db"), options);
      expect(await countOf(again, 0)).toBe(n);
      await again.close();
    } finally {
      unmount(mounted);
    }
  });

  test("after other failures of writes the next write opens the database again, and loses nothing", async () => {
    const program = fileURLToPath(new URL("driver-limited.mjs", import.meta.url));
    // No file of the process may be larger than 2 MB. Node ignores the signal, so writes fail: EFBIG.
    const shell = `ulimit -f 2000; exec "${process.execPath}" "${program}" ${name} "${path("limited")}"`;
    const { code, output } = await run("bash", ["-c", shell]);
    expect(output).toContain("failures: ERR_SERIES_STORE File too large");
    expect(output).toContain("a range that was read: ERR_SERIES_STORE the database was opened again");
    expect(output).toContain("entries: 200, opened again: 200");
    expect(code).toBe(0);
  });

  test("a read-only folder is ERR_SERIES_READ_ONLY, and so is one in which the folder cannot be made", async ({
    skip,
  }) => {
    const mounted = folder("read-only");
    if (!mayMount(mounted)) skip(NO_MOUNT);
    const store = await driver.open(join(mounted, "db"), options);
    await store.batch([{ column: 0, key: digits(1), value: digits(1) }], { sync: true });
    await store.close();
    mountReadOnly(mounted);
    try {
      expect(await codeOf(driver.open(join(mounted, "db"), options))).toBe("ERR_SERIES_READ_ONLY");
      // The bindings have no mode that writes nothing at all.
      expect(await codeOf(driver.open(join(mounted, "db"), readOnly))).toBe("ERR_SERIES_READ_ONLY");
      expect(await codeOf(driver.open(join(mounted, "new"), options))).toBe("ERR_SERIES_READ_ONLY");
      expect(await codeOf(driver.open(join(mounted, "deep/new"), options))).toBe("ERR_SERIES_READ_ONLY");
    } finally {
      unmount(mounted);
    }
  });

  test("a path that is not a folder, or missing, is ERR_INVALID_ARGUMENT", async () => {
    const file = path("file");
    writeFileSync(file, "not a folder");
    for (const each of [options, readOnly]) {
      expect(await codeOf(driver.open(file, each))).toBe("ERR_INVALID_ARGUMENT");
      expect(await codeOf(driver.open(join(file, "below"), each))).toBe("ERR_INVALID_ARGUMENT");
      expect(await codeOf(driver.open(undefined, each))).toBe("ERR_INVALID_ARGUMENT");
    }
    expect(readFileSync(file, "latin1")).toBe("not a folder");
  });

  test("readOnly leaves a folder without a database as it is", async () => {
    const empty = folder("empty");
    expect(await codeOf(driver.open(empty, readOnly))).toBe("ERR_SERIES_STORE");
    expect(readdirSync(empty)).toEqual([]);
    const missing = path("missing");
    expect(await codeOf(driver.open(join(missing, "deep"), readOnly))).toBe("ERR_SERIES_STORE");
    expect(() => readdirSync(missing)).toThrow("ENOENT");
  });

  test("a folder that is removed while it is open is ERR_SERIES_STORE, and the text says what is missing", async () => {
    const removed = path("removed");
    const store = await driver.open(removed, options);
    rmSync(removed, { recursive: true });
    // Until the database needs another file.
    const fill = async () => {
      for (let i = 0; i < 400; i++)
        await store.batch([{ column: 0, key: digits(i), value: randomBytes(60_000) }], { sync: true });
    };
    const error = { code: "ERR_SERIES_STORE", message: expect.stringContaining(`${removed} does not exist`) };
    await expect(fill()).rejects.toMatchObject(error);
    await store.close().catch(() => undefined);
  });

  test("a database of the other driver is ERR_INVALID_ARGUMENT with the driver to use, and is left as it is", async () => {
    const [other] = ON_DISK.filter((one) => one.name !== name);
    const theirs = path("theirs");
    const store = await other!.make().open(theirs, options);
    await store.batch([{ column: 0, key: digits(1), value: digits(2) }], { sync: true });
    await store.close();
    const content = () => readdirSync(theirs).map((file) => [file, readFileSync(join(theirs, file), "latin1")]);
    const before = content();
    for (const each of [options, readOnly])
      await expect(driver.open(theirs, each)).rejects.toMatchObject({
        code: "ERR_INVALID_ARGUMENT",
        message: expect.stringContaining(`open it with the driver ${other!.name}()`),
      });
    expect(content()).toEqual(before);
    const again = await other!.make().open(theirs, readOnly);
    const [value] = await again.getMany(0, [digits(1)]);
    expect(Buffer.from(value!).toString()).toBe(digits(2).toString());
    await again.close();
  });

  test("columns must have different names", async () => {
    for (const columns of [["a", "a"], ["default"], ["a!"], [""], Array.from({ length: 65 }, (_, i) => `c${i}`)])
      expect(await codeOf(driver.open(path("columns"), { ...options, columns }))).toBe("ERR_INVALID_ARGUMENT");
  });

  describe("damaged files", () => {
    let whole: string;
    beforeAll(async () => {
      whole = path("whole");
      const store = await driver.open(whole, options);
      const list = Array.from({ length: 1000 }, (_, i) => ({ column: 0, key: digits(i), value: randomBytes(500) }));
      await store.batch(list, { sync: true });
      await store.compact!(0);
      await store.close();
    });

    const filesOf = (copy: string, pattern: RegExp) => readdirSync(copy).filter((file) => pattern.test(file));
    const damages: [string, (copy: string) => void][] = [
      ["CURRENT is missing", (copy) => rmSync(join(copy, "CURRENT"))],
      ["CURRENT is empty", (copy) => truncateSync(join(copy, "CURRENT"))],
      ["CURRENT names no file", (copy) => writeFileSync(join(copy, "CURRENT"), "nothing\n")],
      [
        "MANIFEST is missing",
        (copy) => {
          for (const file of filesOf(copy, /^MANIFEST/)) rmSync(join(copy, file));
        },
      ],
      [
        "MANIFEST has another bit",
        (copy) => {
          for (const file of filesOf(copy, /^MANIFEST/)) {
            const bytes = readFileSync(join(copy, file));
            bytes[20]! ^= 1;
            writeFileSync(join(copy, file), bytes);
          }
        },
      ],
      [
        "tables are missing",
        (copy) => {
          for (const file of filesOf(copy, /\.(sst|ldb)$/)) rmSync(join(copy, file));
        },
      ],
    ];

    test.each(damages)("%s: ERR_SERIES_CORRUPT, and no data is deleted", async (_, damage) => {
      const copy = path("damaged");
      cpSync(whole, copy, { recursive: true });
      damage(copy);
      const tables = filesOf(copy, /\.(sst|ldb)$/);
      expect(await codeOf(driver.open(copy, options))).toBe("ERR_SERIES_CORRUPT");
      expect(await codeOf(driver.open(copy, readOnly))).toBe("ERR_SERIES_CORRUPT");
      expect(filesOf(copy, /\.(sst|ldb)$/)).toEqual(tables);
    });

    test("the folder of a crash before there was any data is opened", async () => {
      const copy = folder("young");
      for (const file of filesOf(whole, /^MANIFEST/)) cpSync(join(whole, file), join(copy, "MANIFEST-000001"));
      const store = await driver.open(copy, options);
      expect(await countOf(store, 0)).toBe(0);
      await store.close();
    });
  });
});
