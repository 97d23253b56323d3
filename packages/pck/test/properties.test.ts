/** Properties of every schema and value, for every engine. The reference model makes the schemas and values. */

import { fault } from "@moonpack/harness/caught.ts";
import { each, equal, none } from "@moonpack/harness/each.ts";
import { share } from "@moonpack/harness/effort.ts";
import { bytesDiffer, concat, fromHex } from "@moonpack/harness/hex.ts";
import { differ } from "@moonpack/harness/same.ts";
import { describe, expect, test } from "vitest";
import { named } from "./harness/cases.ts";
import { engines } from "./harness/engines.ts";
import { RANDOM, randomCases } from "./harness/random-cases.ts";

const schemas = [...randomCases({ ...RANDOM, seed: 11, schemas: 120, mutations: 4 })];

for (const engine of engines()) {
  describe(engine.name, () => {
    test("decoding, encoding and decoding again give the same bytes and value", () => {
      each(named(schemas, "schema"), ({ doc, cases }) => {
        const endpoint = engine.open(doc);
        for (const { kind, bytes: hex } of cases) {
          if (kind === "rejected") continue;
          const bytes = fromHex(hex);
          const value = endpoint.decode(bytes);
          const again = endpoint.encode(value);
          if (kind === "value") none(bytesDiffer(again, bytes), "canonical");
          none(differ(endpoint.decode(again), value), "round trip");
        }
      });
    });

    test("every strict prefix is ERR_TRUNCATED or ERR_LIMIT_ELEMENTS, and needMore is at most what is missing", () => {
      let prefixes = 0;
      each(named(schemas, "schema"), ({ doc, cases }) => {
        const endpoint = engine.open(doc);
        for (const one of cases) {
          if (one.kind !== "value" || one.bytes.length > 200) continue;
          const bytes = fromHex(one.bytes);
          for (let n = 0; n < bytes.length; n++) {
            const { code, offset, needMore } = fault(() => endpoint.decode(bytes.slice(0, n)));
            prefixes++;
            const missing = bytes.length - n;
            const isCut = code === "ERR_TRUNCATED" && Number(needMore) >= 1 && Number(needMore) <= missing;
            if (Number(offset) <= n && (isCut || code === "ERR_LIMIT_ELEMENTS")) continue;
            throw new Error(`${n} bytes of ${one.bytes}: ${String(code)} ${String(offset)} ${String(needMore)}`);
          }
        }
      });
      expect(prefixes).toBeGreaterThan(share(2000));
    });

    test("a trailing byte is ERR_TRAILING_BYTES at its offset", () => {
      each(named(schemas, "schema"), ({ doc, cases }) => {
        const endpoint = engine.open(doc);
        for (const { kind, bytes: hex } of cases) {
          if (kind === "rejected") continue;
          const bytes = fromHex(hex);
          const seen = fault(() => endpoint.decode(concat(bytes, Uint8Array.of(0))));
          equal(seen, { code: "ERR_TRAILING_BYTES", offset: bytes.length, needMore: 0 });
        }
      });
    });

    test("an error leaves no trace in the codec", () => {
      each(named(schemas, "schema"), ({ doc, cases }) => {
        const endpoint = engine.open(doc);
        const [first] = cases;
        if (first?.kind !== "value") return;
        const bytes = fromHex(first.bytes);
        const want = endpoint.decode(bytes);
        for (const { bytes: hex, kind } of cases) {
          if (kind === "rejected") fault(() => endpoint.decode(fromHex(hex)));
          none(differ(endpoint.decode(bytes), want));
          none(bytesDiffer(endpoint.encode(want), bytes));
        }
      });
    });
  });
}
