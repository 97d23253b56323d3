import { utf8Suite } from "@moonpack/harness/utf8-suite.ts";
import { describe, expect, test } from "vitest";
import * as bun from "../../src/bytes/platform/bun.ts";
import * as deno from "../../src/bytes/platform/deno.ts";
import * as node from "../../src/bytes/platform/node.ts";

utf8Suite("Node variant", node, false);
// These variants also need Node.
utf8Suite("Deno variant", deno, false);
utf8Suite("Bun variant", bun, false);

describe("UTF-8 in Node", () => {
  test("reads from Buffers as from any Uint8Array", () => {
    for (const text of ["", "abc", "é", "日本語".repeat(500), "a".repeat(5000)]) {
      const pooled = Buffer.from(text);
      const view = new DataView(pooled.buffer, pooled.byteOffset, pooled.length);
      expect(node.readUtf8(pooled, view, 0, pooled.length) === text).toBe(true);
    }
  });
});
