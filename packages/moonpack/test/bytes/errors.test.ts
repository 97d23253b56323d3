import { DecodeError, EncodeError, ERROR_CODES, type ErrorCode, MoonpackError, nested, shifted } from "moonpack/bytes";
import { describe, expect, test } from "vitest";

describe("errors", () => {
  test("decode errors carry code, offset and needMore", () => {
    const error = new DecodeError("ERR_TRUNCATED", "the input ends inside an item", 7, 3);
    expect(error).toBeInstanceOf(DecodeError);
    expect(error).toBeInstanceOf(MoonpackError);
    expect(error).toBeInstanceOf(Error);
    expect(error.code).toBe("ERR_TRUNCATED");
    expect(error.offset).toBe(7);
    expect(error.needMore).toBe(3);
    expect(error.name).toBe("DecodeError");
    expect(error.message).toBe("the input ends inside an item (at byte 7, 3 more needed)");
    expect(String(error)).toBe("DecodeError: the input ends inside an item (at byte 7, 3 more needed)");
    expect(error.cause).toBe(undefined);
    expect(typeof error.stack).toBe("string");
  });

  test("needMore is 0 when more input does not help", () => {
    const error = new DecodeError("ERR_INVALID_BYTE", "c1 is not a format", 0);
    expect(error.needMore).toBe(0);
    expect(error.message).toBe("c1 is not a format (at byte 0)");
  });

  test("encode errors carry code and path", () => {
    const cause = new TypeError("boom");
    const error = new EncodeError("ERR_USER_CODE", "a getter threw", "$.a[3].cb", cause);
    expect(error).toBeInstanceOf(EncodeError);
    expect(error).toBeInstanceOf(MoonpackError);
    expect(error).not.toBeInstanceOf(DecodeError);
    expect(error.code).toBe("ERR_USER_CODE");
    expect(error.path).toBe("$.a[3].cb");
    expect(error.name).toBe("EncodeError");
    expect(error.message).toBe("a getter threw (at $.a[3].cb)");
    expect(error.cause).toBe(cause);
  });

  test("another format may add codes, also in the types", () => {
    const error: MoonpackError = new DecodeError("STATION_VERSION", "version 9", 2);
    const code: ErrorCode = error.code;
    expect(code).toBe("STATION_VERSION");
    expect(shifted(error, 3)).toMatchObject({ code, offset: 5 });
    expect(nested(new EncodeError(code, "too old", "$.at"), "[1]")).toMatchObject({ code, path: "$[1].at" });
  });

  test("the base class", () => {
    const error = new MoonpackError("ERR_CLOSED", "used after close");
    expect(error.name).toBe("MoonpackError");
    expect(Object.hasOwn(error, "cause")).toBe(false);
    expect(String(error)).toBe("MoonpackError: used after close");
  });

  test("error names do not depend on the class name, so minifiers keep them", () => {
    for (const made of [
      new DecodeError("ERR_TRUNCATED", "", 0),
      new EncodeError("ERR_CYCLE", "", "$"),
      new MoonpackError("ERR_CLOSED", ""),
    ]) {
      expect(Object.hasOwn(made, "name")).toBe(false);
      expect(Object.hasOwn(Object.getPrototypeOf(made) as object, "name")).toBe(true);
    }
  });

  test("every code is stable and explained", () => {
    // Codes may be added. None may be renamed or removed, since callers compare with them.
    const codes = Object.keys(ERROR_CODES);
    for (const code of [
      "ERR_TRUNCATED",
      "ERR_TRAILING_BYTES",
      "ERR_INVALID_BYTE",
      "ERR_INVALID_UTF8",
      "ERR_NOT_SHORTEST",
      "ERR_DUPLICATE_KEY",
      "ERR_LIMIT_DEPTH",
      "ERR_LIMIT_ELEMENTS",
      "ERR_LIMIT_BYTES",
      "ERR_FRAME_TOO_LARGE",
      "ERR_UNSUPPORTED_TYPE",
      "ERR_OUT_OF_RANGE",
      "ERR_UNSAFE_INTEGER",
      "ERR_UNKNOWN_EXTENSION",
      "ERR_CYCLE",
      "ERR_BUFFER_TOO_SMALL",
      "ERR_INVALID_ARGUMENT",
      "ERR_USER_CODE",
      "ERR_ABORTED",
      "ERR_CLOSED",
      "ERR_SCHEMA",
    ]) {
      expect(codes).toContain(code);
    }
    for (const [code, text] of Object.entries(ERROR_CODES)) {
      expect(code).toMatch(/^ERR_[A-Z0-9_]+$/);
      expect(text.length).toBeGreaterThan(15);
    }
  });
});
