/**
 * 500 random schemas, their values and damaged bytes: every engine gives the bytes and errors of the reference model.
 */

import { each, equal } from "@moonpack/harness/each.ts";
import { share } from "@moonpack/harness/effort.ts";
import { toHex } from "@moonpack/harness/hex.ts";
import { fingerprint } from "@moonpack/pck";
import { describe, expect, test } from "vitest";
import { check, checkRefused, named } from "./harness/cases.ts";
import { engines } from "./harness/engines.ts";
import { RANDOM, randomCases, type SchemaCases } from "./harness/random-cases.ts";

const schemas = [...randomCases(RANDOM)];

/** A schema of numbers only has no value that is invalid in every language. */
const canBeWrong = ({ refused }: SchemaCases) => refused.length > 0;

for (const engine of engines()) {
  describe(engine.name, () => {
    test("agrees with the reference model", () => {
      each(named(schemas, "schema"), ({ doc, cases }) => {
        const endpoint = engine.open(doc);
        each(named(cases, JSON.stringify(doc).slice(0, 500)), (one) => check(one, endpoint));
      });
    });

    test("values with one invalid place throw the right code and path", () => {
      each(named(schemas, "schema").filter(canBeWrong), ({ doc, refused }) => {
        const endpoint = engine.open(doc);
        each(named(refused, JSON.stringify(doc).slice(0, 500)), (one) => checkRefused(one, endpoint));
      });
    });
  });
}

test("fingerprints", () => {
  each(named(schemas, "schema"), (one) => equal(toHex(fingerprint(one.doc)), one.fingerprint));
});

test("the cases cover everything", () => {
  const kinds = new Map<string, number>();
  for (const { cases, refused } of schemas) {
    for (const { error } of refused) {
      const kind = `refused: ${error.code}`;
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    }
    for (const one of cases) {
      const kind = one.kind === "rejected" ? one.error.code : one.kind;
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    }
  }
  const codes = "ERR_TRUNCATED ERR_TRAILING_BYTES ERR_OUT_OF_RANGE ERR_NOT_SHORTEST ERR_UNKNOWN_INDEX ERR_INVALID_UTF8";
  const others = "ERR_INVALID_ASCII ERR_INVALID_PADDING ERR_MAP_ORDER ERR_NOT_CANONICAL ERR_LIMIT_ELEMENTS";
  const refused = ["UNSUPPORTED_TYPE", "OUT_OF_RANGE", "INVALID_UTF8", "INVALID_ASCII"].map(
    (one) => `refused: ERR_${one}`,
  );
  for (const kind of ["value", ...codes.split(" "), ...others.split(" "), ...refused]) {
    expect(kinds.get(kind) ?? 0, kind).toBeGreaterThan(share(20));
  }
});
