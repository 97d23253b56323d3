/** Saving some parts of a suite. */

import { expect, test } from "vitest";
import { mergeTables } from "../src/merge-tables.ts";
import { numbersPage } from "../src/report/numbers.ts";

const environment = { node: "20.20.2", v8: "11.3", platform: "linux x64", cpus: 2 };
const rows = (value: number) => [{ id: "r", title: "row", values: { c: value } }];
const table = (id: string, value: number) => {
  const columns = [{ id: "c", title: "column" }];
  return { id, title: `Table ${id}`, text: "Bigger is better.", unit: "count", columns, rows: rows(value) } as const;
};
const result = (day: string, tables: readonly ReturnType<typeof table>[], quick = false) => {
  const versions = { [day]: "1.0.0" };
  return { suite: "s", date: `2026-11-${day}T10:00:00.000Z`, quick, environment, versions, tables };
};

test("tables of the run replace those with the same ids, with their day; others stay", () => {
  const merged = mergeTables(
    result("01", [table("a", 1), table("b", 2)]),
    result("29", [table("b", 3), table("c", 4)]),
  );
  expect(merged.date).toBe("2026-11-01T10:00:00.000Z");
  expect(merged.versions).toEqual({ "01": "1.0.0", "29": "1.0.0" });
  expect(merged.tables.map(({ id, measured, rows: [row] }) => [id, measured, row!.values["c"]])).toEqual([
    ["a", undefined, 1],
    ["b", "2026-11-29", 3],
    ["c", "2026-11-29", 4],
  ]);
  const page = numbersPage("Suite", merged);
  expect(page).toContain("Bigger is better.\n");
  expect(page).toContain("Bigger is better. Measured on 2026-11-29.\n");
});

test("short runs, suites without tables and other environments are refused", () => {
  const saved = result("01", [table("a", 1)]);
  const run = result("29", [table("a", 2)]);
  expect(() => mergeTables(undefined, run)).toThrow(TypeError);
  expect(() => mergeTables(saved, { ...run, quick: true })).toThrow(TypeError);
  expect(() => mergeTables(saved, { ...run, tables: undefined } as never)).toThrow(TypeError);
  expect(() => mergeTables(saved, { ...run, environment: { ...environment, cpus: 4 } })).toThrow("another environment");
});
