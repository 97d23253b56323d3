/** Random schemas and later versions of them: `resolve` and `compare` agree with the reference model. */

import { each } from "@moonpack/harness/each.ts";
import { isWhole, share } from "@moonpack/harness/effort.ts";
import { expect, test } from "vitest";
import { checkEvolution, type Seen } from "./harness/evolution-check.ts";
import { evolvedPairs } from "./harness/evolved-pairs.ts";

test("resolve and compare agree with the reference model", () => {
  const counts = new Map<Seen, number>();
  each([...evolvedPairs(20261122, share(150))], ({ writer, reader, messages }) => {
    for (const seen of checkEvolution(writer, reader, messages)) counts.set(seen, (counts.get(seen) ?? 0) + 1);
  });
  for (const seen of ["refused", "unreadable", "unknown", "values", "reads", "depends"] as const) {
    expect(counts.get(seen) ?? 0, seen).toBeGreaterThan(isWhole ? 20 : 0);
  }
});

test("defaults of structs are decoded as JSON form: other properties are ignored, absent fields are as read back", () => {
  const reader = {
    pck: 1,
    root: "R",
    structs: {
      R: { fields: [{ name: "w", type: { ref: "Item" }, omit: ["null"], default: { other: "7" } }] },
      Item: { fields: [{ name: "n", type: "u64", omit: ["zero"], default: "8" }] },
    },
  } as const;
  expect(checkEvolution({ pck: 1, root: "R", structs: { R: { fields: [] } } }, reader, [[]])).toContain("values");
});
