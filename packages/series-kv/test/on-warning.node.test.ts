/** `onWarning`: its own errors stop nothing that the store does. */
import { once } from "node:events";
import type { SeriesWarning } from "@moonpack/series";
import { openSeries, SeriesError } from "@moonpack/series";
import { memoryDatabase } from "@moonpack/series-kv";
import { afterEach, expect, test } from "vitest";
import { MINUTES } from "../src/store/columns.ts";
import { TestDriver } from "./harness/test-driver.ts";

const START = 1_700_000_000_000;
const metric = { name: "m" };
const rejections: unknown[] = [];
const onRejection = (error: unknown) => void rejections.push(error);
afterEach(() => process.off("unhandledRejection", onRejection));

test.each<[string, (warning: SeriesWarning) => unknown]>([
  [
    "throws",
    () => {
      throw new Error("mine");
    },
  ],
  ["rejects", () => Promise.reject(new Error("mine"))],
])("one that %s while sealing fails: Node prints a warning, and the round is tried again", async (_, onWarning) => {
  process.on("unhandledRejection", onRejection);
  let now = START;
  const driver = new TestDriver(memoryDatabase());
  const series = await openSeries({ driver, now: () => now, onWarning: onWarning as () => void });
  await series.write([{ metric, timestamp: now, value: 1 }]);
  let isFailing = true;
  driver.before = ({ operations }) => {
    if (isFailing && operations?.some(({ column }) => column === MINUTES))
      throw new SeriesError("ERR_SERIES_FULL", "no space is left for the store");
  };
  now += 200_000;
  const told = once(process, "warning");
  await series.write([{ metric, timestamp: now, value: 2 }]);
  const [warning] = (await told) as [Error];
  expect(warning).toMatchObject({ name: "SeriesWarning", message: expect.stringContaining("Error: mine") });
  expect(warning.message).toContain("sealing failed");
  await expect(series.write([{ metric, timestamp: now, value: 3 }])).rejects.toMatchObject({ code: "ERR_SERIES_FULL" });
  isFailing = false;
  for (;;) {
    const code = await series.write([{ metric, timestamp: now + 1, value: 4 }]).then(
      () => undefined,
      (error) => error.code,
    );
    if (code === undefined) break;
    expect(code).toBe("ERR_SERIES_FULL");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await series.close();
  expect(rejections).toEqual([]);
});
