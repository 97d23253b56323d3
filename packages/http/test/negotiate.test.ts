/** The header Accept (RFC 9110, 12.5.1): which formats are sent, in which order. */
import { describe, expect, test } from "vitest";
import { RequestError } from "../src/errors.ts";
import { accepted } from "../src/server/negotiate.ts";
import { readSettings } from "../src/server/settings.ts";

const FINGERPRINT = "14a7eddc26ee24a6";
const M = "application/vnd.msgpack";
const X = "application/x-msgpack";
const A = "application/msgpack";
const J = "application/json";
const PCK = "application/vnd.moonpack.pck";
const P = `${PCK}; fingerprint=${FINGERPRINT}`;

/** The types without the charset of JSON, the preferred one first; none for 406. */
function typesOf(header: string | undefined, isStream = false): string[] {
  try {
    const offers = accepted(header, readSettings({}), { fingerprint: FINGERPRINT }, isStream);
    return offers.map(({ type }) => type.replace("; charset=utf-8", ""));
  } catch (error) {
    if (error instanceof RequestError && error.code === "ERR_HTTP_NOT_ACCEPTABLE") return [];
    throw error;
  }
}

const CASES: Readonly<Record<string, readonly (readonly [string | undefined, readonly string[]])[]>> = {
  "without a range, any": [
    [undefined, [M, J]],
    ["", [M, J]],
    [" ", [M, J]],
    [",", [M, J]],
    [" ,\t, ", [M, J]],
    [`,,${J},`, [J]],
  ],
  "the weight decides, then the more precise range, then the order": [
    [`${J};q=0.5, ${M};q=0.4`, [J, M]],
    [`${J};q=0.5, ${M}`, [M, J]],
    [`${J}, ${M}`, [J, M]],
    [`*/*, ${J}`, [J, M]],
    [`application/*;q=0.2, */*;q=0.9, ${J};q=0.1`, [M, J]],
    [`${M};q=0.5, */*`, [J, M]],
    [`${J};Q=0.1, ${M};q=0.5`, [M, J]],
    [`${J};q=0.001`, [J]],
    [`${J} ; q = 0.1 , ${M} ;q=.2`, [M, J]],
  ],
  "a weight of 0 excludes": [
    ["*/*;q=0", []],
    [`${J};q=0, */*`, [M]],
    [`${J};q=0.000, application/*`, [M]],
    [`application/*;q=0, */*`, []],
    [`application/*;q=0, ${J}`, [J]],
    [`${M};q=0, */*`, [J]],
  ],
  "MessagePack that is excluded by one name, and accepted by none, is excluded by all": [
    [`${A};q=0, */*`, [J]],
    [`${X};q=0, ${A};q=0, */*`, [J]],
    [`${M};q=0, ${A}x, */*`, [J]],
    [`${M};q=0, application/*`, [J]],
    [`${M};q=0, ${A}`, [A]],
    [`${A};q=0, ${M}`, [M]],
    [`${A};version=5;q=0, */*`, [M, J]],
  ],
  "older names for those who use them": [
    [X, [X]],
    [`${A.toUpperCase()};q=0.5, ${J};q=0.4`, [A, J]],
    [`${A}x, */*`, [M, J]],
    [`text/plain;x="${A}", */*`, [M, J]],
  ],
  "a weight that is none: its range is ignored": [
    [`${J};q=abc`, []],
    [`${J};q=, ${M};q=0.1`, [M]],
    [`${J};q=1.5, ${M};q=0.1`, [M]],
    [`${J};q=-1, ${M};q=0.1`, [M]],
    [`${J};q=0.5x, ${M};q=0.1`, [M]],
    [`${J};q=1e-1, ${M};q=0.1`, [M]],
    [`${J};q=NaN, */*;q=0.1`, [M, J]],
    [`${J};q=Infinity`, []],
    [`${J};q=1.000, ${M};q=0.1`, [J, M]],
  ],
  "parameters: those that a format lacks exclude it, but for charset": [
    [`${J};version=1`, []],
    [`${J};version=1, */*;q=0.1`, [M, J]],
    [`${J};charset=utf-8;q=0.1, ${M};q=0.2`, [M, J]],
    [`${J}; charset="utf-8" ;q=0.1`, [J]],
    [`text/html;x="a,b;q=0\\"", ${J}`, [J]],
  ],
  "PCK for those who name it, with its fingerprint": [
    [P, [P]],
    [PCK, [P]],
    [P.toUpperCase(), [P]],
    [`${PCK}; fingerprint="${FINGERPRINT}"`, [P]],
    [`${PCK};q=0, */*`, [M, J]],
    [`${PCK};fingerprint=0000000000000000`, []],
    [`${PCK};fingerprint=0000000000000000, */*;q=0.1`, [M, J]],
    [`${PCK};fingerprint=0000000000000000, ${M};q=0, ${J};q=0, */*;q=0.1`, []],
    [`${PCK}-stream;fingerprint=${FINGERPRINT}, ${M};q=0, */*;q=0.1`, [J]],
    [`text/plain;x="${PCK}", ${M};q=0, */*`, [J]],
    [`${P}, ${P.replace("14", "15")};q=0.9, ${M};q=0.5`, [P, M]],
  ],
};

describe.each(Object.entries(CASES))("%s", (_, cases) => {
  test.each(cases)("%j", (header, types) => {
    expect(typesOf(header)).toEqual(types);
  });
});

test("a stream has other types", () => {
  expect(typesOf("*/*", true)).toEqual([M, "application/x-ndjson"]);
  expect(typesOf(J, true)).toEqual([]);
  expect(typesOf(PCK, true)).toEqual([]);
  expect(typesOf(`${PCK}-stream`, true)).toEqual([`${PCK}-stream; fingerprint=${FINGERPRINT}`]);
});
