/** Hostile messages of msgpackr take the memory that SECURITY.md states for each byte, and time in proportion to their bytes. */
import { childResult } from "@moonpack/harness/child.ts";
import { isWhole } from "@moonpack/harness/effort.ts";
import { expect, test } from "vitest";

/** The limits of amplification.node.test.ts in moonpack. */
const EACH = 160;
const BESIDES = 80_000_000;
const SIZE = isWhole ? 1_000_000 : 20_000;

interface Measured {
  readonly grown: number;
  readonly ms: number;
  readonly code: string;
}

test("lists of one item, again and again", () => {
  const measured = childResult<Record<string, Measured>>(
    `
    import { decode } from "@moonpack/compat/msgpackr";
    const structures = [[], ["1023"], ["a"], Array.from({ length: 1000 }, (_, i) => "k" + i)];
    const units = {
      "empty records": "40",
      "names of array indices": "41c0",
      "wide records": "43" + "c0".repeat(1000),
      "definitions": "d4724090",
      "definitions of one key": "d4724091a161c0",
      "definitions of two bytes": "d57260ff90",
      "maps of array indices": "81a43130323300",
      "Sets": "d4730090",
      "typed arrays": "c7017401",
      "DataViews": "c7017411",
      "Errors": "d4650092a0a0",
      "RegExps": "d4780092a161a0",
      "numbers of objects": "d6690000000190",
      "bigints": "d44201",
      "binaries": "c400",
      "invalid Dates": "d4ff00",
      "timestamps": "d6ff00000000",
    };
    const used = () => { gc(); gc(); const m = process.memoryUsage(); return m.heapUsed + m.external; };
    const measured = {};
    for (const [name, unit] of Object.entries(units)) {
      const count = Math.floor(${SIZE} / (unit.length / 2));
      const input = Buffer.from("dd" + count.toString(16).padStart(8, "0") + unit.repeat(count), "hex");
      let value;
      let code = "";
      const before = used();
      const start = performance.now();
      try { value = decode(input, { structures, trusted: true }); } catch (error) {
        if (error.offset === undefined) throw error;
        code = error.code;
      }
      const ms = performance.now() - start;
      measured[name] = { grown: used() - before, ms, code };
      globalThis.kept = value;
      globalThis.kept = null;
    }
    console.log(JSON.stringify(measured));`,
    ["--expose-gc", `--max-old-space-size=${Math.ceil((2 * (SIZE * EACH + BESIDES)) / 2 ** 20)}`],
    120_000,
  );
  expect(Object.keys(measured)).toHaveLength(17);
  expect(Object.entries(measured).filter(([, { grown }]) => grown > SIZE * EACH + BESIDES)).toEqual([]);
  for (const { code } of Object.values(measured)) expect(["", "ERR_LIMIT_ELEMENTS"]).toContain(code);
  // The slowest, Errors, takes 1 s for a megabyte; quadratic time would take minutes.
  expect(Object.entries(measured).filter(([, { ms }]) => ms > 30_000)).toEqual([]);
});
