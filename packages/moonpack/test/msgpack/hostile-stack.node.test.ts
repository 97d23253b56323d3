/** Nesting never overflows the stack, even if it has half the usual size or the caller has used almost all of it. */

import { childResult } from "@moonpack/harness/child.ts";
import { describe, expect, test } from "vitest";

describe("nesting does not overflow the stack", () => {
  const nested = `
    import { Decoder, Encoder } from "moonpack";
    const failures = [];
    for (const [name, make, step] of [
      ["arrays", (v) => [v], 1], ["maps", (v) => ({ a: v }), 1], ["Maps", (v) => new Map([[1, v]]), 1],
      ["arrays with more", (v) => [1, v, 2], 1], ["maps with more", (v) => ({ a: 1, b: { c: v }, d: 2 }), 2],
    ]) {
      let value = 0;
      for (let i = 0; i < 4096; i += step) value = make(value);
      for (const options of ENCODERS) {
        if (options.fidelity === "json" && name === "Maps") continue;
        const what = name + " " + JSON.stringify(options);
        let bytes;
        try { bytes = new Encoder({ maxDepth: 4096, ...options }).encode(value); } catch (error) { failures.push("encode " + what + ": " + error.code); continue; }
        for (const decoding of DECODERS) {
          try { new Decoder({ maxDepth: 4096, ...(options.fidelity === "js" ? { fidelity: "js" } : {}), ...decoding }).decode(bytes); }
          catch (error) { failures.push("decode " + what + JSON.stringify(decoding) + ": " + error.code); }
        }
      }
    }
    console.log(JSON.stringify(failures));`;

  test("maxDepth 4096 works with a stack of half the usual size, encoding and decoding", () => {
    const code = nested.replace("ENCODERS", "[{}]").replace("DECODERS", "[{}, { codeGeneration: false }]");
    expect(childResult<string[]>(code, ["--stack-size=492"])).toEqual([]);
  });

  test("maxDepth 4096 works with every option that selects other code", () => {
    const code = nested
      .replace("ENCODERS", `[{ canonical: true }, { fidelity: "json" }, { fidelity: "js" }, { utf8: "replace" }]`)
      .replace("DECODERS", `[{}, { strict: true }, { maps: "map" }, { binary: "view", int64: "bigint" }]`);
    expect(childResult<string[]>(code)).toEqual([]);
  });

  test("called when the stack is almost used up: a value or a coded error", () => {
    const codes = childResult<Record<string, number>>(
      `
      import { Decoder, Encoder, encode } from "moonpack";
      let value = 1;
      for (let i = 0; i < 500; i++) value = i % 2 ? [value] : { a: value };
      const bytes = encode(value);
      const encoder = new Encoder();
      const decoder = new Decoder();
      const seen = {};
      const note = (name) => { seen[name] = (seen[name] ?? 0) + 1; };
      // Each frame tries both while the stack unwinds. The deepest frame has almost no stack left.
      let tries = 0;
      function dive() {
        try { dive(); } catch (error) { if (!(error instanceof RangeError)) throw error; }
        if (tries > 3000) return;
        tries++;
        let inside = false;
        for (const act of [() => { inside = true; decoder.decode(bytes); }, () => { inside = true; encoder.encode(value); }]) {
          try { inside = false; act(); note("value"); }
          catch (error) { note(error.code ?? (error instanceof RangeError ? "bare RangeError" : String(error))); }
        }
      }
      dive();
      decoder.decode(bytes);
      encoder.encode(value);
      console.log(JSON.stringify(seen));`,
    );
    expect(codes.value ?? 0).toBeGreaterThan(0);
    const odd = Object.keys(codes).filter((code) => !["value", "ERR_LIMIT_DEPTH", "bare RangeError"].includes(code));
    expect(odd).toEqual([]);
    // In the deepest frames the call of the codec itself overflows. That error belongs to the caller.
    expect(codes["bare RangeError"] ?? 0).toBeLessThan(500);
  });
});
