/**
 * Fields for winston's lines. A logger of winston is a stream: while a transport is slow, lines wait, and formats run later, in
 * the context of whatever request made room. So a line's place has to be noted when it is logged; the only code of users that
 * winston runs then is the reading of `defaultMeta`.
 */
import { describe, invalidArgument } from "../errors.js";
import { type LogKeys, readKeys } from "./keys.js";
import { addFields, type LinePlace, placeHere } from "./line-ids.js";

const PLACE = /* @__PURE__ */ Symbol("moonpack.trace.place");

/** A line of winston. */
export type WinstonLine = Record<string | symbol, unknown>;

/** A format as winston and logform take it. */
export interface WinstonFormat {
  transform<Line extends object>(line: Line): Line;
}

/**
 * What winston's `createLogger` takes as `defaultMeta`, for {@link winstonFormat} and {@link winstonLine}: notes the request of a
 * line when it is logged. `meta` are fields that every line gets. Do not spread the result: it is read anew for each line.
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

/** The place of a line: noted, or if the logger has no {@link winstonMeta}, that of the caller. */
export function placeOf(line: WinstonLine): LinePlace {
  return Object.hasOwn(line, PLACE) ? (line[PLACE] as LinePlace) : placeHere();
}

/**
 * A format for winston: each line within a request gets the fields `requestId`, `traceId` and `spanId`, a line's own fields win.
 * Put it before formats that print. It returns a new line and leaves the one that was logged as it is. Without
 * {@link winstonMeta} lines that wait for a slow transport get the ids of other requests. It throws `ERR_INVALID_ARGUMENT` for
 * names that are none.
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

/** The same error may be logged by several requests; formats that follow know errors by `instanceof`. */
function copyOf(line: object): object {
  return line instanceof Error ? Object.assign(Object.create(line) as object, line) : { ...line };
}
