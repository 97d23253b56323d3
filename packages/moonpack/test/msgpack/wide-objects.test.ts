/** Objects of many keys in an encoder that expects no keys, since few recurred: it lists their keys first. */
import { fault } from "@moonpack/harness/caught.ts";
import { decode, Encoder } from "moonpack";
import { describe, expect, test } from "vitest";

/** An encoder that has stopped expecting keys. */
function mixed(): Encoder {
  const encoder = new Encoder();
  for (let i = 0; i < 400; i++) encoder.encode({ [`a${i}`]: i, [`b${i}`]: i, [`c${i}`]: i, [`d${i}`]: i });
  return encoder;
}

type Values = Record<string, unknown>;

/** An object that V8 keeps fast, and one that it keeps as a dictionary. */
const builders: Readonly<Record<string, (n: number) => Values>> = {
  parsed: (n) => JSON.parse(JSON.stringify(Object.fromEntries(keysOf(n).map((key, i) => [key, i])))) as Values,
  dictionary: (n) => {
    const object: Values = { first: 0 };
    for (const [i, key] of keysOf(n).entries()) object[key] = i;
    delete object.first;
    return object;
  },
};

function keysOf(n: number): string[] {
  return Array.from({ length: n }, (_, i) => `key${i}`);
}

describe("wide objects among others", () => {
  for (const [name, build] of Object.entries(builders)) {
    test(`${name}: all sizes round-trip, also again and again`, () => {
      const encoder = mixed();
      for (const n of [0, 1, 15, 16, 17, 40, 127, 128, 129, 300]) {
        for (let i = 0; i < 3; i++) {
          const object = build(n);
          expect(Object.entries(decode<Values>(encoder.encode(object)))).toEqual(Object.entries(object));
        }
      }
    });

    test(`${name}: undefined values are omitted, and the header counts the rest`, () => {
      const encoder = mixed();
      for (const n of [16, 17, 40]) {
        for (let omitted = 1; omitted < 4; omitted++) {
          const object: Values = { ...build(n), after: [{ ...build(n), last: "x" }] };
          for (let i = 0; i < omitted; i++) object[`key${i * 2}`] = undefined;
          const bytes = encoder.encode(object);
          const expected: unknown = JSON.parse(JSON.stringify(object));
          expect(decode(bytes)).toEqual(expected);
          expect([...bytes]).toEqual([...new Encoder().encode(expected)]);
        }
      }
    });
  }

  test("a getter that throws: its key is in the path", () => {
    const encoder = mixed();
    for (let i = 0; i < 3; i++) {
      const object = builders.parsed!(20);
      Object.defineProperty(object, "key7", {
        enumerable: true,
        get() {
          throw new RangeError("no");
        },
      });
      const error = fault(() => encoder.encode([object]));
      expect(error.code).toBe("ERR_USER_CODE");
      expect(error.path).toBe("$[0].key7");
    }
    expect(decode(encoder.encode(builders.parsed!(20)))).toEqual(builders.parsed!(20));
  });

  test("a getter that deletes a later key: the rest keeps its values", () => {
    const encoder = mixed();
    const object = builders.parsed!(20);
    Object.defineProperty(object, "key0", {
      enumerable: true,
      get() {
        delete object.key5;
        return 0;
      },
    });
    const expected = builders.parsed!(20);
    delete expected.key5;
    expect(decode(encoder.encode(object))).toEqual(expected);
  });

  test("counters: omitted members are no values", () => {
    const encoder = mixed();
    const { values } = encoder.stats();
    encoder.encode({ ...builders.parsed!(20), key3: undefined });
    expect(encoder.stats().values - values).toBe(20);
  });
});
