import fc from "fast-check";

/**
 * JSON.stringify writes floats up to 1e21 as digits, which the CLI reads as integers. Those beyond 64 bits have their
 * own tests.
 */
export const json = fc.jsonValue({ stringUnit: "grapheme" }).filter((value) => !/\d{19}/.test(JSON.stringify(value)));
export const spaced = fc.tuple(json, fc.constantFrom(0, 1, 2, "\t", "\r\n"));

/** JSON text with one byte changed, inserted or removed. */
export const broken = fc
  .tuple(spaced, fc.nat(), fc.constantFrom(...'[]{},:"\\0a-.e\u0001é \n'), fc.constantFrom(0, 1, 2))
  .map(([[value, space], at, mark, how]) => {
    const text = JSON.stringify(value, null, space);
    const index = at % (text.length + 1);
    return Buffer.from(text.slice(0, index) + (how < 2 ? mark : "") + text.slice(index + (how > 0 ? 1 : 0)));
  });

/** Pieces of JSON in any order: most texts are invalid, often in several ways. */
export const pieces = fc
  .array(
    fc.constantFrom(
      ...["[", "]", "{", "}", ",", ":", "1", "-", "1.", "1e400", "9007199254740993.0", "tru", "true", " ", "\n", "é"],
      ...['"a"', '"b', '"a":', '"1":0', '"\\u0031":1', '"\\ud800"', '"\\x"', "[1,2]", '{"b":2}', ',"c":[', "[[", "]]"],
      ...['{"$bin":"AA=="}', '{"\\u0024bin":"AA=="}', '{"$map":[', '{"\\u0024map":[', "[0,1],", '{"$obj":{', '"$int"'],
    ),
    { maxLength: 14 },
  )
  .chain((list) => fc.tuple(fc.constant(list.join("")), fc.nat(), fc.constantFrom(-1, 0xff, 0xc3, 0xef)))
  .map(([text, at, byte]) => {
    const bytes = Buffer.from(text);
    if (byte >= 0 && bytes.length > 0) bytes[at % bytes.length] = byte;
    return bytes;
  });
