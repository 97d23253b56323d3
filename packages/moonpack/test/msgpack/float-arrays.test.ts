/** Arrays that look as if they held floats only: the first element and the one where the last float would start are float 64. */
import { Decoder, decode } from "moonpack";
import { complete } from "moonpack/msgpack/features";
import { StreamDecoder } from "moonpack/stream";
import { describe, expect, test } from "vitest";

const float = (value: number) => {
  const bytes = new Uint8Array(9);
  bytes[0] = 0xcb;
  new DataView(bytes.buffer).setFloat64(1, value);
  return [...bytes];
};
/** Arrays whose elements take as many bytes as floats. */
const array = (n: number, ...items: number[][]) => new Uint8Array([0x90 + n, ...items.flat()]);
const nineBytes = [0xa8, ...new TextEncoder().encode("12345678")];

const cases = {
  "floats only": [array(6, ...[1.5, -2.5, 0.1, 4e300, -0, 7.25].map(float)), [1.5, -2.5, 0.1, 4e300, -0, 7.25]],
  "a text between floats": [
    array(6, float(1.5), float(2), nineBytes, float(4), float(5), float(6.5)),
    [1.5, 2, "12345678", 4, 5, 6.5],
  ],
  "an integer between floats": [
    array(6, float(1.5), [0xcf, 0, 0, 0, 1, 0, 0, 0, 0], float(3), float(4), float(5), float(6.5)),
    [1.5, 2 ** 32, 3, 4, 5, 6.5],
  ],
  "a text that contains the byte of a float": [
    // The last float of six would start at the text's 0xcb, inside of "ˉ".
    array(
      6,
      float(1.5),
      [0x01],
      [0x02],
      [0x03],
      [0xd9, 40, ...new Array(31).fill(0x61), 0xcb, 0x89, ...new Array(7).fill(0x62)],
      [0x05],
    ),
    [1.5, 1, 2, 3, `${"a".repeat(31)}ˉ${"b".repeat(7)}`, 5],
  ],
} as const;

describe("arrays of floats", () => {
  for (const [name, [bytes, value]] of Object.entries(cases)) {
    test(name, () => {
      expect(decode(bytes)).toEqual(value);
      expect(new Decoder({ codeGeneration: false }).decode(bytes)).toEqual(value);
      const [streamed] = [...new StreamDecoder().push(bytes)];
      expect(streamed).toEqual(value);
      for (let cut = 1; cut < bytes.length; cut++) {
        const stream = new StreamDecoder();
        const values = [...stream.push(bytes.subarray(0, cut)), ...stream.push(bytes.subarray(cut))];
        expect(values).toEqual([value]);
      }
    });
  }

  test("a strict decoder refuses floats that a shorter form holds", () => {
    const strict = new Decoder({ strict: true, engine: complete });
    const shortest = [0.1, 0.2, 0.3, 0.4, 0.6, 0.7];
    expect(strict.decode(array(6, ...shortest.map(float)))).toEqual(shortest);
    const bytes = array(6, ...[0.1, 0.2, 3, 0.4, 0.5, 0.6].map(float));
    expect(() => strict.decode(bytes)).toThrow(/not the shortest form/);
    expect(decode(bytes)).toEqual([0.1, 0.2, 3, 0.4, 0.5, 0.6]);
  });

  test("an array whose last float is cut is truncated", () => {
    const bytes = array(6, ...[1, 2, 3, 4, 5, 6].map(float));
    for (let n = 1; n < bytes.length; n++) expect(() => decode(bytes.subarray(0, n))).toThrow("the input ends inside");
  });
});
