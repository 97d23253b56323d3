import { TokenizerError } from "@streamparser/json";
import fc from "fast-check";
import { DecodeError } from "moonpack/bytes";
import { describe, expect, test } from "vitest";
import { readJsonText } from "../src/convert/jsonExact.js";
import { TokenWalk } from "../src/convert/jsonFaults.js";
import { broken, pieces, spaced } from "./jsonTexts.js";

const RUNS = process.env.CI === "true" || process.env.MOONPACK_FULL ? 20_000 : 2000;
const PLAIN = { kind: "value", position: 0, typed: false, follow: "", maxDepth: 512, objects: "object" } as const;
/** From here on the tokenizer gathers strings and numbers in another way. */
const LARGE = " ".repeat((1 << 20) + 1);

function read(text: string | Uint8Array, more = {}): unknown {
  return readJsonText(Buffer.from(text as Uint8Array), { ...PLAIN, ...more });
}

/** What was thrown; undefined when nothing was. */
function thrownBy(act: () => unknown): unknown {
  try {
    act();
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Is every token, each for itself, one of JSON? */
function walk(text: Uint8Array): void {
  const tokens = new TokenWalk(text, 0, "");
  for (let byte = tokens.peek(); byte >= 0; byte = tokens.peek()) {
    expect('"[]{}:,-0123456789tfn').toContain(String.fromCharCode(byte));
    tokens.token();
  }
}

/** JSON.parse, for bytes. */
function parse(text: Uint8Array): unknown {
  return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(text));
}

const rounded = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, inner) => (typeof inner === "bigint" ? Number(inner) : inner)));

describe("the tokenizer, our errors and JSON.parse agree", () => {
  test.each([
    ["one change", broken],
    ["pieces in any order", pieces],
  ])("on broken texts: %s", (_, texts) => {
    fc.assert(
      fc.property(texts, fc.boolean(), (text, typed) => {
        const refused = thrownBy(() => parse(text)) !== undefined;
        const error = thrownBy(() => read(text, { typed, objects: "map" }));
        // What the tokenizer says itself is never all that there is to say.
        if (error !== undefined) expect(error).toBeInstanceOf(DecodeError);
        if (refused) expect(error).toBeDefined();
        else if (!typed && error !== undefined)
          expect(error).toMatchObject({ code: expect.stringMatching(/^ERR_(OUT_OF_RANGE|INVALID_UTF8)$/) });
        if (error === undefined) walk(text);
      }),
      { numRuns: RUNS },
    );
  });

  test("on values, in small texts and large ones", () => {
    fc.assert(
      fc.property(spaced, ([value, space]) => {
        const text = JSON.stringify(value, null, space);
        expect(rounded(read(text))).toEqual(JSON.parse(text));
      }),
      { numRuns: RUNS },
    );
    fc.assert(
      fc.property(spaced, ([value, space]) => {
        const text = JSON.stringify(value, null, space);
        expect(rounded(read(text + LARGE))).toEqual(JSON.parse(text));
      }),
      { numRuns: 20 },
    );
  });
});

describe("U+FEFF, which the tokenizer takes for a byte order mark", () => {
  const strings = ["\ufeff", "\ufeff\ufeffé", "é\ufeff", "a\ufeff", `${"é".repeat(70_000)}\ufeff`, "\ufeff\u{1f600}"];
  const escaped = strings.map((text) => JSON.stringify(text).replace(/\ufeff/g, "\\uFeFf"));

  test.each(["", LARGE])("is a character in strings and keys (large texts too)", (blanks) => {
    expect(read(JSON.stringify(strings) + blanks)).toEqual(strings);
    expect(read(`[${escaped}]${blanks}`)).toEqual(strings);
    expect(read(`{"\ufeffa":1,"\\ufeffb":2,"c":"\\\\ufeff"}${blanks}`)).toEqual({
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
  ])("has no place outside of them: %j", (text) => {
    const error = thrownBy(() => read(text));
    expect(error).toMatchObject({ code: "ERR_INVALID_BYTE", offset: Buffer.from(text).indexOf(0xef) });
  });
});

test("what a listener throws is thrown as it is", () => {
  const thrown = new TokenizerError("from outside");
  const onKey = (): void => {
    throw thrown;
  };
  expect(thrownBy(() => read('"a":\\', { kind: "entries", onKey }))).toBe(thrown);
});
