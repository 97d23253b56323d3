/** The table of the MessagePack page about reading some fields. */

import { expect, test } from "vitest";
import { pickTable } from "../../src/report/pick-table.ts";

test("columns that a row lacks are empty", () => {
  const columns = [
    { id: "pick", title: "`Picker`" },
    { id: "ignore", title: "ignoring" },
    { id: "find", title: "find" },
  ];
  const rows = [
    { id: "a", title: "1 field", values: { pick: 4.5, ignore: 15, find: 2 } },
    { id: "b", title: "2 fields", values: { pick: 1.63, ignore: 3 } },
  ];
  const result = { tables: [{ id: "read", title: "", text: "", unit: "ratio", columns, rows }] };
  const lines = pickTable(result as never).split("\n");
  expect(lines[0]).toMatch(/^\| speed, `decode` = 1 \| `Picker` \| +find \|$/);
  expect(lines[2]).toMatch(/^\| 1 field +\| +4\.50 \| +2\.00 \|$/);
  expect(lines[3]).toMatch(/^\| 2 fields +\| +1\.63 \| +\|$/);
});
