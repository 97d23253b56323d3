/**
 * Errors of other libraries' classes, for programs that test for these. They are DecodeErrors, too, once
 * {@link recognizeErrors} was called.
 */
import { DecodeError, type ErrorCode, MoonpackError } from "moonpack/bytes";

/** Makes a class that extends `Base` and has the fields of DecodeError. */
function withFields(Base: new (message: string) => Error) {
  return class extends Base {
    readonly code: ErrorCode;
    readonly offset: number;
    readonly needMore: number;

    constructor(message: string, { code, offset, needMore }: DecodeError) {
      super(message);
      this.code = code;
      this.offset = offset;
      this.needMore = needMore;
    }
  };
}

/** An Error that also is a DecodeError. */
export const PlainError = /* @__PURE__ */ withFields(Error);
/** A RangeError that also is a DecodeError. */
export const OutOfRange = /* @__PURE__ */ withFields(RangeError);
/** A TypeError that also is a DecodeError. */
export const WrongType = /* @__PURE__ */ withFields(TypeError);
/** For errors of a Writer: the class of `finishInto` without room. */
export const TooSmall = /* @__PURE__ */ withCode(RangeError);

function withCode(Base: new (message: string) => Error) {
  return class extends Base {
    readonly code: ErrorCode;

    constructor(message: string, code: ErrorCode) {
      super(message);
      this.code = code;
    }
  };
}

/** `instanceof` as classes have it by default. */
const isInstance = Function.prototype[Symbol.hasInstance];

/**
 * Makes `instanceof DecodeError` and `instanceof MoonpackError` true for the classes above. An object has one chain of
 * prototypes and cannot extend both RangeError and DecodeError. Programs that never make such an error do not pay for the
 * test. It stays after `uninstall`, for errors that were thrown before.
 */
export function recognizeErrors(): void {
  const decodeErrors = [PlainError, OutOfRange, WrongType];
  recognize(DecodeError, decodeErrors);
  recognize(MoonpackError, [...decodeErrors, TooSmall]);
}

function recognize(original: object, classes: readonly object[]): void {
  if (Object.hasOwn(original, Symbol.hasInstance)) return;
  const test = function (this: unknown, value: unknown): boolean {
    // Classes that extend `original` inherit the test, and have none of these errors.
    return isInstance.call(this, value) || (this === original && classes.some((one) => isInstance.call(one, value)));
  };
  Object.defineProperty(original, Symbol.hasInstance, { value: test, configurable: true });
}
