/**
 * Fields for winston's lines. A logger of winston is a stream: while a transport is slow, lines wait, and formats run later, in the
 * context of another request. So the ids of a line must be read when it is logged. The only code of users that winston runs then is a
 * getter of `defaultMeta`.
 */
import { describe, invalidArgument } from "../errors.js";
import { STATE } from "../shared.js";
import { type LogKeys, readKeys } from "./keys.js";
import { addFields, type LinePlace, placeHere } from "./line-ids.js";

const PLACE = /* @__PURE__ */ Symbol.for(`${STATE}.place`);

/** A line of winston. */
export type WinstonLine = Record<string | symbol, unknown>;

/** A format for winston and logform. */
export interface WinstonFormat {
  /** Returns the line with the ids of its request. */
  transform<Line extends object>(line: Line): Line;
}

/**
 * Returns the option `defaultMeta` of winston's `createLogger`, for {@link winstonFormat} and {@link winstonLine}: reads the ids of a
 * line when it is logged. Every line gets the fields of `meta`. Do not spread the result: its getter must run for each line. Throws
 * `ERR_INVALID_ARGUMENT` unless `meta` is an object.
 *
 * @example
 * createLogger({ defaultMeta: winstonMeta({ service: "shop" }), format: combine(winstonFormat(), json()), transports });
 */
export function winstonMeta<Meta extends object>(meta?: Meta): Meta {
  if (meta !== undefined && (typeof meta !== "object" || meta === null))
    throw invalidArgument(`meta must be an object, not ${describe(meta)}`);
  const noted = { ...meta };
  // Enumerable, since winston assigns it to the line.
  Object.defineProperty(noted, PLACE, { get: placeHere, enumerable: true, configurable: true });
  return noted as Meta;
}

/** Returns the ids of a line; without {@link winstonMeta}, of the current context. */
export function placeOf(line: WinstonLine): LinePlace {
  return Object.hasOwn(line, PLACE) ? (line[PLACE] as LinePlace) : placeHere();
}

/**
 * Returns a format for winston: each line within a request gets the fields `requestId`, `traceId` and `spanId`; a line's own fields
 * win. Put it before formats that print. It makes a new line, and does not change the logged one. Without {@link winstonMeta}, lines
 * that wait for a slow transport get the ids of other requests. Throws `ERR_INVALID_ARGUMENT` for invalid names.
 *
 * @example
 * createLogger({ defaultMeta: winstonMeta(), format: format.combine(winstonFormat(), format.json()), transports });
 */
export function winstonFormat(keys?: LogKeys): WinstonFormat {
  const names = readKeys(keys);
  return {
    transform<Line extends object>(line: Line): Line {
      const copy = copyOf(line) as Line & WinstonLine;
      addFields(copy, placeOf(copy), names);
      return copy;
    },
  };
}

/** Copies a line. Several requests may log the same error; later formats recognise errors by `instanceof`. */
function copyOf(line: object): object {
  return line instanceof Error ? Object.assign(Object.create(line) as object, line) : { ...line };
}
