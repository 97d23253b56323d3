/** The maximum memory for each byte of hostile input, as SECURITY.md states it, measured with a small heap. */

import { childResult } from "@moonpack/harness/child.ts";
import { isWhole } from "@moonpack/harness/effort.ts";
import { describe, expect, test } from "vitest";

/** The limits in SECURITY.md: bytes of memory for each byte of input, and a constant number of bytes in addition. */
const EACH = 160;
const BESIDES = 80_000_000;
const SIZES = isWhole ? [20_000, 1_000_000] : [5000];

interface Measured {
  readonly size: number;
  readonly grown: number;
  readonly code: string;
}

describe("memory for each byte of hostile input is bounded", () => {
  test.each(SIZES)("%i bytes that take as much memory as possible", (size) => {
    const measured = childResult<Record<string, Measured>>(
      `
      import { AMPLIFIERS } from "@moonpack/harness/hostile/amplifiers.mjs";
      const used = () => { gc(); gc(); const m = process.memoryUsage(); return m.heapUsed + m.external; };
      const measured = {};
      for (const [name, make] of Object.entries(AMPLIFIERS)) {
        const { input, read } = make(${size});
        let value;
        let code = "";
        const before = used();
        try { value = read(); } catch (error) {
          if (error.offset === undefined && error.path === undefined) throw error;
          code = error.code;
        }
        measured[name] = { size: input.length, grown: used() - before, code };
        globalThis.kept = value;
        globalThis.kept = null;
      }
      console.log(JSON.stringify(measured));`,
      // Twice the limit, since V8 may not have collected the previous case yet.
      ["--expose-gc", `--max-old-space-size=${Math.ceil((2 * (size * EACH + BESIDES)) / 2 ** 20)}`],
      120_000,
    );
    const tooMuch = Object.entries(measured).filter(([, { size, grown }]) => grown > size * EACH + BESIDES);
    expect(tooMuch).toEqual([]);
    for (const { code } of Object.values(measured)) expect(["", "ERR_LIMIT_ELEMENTS"]).toContain(code);
    const refused = Object.values(measured).filter(({ code }) => code !== "");
    expect([Object.keys(measured).length, refused.length > 10]).toEqual([62, size > 20_000]);
  });

  test.each([
    "a container with its schema",
    "a container of many values",
  ])("3 MB of structs with eight absent maps throw an error: %s", (name) => {
    const { code, offset } = childResult<{ code: string; offset: number }>(
      `
      import { AMPLIFIERS } from "@moonpack/harness/hostile/amplifiers.mjs";
      const { read } = AMPLIFIERS["${name}"](3_000_000);
      try { read(); console.log("{}"); } catch ({ code, offset }) { console.log(JSON.stringify({ code, offset })); }`,
      [`--max-old-space-size=${Math.ceil((3_000_000 * EACH + BESIDES) / 2 ** 20)}`],
    );
    expect(code).toBe("ERR_LIMIT_ELEMENTS");
    expect(offset).toBeGreaterThan(0);
  });
});
