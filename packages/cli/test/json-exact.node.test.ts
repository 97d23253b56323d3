import fc from "fast-check";
import { DecodeError } from "moonpack/bytes";
import { describe, expect, test } from "vitest";
import { readJsonText } from "../src/convert/json-exact.js";
import { JsonTokens } from "../src/convert/json-tokens.js";
import { broken, pieces, spaced } from "./json-texts.js";

const RUNS = process.env.CI === "true" || process.env.MOONPACK_ALL ? 20_000 : 2000;
const PLAIN = { kind: "value", position: 0, typed: false, follow: "", maxDepth: 512, objects: "object" } as const;

function read(text: string | Uint8Array, more = {}): unknown {
  return readJsonText(Buffer.from(text as Uint8Array), { ...PLAIN, ...more });
}

/** Returns what `act` throws; undefined when it throws nothing. */
function thrownBy(act: () => unknown): unknown {
  try {
    act();
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Each token's text, with blanks left out. */
function tokenTexts(text: Buffer): string[] {
  const tokens = new JsonTokens(text, 0, "");
  const found: string[] = [];
  while (tokens.peek() >= 0) {
    const start = tokens.position;
    tokens.next();
    found.push(text.toString("utf8", start, tokens.position));
  }
  return found;
}

/** The text with no blanks outside of strings. */
function withoutBlanks(text: Buffer): string {
  return text.toString().replace(/"(?:[^"\\]|\\.)*"|[ \t\r\n]/g, (match) => (match.startsWith('"') ? match : ""));
}

/** JSON.parse, for bytes. */
function parse(text: Uint8Array): unknown {
  return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(text));
}

const rounded = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, inner) => (typeof inner === "bigint" ? Number(inner) : inner)));

describe("the exact reader and JSON.parse agree", () => {
  test.each([
    ["one change", broken],
    ["pieces in any order", pieces],
  ])("on broken texts: %s", (_, texts) => {
    fc.assert(
      fc.property(texts, fc.boolean(), (text, typed) => {
        const refused = thrownBy(() => parse(text)) !== undefined;
        const error = thrownBy(() => read(text, { typed, objects: "map" }));
        if (error !== undefined) expect(error).toBeInstanceOf(DecodeError);
        if (refused) expect(error).toBeDefined();
        else if (!typed && error !== undefined)
          expect(error).toMatchObject({ code: expect.stringMatching(/^ERR_(OUT_OF_RANGE|INVALID_UTF8)$/) });
        if (error === undefined) expect(tokenTexts(text).join("")).toBe(withoutBlanks(text));
      }),
      { numRuns: RUNS },
    );
  });

  test("on values", () => {
    fc.assert(
      fc.property(spaced, ([value, space]) => {
        const text = JSON.stringify(value, null, space);
        expect(rounded(read(text))).toEqual(JSON.parse(text));
      }),
      { numRuns: RUNS },
    );
  });
});

describe("U+FEFF, which is a byte order mark only at the start of a file", () => {
  const strings = ["\ufeff", "\ufeff\ufeffé", "é\ufeff", "a\ufeff", `${"é".repeat(70_000)}\ufeff`, "\ufeff\u{1f600}"];
  const escaped = strings.map((text) => JSON.stringify(text).replace(/\ufeff/g, "\\uFeFf"));

  test("is a character in strings and keys", () => {
    expect(read(JSON.stringify(strings))).toEqual(strings);
    expect(read(`[${escaped}]`)).toEqual(strings);
    expect(read(`{"\ufeffa":1,"\\ufeffb":2,"c":"\\\\ufeff"}`)).toEqual({
      "\ufeffa": 1,
      "\ufeffb": 2,
      c: "\\ufeff",
    });
  });

  test.each([
    "\ufeff",
    "\ufeff1",
    "[\ufeff   1]",
    " \ufeff1",
    "[\ufeff1]",
    "{\ufeff}",
    '["a",\ufeff1]',
  ])("is an error outside of them: %j", (text) => {
    const error = thrownBy(() => read(text));
    expect(error).toMatchObject({ code: "ERR_INVALID_BYTE", offset: Buffer.from(text).indexOf(0xef) });
  });
});

test("an error thrown by onKey is passed on unchanged", () => {
  const thrown = new Error("from outside");
  const onKey = (): void => {
    throw thrown;
  };
  expect(thrownBy(() => read('"a":\\', { kind: "entries", onKey }))).toBe(thrown);
});
