/** Unknown options are refused by name, and options that are not objects are refused. */

import { fault } from "@moonpack/harness/caught.ts";
import { configure, Reader, Writer } from "@moonpack/protobuf";
import { describe, expect, test } from "vitest";

const BYTES = Uint8Array.of(8, 1);

/** Each function that takes options, a valid set of them, a wrong name, and the name that was meant. */
const CALLS: readonly [name: string, given: object, wrong: string, meant: string, call: (o: never) => unknown][] = [
  ["new Reader", { strict: true, int64: "bigint" }, "int46", "int64", (o) => new Reader(BYTES, o)],
  ["Reader.create", { strict: true, int64: "bigint" }, "Strict", "strict", (o) => Reader.create(BYTES, o)],
  ["new Writer", { strict: true }, "stric", "strict", (o) => new Writer(o)],
  ["configure", {}, "long", "Long", (o) => configure(o)],
];

describe.each(CALLS)("%s", (_, given, wrong, meant, call) => {
  test("options that are known are accepted", () => {
    expect(() => call(given as never)).not.toThrow();
  });

  test("an unknown option is refused, and the similar one is named", () => {
    const act = () => call({ ...given, [wrong]: true } as never);
    expect(fault(act)).toEqual({ code: "ERR_INVALID_ARGUMENT" });
    expect(act).toThrow(`"${wrong}" is not a known option: did you mean ${meant}?`);
  });

  test("without options there are defaults", () => {
    expect(() => call(undefined as never)).not.toThrow();
  });

  test.each([
    ["null", null],
    ["a text", "x"],
    ["a list", [1]],
  ])("%s is refused", (_, options) => {
    expect(fault(() => call(options as never))).toEqual({ code: "ERR_INVALID_ARGUMENT" });
  });
});
