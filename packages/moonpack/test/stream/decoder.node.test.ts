/** Node only: `slice` of a Buffer shares memory, `slice` of a Uint8Array copies. */
import { StreamDecoder } from "moonpack/stream";
import { expect, test } from "vitest";

test("a Buffer that has to wait is copied", () => {
  const decoder = new StreamDecoder();
  const later = Buffer.from([2, 3]);
  decoder.push(Uint8Array.of(1)).push(later);
  later.fill(9);
  expect([...decoder]).toEqual([1, 2, 3]);
});
