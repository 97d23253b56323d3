/** Options and arguments of the wrong type, and misspelt names: each is ERR_INVALID_ARGUMENT, and a similar name is suggested. */

import * as javascript from "@moonpack/compat/msgpack-javascript";
import * as nodejs from "@moonpack/compat/msgpack-nodejs";
import { caughtOurs, fault } from "@moonpack/harness/caught.ts";
import { describe, expect, test } from "vitest";

const nothing = () => null;
const bytes = new Uint8Array([1]);

/** The code and the text of the error of a call. */
function refused(call: () => unknown): string {
  const { code, message } = caughtOurs(call);
  return `${code} ${message}`;
}

describe("msgpack-javascript", () => {
  test.each([null, 5, "x", true])("an extension that is %s", (extension) => {
    expect(refused(() => new javascript.ExtensionCodec().register(extension as never))).toContain(
      "ERR_INVALID_ARGUMENT an extension must be an object",
    );
  });

  test.each([
    [{ type: 1, encod: nothing, decode: nothing }, "did you mean encode?"],
    [{ type: 1, encode: nothing, decod: nothing }, "did you mean decode?"],
    [{ type: 1, encode: 3, decode: nothing }, "encode must be a function"],
    [{ type: 1, encode: nothing, decode: "x" }, "decode must be a function"],
    [{ type: 128, encode: nothing, decode: nothing }, "extension type"],
  ])("the extension %o", (extension, text) => {
    const message = refused(() => new javascript.ExtensionCodec().register(extension as never));
    expect(message).toContain("ERR_INVALID_ARGUMENT");
    expect(message).toContain(text);
  });

  test("one direction alone, as in the original", () => {
    const extensionCodec = new javascript.ExtensionCodec();
    extensionCodec.register({ type: 1, encode: nothing } as never);
    extensionCodec.register({ type: 2, decode: nothing } as never);
    expect(javascript.decode(javascript.encode(1, { extensionCodec }), { extensionCodec })).toBe(1);
  });

  test("misspelt options", () => {
    expect(refused(() => javascript.encode(1, { sortKey: true } as never))).toContain("did you mean sortKeys?");
    expect(refused(() => new javascript.Decoder({ maxDept: 1 } as never))).toContain("did you mean maxDepth?");
    expect(javascript.decode(bytes, { somethingElse: 1 } as never)).toBe(1);
  });
});

describe("msgpack-nodejs", () => {
  class Point {}

  test.each([
    [null, "an extension must be an object"],
    [{ type: 101, objConstructor: Point, encode: 3, decode: nothing }, "encode must be a function"],
    [{ type: 101, objConstructor: Point, encode: nothing }, "decode must be a function"],
    [{ type: 101, objConstructor: Point, encod: nothing, decode: nothing }, "did you mean encode?"],
    [{ type: 101, objConstructr: Point, encode: nothing, decode: nothing }, "did you mean objConstructor?"],
    [{ type: 101, encode: nothing, decode: nothing }, ""],
  ])("the extension %o, and nothing is registered", (extension, text) => {
    const message = refused(() => nodejs.registerExtension(extension as never));
    expect(message).toContain("ERR_INVALID_ARGUMENT");
    expect(message).toContain(text);
    expect(fault(() => nodejs.encode(new Point())).code).toBe("ERR_UNSUPPORTED_TYPE");
  });

  test("misspelt options", () => {
    expect(refused(() => nodejs.applyOptions({ encodr: {} } as never))).toContain("did you mean encoder?");
  });
});
