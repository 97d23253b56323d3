/** Options of the streams of msgpack-nodejs. */
import { DecodeStream, EncodeStream } from "@moonpack/compat/msgpack-nodejs";
import { caughtOurs, fault } from "@moonpack/harness/caught.ts";
import { describe, expect, test } from "vitest";

describe.each([EncodeStream, DecodeStream])("%o", (Stream) => {
  test.each([null, 3, "x", Symbol("x")])("options that are not an object: %o", (options) => {
    expect(fault(() => new Stream(options as never)).code).toBe("ERR_INVALID_ARGUMENT");
  });

  test.each([
    { flush: "later" },
    { extensions: 3 },
    { maxDepth: 1 },
    { utf8: "x" },
    { highWaterMrk: 1 },
  ])("%o, which a stream does not have", (options) => {
    expect(caughtOurs(() => new Stream(options as never)).message).toContain("is not a known option");
  });

  test("the options of every Node stream", () => {
    expect(new Stream({ readableHighWaterMark: 3 }).readableHighWaterMark).toBe(3);
    expect(fault(() => new Stream({ highWaterMark: -1 })).code).toBe("ERR_INVALID_ARGUMENT");
  });
});
