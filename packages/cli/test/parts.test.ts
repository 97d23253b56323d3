import fc from "fast-check";
import { decode, encode } from "moonpack";
import { expect, test } from "vitest";
import { convertBytes } from "./inProcess.js";

/** In small pieces, with nearly every container in parts. */
const ways = fc.record({
  chunk: fc.constantFrom(1, 3, 17, 1 << 20),
  wholeBytes: fc.constantFrom(1, 8, 64, 1 << 20),
  pipe: fc.boolean(),
});
const RUNS = process.env.CI === "true" || process.env.MOONPACK_FULL ? 5000 : 500;
/** JSON.stringify writes floats up to 1e21 in digits, which are integers to us: those beyond 64 bits have tests of their own. */
const json = fc.jsonValue({ stringUnit: "grapheme" }).filter((value) => !/\d{19}/.test(JSON.stringify(value)));
const spaced = fc.tuple(json, fc.constantFrom(0, 1, 2, "\t", "\r\n"));

test("JSON in parts is what JSON.parse and our encoder make of it whole", async () => {
  await fc.assert(
    fc.asyncProperty(spaced, ways, async ([value, space], way) => {
      const text = JSON.stringify(value, null, space);
      const bytes = await convertBytes(Buffer.from(text), { ...way, from: "json", to: "msgpack" });
      // Digits beyond 2^53 are integers to us and floats to JSON.parse: they differ in kind, not here.
      expect(rounded(decode(bytes))).toEqual(rounded(decode(encode(JSON.parse(text)))));
      const back = await convertBytes(bytes, { ...way, from: "msgpack", to: "ndjson", bigIntegers: true });
      expect(JSON.parse(back.toString())).toEqual(JSON.parse(text));
    }),
    { numRuns: RUNS },
  );
});

function rounded(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_, inner) => (typeof inner === "bigint" ? Number(inner) : inner)));
}

test("pretty in parts is pretty whole", async () => {
  await fc.assert(
    fc.asyncProperty(json, ways, async (value, way) => {
      const text = JSON.stringify(value, null, 2);
      const pretty = { from: "json", to: "json", indent: 2, bigIntegers: true } as const;
      const whole = await convertBytes(Buffer.from(text), pretty);
      expect((await convertBytes(Buffer.from(text), { ...way, ...pretty })).toString()).toBe(whole.toString());
      expect(JSON.parse(whole.toString())).toEqual(JSON.parse(text));
    }),
    { numRuns: RUNS },
  );
});

/** JSON text with one byte changed, put in or taken out. */
const broken = fc
  .tuple(spaced, fc.nat(), fc.constantFrom(...'[]{},:"\\0a-.e\u0001é \n'), fc.constantFrom(0, 1, 2))
  .map(([[value, space], at, mark, how]) => {
    const text = JSON.stringify(value, null, space);
    const index = at % (text.length + 1);
    return Buffer.from(text.slice(0, index) + (how < 2 ? mark : "") + text.slice(index + (how > 0 ? 1 : 0)));
  });

test("what JSON.parse refuses is refused with a code and an offset, the same code whole and in parts; what it takes is taken", async () => {
  const outcome = async (text: Buffer, way: object): Promise<string> => {
    const result = await convertBytes(text, { from: "json", to: "json", bigIntegers: true, ...way }).catch(
      (thrown) => thrown,
    );
    return result instanceof Uint8Array ? result.toString() : `${result.code} ${result.offset}`;
  };
  await fc.assert(
    fc.asyncProperty(broken, ways, async (text, way) => {
      const whole = await outcome(text, {});
      const parts = await outcome(text, way);
      let valid = true;
      try {
        JSON.parse(text.toString());
      } catch {
        valid = false;
      }
      if (!valid || /^ERR_(OUT_OF_RANGE|INVALID_UTF8)/.test(whole)) expect(whole).toMatch(/^ERR_\w+ \d+$/);
      // A key that comes twice in an object in parts is written twice: readers take the later one, as JSON.parse does.
      if (valid && !whole.startsWith("ERR_")) expect(JSON.parse(parts)).toEqual(JSON.parse(whole));
      // The same code; the byte blamed can be the token's first or the one inside it, as each way of reading meets it.
      else expect(parts.replace(/ \d+$/, "")).toBe(whole.replace(/ \d+$/, ""));
    }),
    { numRuns: 2 * RUNS },
  );
});
