/** The README's table: every library with its speeds and its size, and the class of messages in which one is the furthest ahead. */
import { expect, test } from "vitest";
import type { NumbersResult, NumberTable } from "../../src/report/numbers.ts";
import { readmeCosts } from "../../src/report/readme.ts";
import { readResult } from "../../src/results.ts";

const service = readResult<NumbersResult>("service")!;
const size = readResult<NumbersResult>("size")!;

/** A result with these tables. */
const withTables = (result: NumbersResult, tables: readonly NumberTable[]): NumbersResult => ({ ...result, tables });

/** The cells of each row by the name of the library. */
function rowsOf(text: string): Map<string, string[]> {
  const lines = text.split("\n").filter((line) => line.startsWith("|"));
  return new Map(
    lines.map((line) => {
      const [name = "", ...cells] = line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim());
      return [name, cells];
    }),
  );
}

test("every library has a row with the committed figures", () => {
  const rows = rowsOf(readmeCosts(service, size));
  const steady = service.tables.find(({ id }) => id === "decode")!.rows.find(({ id }) => id === "steady")!.values;
  const columns = service.tables.find(({ id }) => id === "decode")!.columns;
  for (const { id, title } of columns) expect(Number(rows.get(title)![0]), title).toBeCloseTo(steady[id]!, 2);
  const gzip = (id: string) => size.tables[0]!.rows.find((row) => row.id === id)!.values.gzip!.toLocaleString("en-US");
  expect(rows.get("msgpackr")!.at(-1)).toBe(`${gzip("msgpackr-both")} B`);
  expect(rows.get("msgpackr, native")!.at(-1)).toBe("");
  expect(rows.get("moonpack itself")).toEqual(["1.00", "1.00", "1.00", "1.00", `${gzip("moonpack-both")} B`]);
});

test("figures that were not measured are left out", () => {
  const columns = [{ id: "msgpackr", title: "msgpackr, native" }];
  const rows = [{ id: "steady", title: "steady", values: { msgpackr: 1.25 } }];
  const decode: NumberTable = { id: "decode", title: "Decoding", text: "", unit: "ratio", columns, rows };
  const text = readmeCosts(withTables(service, [decode]), withTables(size, []));
  expect(rowsOf(text).get("msgpackr, native")).toEqual(["1.25", "", "", "", ""]);
  expect(text).not.toContain("worst");
});

test("the library that is the furthest ahead of us is named", () => {
  const columns = ["a", "b", "c"].map((id) => ({ id, title: `library ${id}` }));
  const worst = [{ id: "worst", title: "worst", values: { a: 0.9, b: 0.5, c: 2 } }];
  const tables = ["decode", "decode-classes"].map(
    (id): NumberTable => ({ id, title: id, text: "", unit: "ratio", columns, rows: id === "decode" ? [] : worst }),
  );
  expect(readmeCosts(withTables(service, tables), size)).toContain(
    "Our worst class of messages: decoding 0.50 (library b).",
  );
});
