/** Options of other formats: own properties only, each is read once, all errors have the same wording. */
import {
  choiceOption,
  countOption,
  flagOption,
  optionsObject,
  own,
  ownOptions,
  readOptions,
  refuseSimilar,
  refuseUnknown,
  suggestion,
} from "moonpack/bytes";
import { describe, expect, test } from "vitest";

const refused = (message: string) => expect.objectContaining({ code: "ERR_INVALID_ARGUMENT", message });

describe("an options argument", () => {
  test.each([[null], [1], ["a"], [[]], [() => {}]])("%j is refused", (options) => {
    expect(() => optionsObject(options)).toThrow(refused("options must be an object"));
    expect(() => ownOptions(options as object, "encoder")).toThrow(refused("encoder must be an object"));
  });

  test("undefined is an empty object", () => {
    expect(optionsObject(undefined)).toEqual({});
    expect(Object.keys(ownOptions(undefined as object | undefined))).toEqual([]);
  });

  test("a copy inherits nothing, and reads each property once", () => {
    let reads = 0;
    const given = Object.create(
      { inherited: 1 },
      {
        port: { enumerable: true, get: () => ++reads },
      },
    ) as { port: number; inherited?: number };
    const copy = ownOptions(given);
    expect([copy.port, copy.port, copy.inherited, reads]).toEqual([1, 1, undefined, 1]);
    expect(Object.getPrototypeOf(copy)).toBe(null);
    expect(Object.getPrototypeOf(own(given))).toBe(null);
  });
});

test("numbers, choices and flags", () => {
  expect(countOption("n", undefined, 3, 1, 5)).toBe(3);
  expect(countOption("n", Infinity, 3, 1, Infinity)).toBe(Infinity);
  expect(() => countOption("n", Infinity, 3, 1, 5)).toThrow(refused("n must be an integer from 1 to 5"));
  expect(() => countOption("n", 0.5, 3, 0, Infinity)).toThrow(refused("n must be an integer from 0 up"));
  const order: "up" | "down" = choiceOption("order", undefined, ["up", "down"]);
  expect(order).toBe("up");
  expect(() => choiceOption("order", "left", ["up", "down"])).toThrow(refused('order must be "up" or "down"'));
  expect([flagOption("f", undefined, true), flagOption("f", false, true)]).toEqual([true, false]);
  expect(() => flagOption("f", 1, false)).toThrow(refused("f must be false or true"));
  expect(readOptions({ strict: [false, true], max: [8, 1, Infinity] }, { max: 2 })).toEqual({ strict: false, max: 2 });
});

describe("names that are not known", () => {
  test("are refused, with the most similar one", () => {
    expect(() => refuseUnknown({ prot: 1 }, ["host", "port"])).toThrow(
      refused('"prot" is not a known option: did you mean port?'),
    );
    expect(() => refuseUnknown({ nmae: "x" }, ["name", "tags"], "option of a match")).toThrow(
      refused('"nmae" is not a known option of a match: did you mean name?'),
    );
    expect(() => refuseUnknown(JSON.parse('{"__proto__":1}'), ["host"])).toThrow(
      refused('"__proto__" is not a known option'),
    );
    expect(refuseUnknown({ tags: {} }, ["name", "tags"])).toBeUndefined();
  });

  test("where others are passed on, only similar ones are refused", () => {
    const known = ["maxBytes", "fetch"];
    expect(
      refuseSimilar({ maxBytes: 1, keepalive: true, cache: "no-store", ["x".repeat(1e6)]: 1 }, known),
    ).toBeUndefined();
    for (const wrong of ["maxByte", "maxbytes", "MAXBYTES", "maxBytse"])
      expect(() => refuseSimilar({ keepalive: true, [wrong]: 1 }, known)).toThrow(
        refused(`"${wrong}" is not a known option: did you mean maxBytes?`),
      );
  });

  test("a suggestion for a long name costs nothing", () => {
    expect([suggestion("maxx", ["min", "max"]), suggestion("x".repeat(1e6), ["max"])]).toEqual([
      ": did you mean max?",
      "",
    ]);
  });
});
