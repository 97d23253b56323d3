import fc from "fast-check";
import { decode, encode } from "moonpack";
import { expect, test } from "vitest";
import { type Conversion, convertBytes } from "./in-process.js";
import { broken, json, pieces, spaced } from "./json-texts.js";

/** Small pieces of input, with nearly every container in parts. */
const ways = fc.record({
  chunk: fc.constantFrom(1, 3, 17, 1 << 20),
  wholeBytes: fc.constantFrom(1, 8, 64, 1 << 20),
  pipe: fc.boolean(),
});
const RUNS = process.env.CI === "true" || process.env.MOONPACK_ALL ? 2000 : 200;

test("JSON in parts gives the bytes that the encoder writes for JSON.parse's value", async () => {
  await fc.assert(
    fc.asyncProperty(spaced, ways, async ([value, space], way) => {
      const text = JSON.stringify(value, null, space);
      const bytes = await convertBytes(Buffer.from(text), { ...way, from: "json", to: "msgpack" });
      // The CLI reads digits beyond 2^53 as integers, JSON.parse as floats: their types differ here, not their values.
      expect(rounded(decode(bytes))).toEqual(rounded(decode(encode(JSON.parse(text)))));
      const back = await convertBytes(bytes, { ...way, from: "msgpack", to: "ndjson", bigIntegers: true });
      expect(JSON.parse(back.toString())).toEqual(JSON.parse(text));
    }),
    { numRuns: RUNS },
  );
});

test("MessagePack in parts gives the same as whole, and truncated anywhere it is an error", async () => {
  await fc.assert(
    fc.asyncProperty(json, fc.nat(), ways, async (value, cut, way) => {
      const conversion = { from: "msgpack", to: "msgpack", ...way } as const;
      const bytes = Buffer.from(encode([value, "a long text", value]));
      expect(await convertBytes(bytes, conversion)).toEqual(bytes);
      const part = bytes.subarray(0, 1 + (cut % (bytes.length - 1)));
      await expect(convertBytes(part, conversion)).rejects.toMatchObject({ code: "ERR_TRUNCATED" });
    }),
    { numRuns: RUNS },
  );
});

test("a length beyond the end of the file is an error with the number of missing bytes", async () => {
  for (const header of ["c6ffffffff", "dbffffffff", "c9ffffffff01", "ddffffffff", "dfffffffff"]) {
    const bytes = Buffer.concat([Buffer.from(header, "hex"), Buffer.alloc(1000, 0x7f)]);
    const conversion = { from: "msgpack", to: "msgpack", wholeBytes: 8, chunk: 16 } as const;
    const payload = 0xffffffff * (header.startsWith("df") ? 2 : 1);
    await expect(convertBytes(bytes, conversion)).rejects.toMatchObject({
      code: "ERR_TRUNCATED",
      offset: 0,
      needMore: payload - 1000,
    });
  }
});

test("a list of more elements than a decoder takes is read in parts, also within others and from a pipe", async () => {
  const most = Buffer.from("dd06000000", "hex");
  for (const [header, offset] of [
    [[], 0],
    [[0x92, 0x01], 2],
    [[0x81, 0xa1, 0x61], 3],
  ] as const)
    for (const chunk of [1, 6, 1000]) {
      const bytes = Buffer.concat([Buffer.from(header), most, Buffer.alloc(1000, 0x7f)]);
      const conversion = { from: "msgpack", to: "msgpack", wholeBytes: 100, chunk } as const;
      await expect(convertBytes(bytes, conversion)).rejects.toMatchObject({ code: "ERR_TRUNCATED", offset });
      await expect(convertBytes(bytes, { ...conversion, pipe: true })).rejects.toMatchObject({
        code: "ERR_TRUNCATED",
        offset: bytes.length,
      });
    }
});

function rounded(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_, inner) => (typeof inner === "bigint" ? Number(inner) : inner)));
}

test("--pretty gives the same in parts and whole", async () => {
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

async function outcome(text: Uint8Array, conversion: Conversion): Promise<string> {
  const result = await convertBytes(text, conversion).catch((thrown) => thrown);
  return Buffer.isBuffer(result) ? result.toString("latin1") : `${result.code} ${result.message}`;
}

/** Parts and whole must have the same outcome, except that parts refuse a duplicate key. */
function expectAlike(parts: string, whole: string): void {
  const offset = (text: string): number => Number(/^ERR_.* \(at byte (\d+)/.exec(text)?.[1] ?? Infinity);
  if (!parts.startsWith("ERR_DUPLICATE_KEY")) expect(parts).toBe(whole);
  // All errors of the pairs of a $map have the offset of the form.
  else if (whole.includes("[key, value] pairs")) expect(offset(parts)).toBeLessThanOrEqual(offset(whole));
  else expect(offset(parts)).toBeLessThan(offset(whole));
}

test("texts that JSON.parse refuses have an error with code and offset, the same whole and in parts; others are converted", async () => {
  await fc.assert(
    fc.asyncProperty(broken, ways, async (text, way) => {
      const conversion = { from: "json", to: "json", bigIntegers: true } as const;
      const whole = await outcome(text, conversion);
      let valid = true;
      try {
        JSON.parse(text.toString());
      } catch {
        valid = false;
      }
      if (!valid) expect(whole).toMatch(/^ERR_\w+ .*\(at byte \d+\)$/);
      else if (whole.startsWith("ERR_")) expect(whole).toMatch(/^ERR_(OUT_OF_RANGE|INVALID_UTF8) .*\(at byte \d+\)$/);
      expectAlike(await outcome(text, { ...conversion, ...way }), whole);
    }),
    { numRuns: 2 * RUNS },
  );
});

test.each([
  ["json", false],
  ["json", true],
  ["ndjson", false],
  ["ndjson", true],
] as const)("pieces of JSON in any order give the same whole and in parts: %s, typed %s", async (from, typed) => {
  await fc.assert(
    fc.asyncProperty(pieces, ways, async (text, way) => {
      const conversion = { from, to: "msgpack", typed } as const;
      expectAlike(await outcome(text, { ...conversion, ...way }), await outcome(text, conversion));
    }),
    {
      numRuns: RUNS,
      // A key that comes twice, then no pair.
      examples: [[Buffer.from('{"$map":[[0,1],[0,1],1.1e400'), { chunk: 3, wholeBytes: 1, pipe: true }]],
    },
  );
});
