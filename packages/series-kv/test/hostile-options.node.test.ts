/** Arguments that are not drivers, and drivers that are opened with wrong options. */
import { openSeries } from "@moonpack/series";
import { expect, test } from "vitest";
import { driverSuite } from "../src/conformance.ts";
import { classicLevel, memoryDatabase, rocksdb } from "../src/databases.ts";
import type { Driver } from "../src/drivers/driver.ts";
import { kv } from "../src/key-value/kv.ts";

const WRONG: unknown[] = [
  undefined,
  null,
  5,
  "rocksdb",
  [],
  {},
  { name: "own" },
  { name: 5, open() {} },
  { open() {} },
];

test.each(WRONG)("kv(%j) is refused", (driver) => {
  expect(() => kv(driver as never)).toThrow(
    expect.objectContaining({ code: "ERR_INVALID_ARGUMENT", message: expect.stringContaining("the driver must be") }),
  );
});

test("the getters of a driver that throw reach the caller", () => {
  const failing = {
    name: "own",
    get open(): never {
      throw new RangeError("not yet");
    },
  };
  expect(() => kv(failing)).toThrow(new RangeError("not yet"));
});

test("an unknown option of the store is refused with a suggestion, and the database is not opened", async () => {
  let opened = false;
  const database = memoryDatabase();
  const openStore: typeof database.openStore = (settings) => {
    opened = true;
    return database.openStore(settings);
  };
  const watched = { ...database, openStore };
  await expect(openSeries({ driver: watched, retension: "7d" } as never)).rejects.toMatchObject({
    code: "ERR_INVALID_ARGUMENT",
    message: expect.stringContaining("did you mean retention?"),
  });
  expect(opened).toBe(false);
});

test("a frozen driver is used as it is", async () => {
  const series = await openSeries({ driver: Object.freeze(kv(Object.freeze(memoryDatabase()))) });
  await series.close();
});

test.each([[{ path: "./history" }], ["./history"], [null]])("drivers have no arguments: %j", (argument) => {
  for (const driver of [rocksdb, classicLevel, memoryDatabase])
    expect(() => driver(argument as never)).toThrow(
      expect.objectContaining({
        code: "ERR_INVALID_ARGUMENT",
        message: expect.stringContaining(`${driver.name}() has no arguments`),
      }),
    );
});

test.each([
  [5, 5, "test must be"],
  [test, 5, "make must be"],
  [undefined, () => ({ driver: memoryDatabase() }), "test must be"],
])("driverSuite(%o, %o) is refused", (declare, make, message) => {
  expect(() => driverSuite(declare as never, make as never)).toThrow(
    expect.objectContaining({ code: "ERR_INVALID_ARGUMENT", message: expect.stringContaining(message) }),
  );
});

test.each([[5], [undefined], [null], [{}], [{ close() {} }]])("open of a driver returns %j", async (store) => {
  const driver: Driver = { name: "mine", open: async () => store as never };
  await expect(openSeries({ driver: kv(driver) })).rejects.toMatchObject({
    code: "ERR_INVALID_ARGUMENT",
    message: expect.stringContaining("open() of the driver mine must return a Store: getMany() is missing"),
  });
});
