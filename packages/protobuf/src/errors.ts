/** Errors of other libraries' classes, for programs that test for these. They are DecodeErrors, too: by their brands. */
import { DecodeError, type ErrorCode, MoonpackError } from "moonpack/bytes";

/** Makes a class that extends `Base` and is a MoonpackError by its brand: no object can extend both RangeError and ours. */
function withCode(Base: new (message: string) => Error) {
  return class extends Base {
    static get brand(): symbol {
      return MoonpackError.brand;
    }
    readonly code: ErrorCode;

    constructor(message: string, code: ErrorCode) {
      super(message);
      this.code = code;
    }
  };
}

/** The same for a DecodeError. */
function withFields(Base: new (message: string) => Error) {
  return class extends withCode(Base) {
    static override get brand(): symbol {
      return DecodeError.brand;
    }
    readonly offset: number;
    readonly needMore: number;

    constructor(message: string, { code, offset, needMore }: DecodeError) {
      super(message, code);
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
