import { describe, expect, test } from "vitest";
import * as node from "../../src/bytes/utf8/node.ts";
import { utf8Suite } from "../harness/utf8-suite.ts";

utf8Suite("Node variant", node, false);

describe("UTF-8 in Node", () => {
  test("reads from Buffers as from any Uint8Array", () => {
    for (const text of ["", "abc", "é", "日本語".repeat(500), "a".repeat(5000)]) {
      const pooled = Buffer.from(text);
      const view = new DataView(pooled.buffer, pooled.byteOffset, pooled.length);
      expect(node.readUtf8(pooled, view, 0, pooled.length) === text).toBe(true);
    }
  });
});
