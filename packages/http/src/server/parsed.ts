/** Bodies that were read before a route checks its schema: by another parser, or here without a schema. */
import { parse } from "content-type";
import { invalidArgument } from "moonpack/bytes";
import type { PckFormat } from "../formats/pck-format.js";
import { isMsgpack, PCK_TYPE } from "../media-types.js";
import type { Incoming } from "./incoming.js";
import { type BodyPicker, pickFrom } from "./picked.js";
import { bodyError } from "./request-errors.js";
import { checkReadOptions, type ReadValueOptions, type Settings } from "./settings.js";

/** The requests whose body was read here, with the schema of the check, or the Picker. */
const read = new WeakMap<object, PckFormat | BodyPicker | undefined>();
/** Those of them whose body is the values of a Picker. */
const picked = new WeakSet<object>();

/** Records that the body of `request` was read here with these options. */
export function noteRead(request: object, settings: Settings, options: ReadValueOptions<unknown> | undefined): void {
  const { pck, pick } = checkReadOptions(settings, options);
  read.set(request, pck ?? pick);
  if (pick !== undefined) picked.add(request);
}

/** True if the body was read before: here, or by another parser. A parser for another type may set `body` without reading. */
export function isParsed(request: { readonly readableDidRead: boolean }, body: unknown): boolean {
  return read.has(request) || (body !== undefined && request.readableDidRead);
}

/**
 * Checks a body that was read before, so that a route with a schema gets no unchecked body, and a route with a Picker only its
 * values. Returns it unchanged without both. The value of another parser, of JSON or a form, must be in the JSON form. Throws a
 * {@link RequestError} for an invalid value.
 */
export function checkParsed(
  request: object,
  { header }: Incoming,
  body: unknown,
  settings: Settings,
  options: ReadValueOptions<unknown> | undefined,
): unknown {
  const { pck, pick } = checkReadOptions(settings, options);
  const wanted = pck ?? pick;
  // Read here, and there was none.
  if (body === undefined) return undefined;
  if (wanted === undefined || (read.has(request) && read.get(request) === wanted)) return body;
  if (picked.has(request)) throw invalidArgument("a Picker has read the body before: only its values are left");
  const { type } = parse(header("content-type") ?? "");
  const isDecoded = read.get(request) !== undefined || isMsgpack(type) || type === PCK_TYPE;
  read.set(request, wanted);
  try {
    if (pck === undefined) {
      const values = pickFrom(pick!, body, settings.msgpack);
      picked.add(request);
      return values;
    }
    return isDecoded || pck.fromJSON === undefined ? pck.check(body) : pck.fromJSON(body);
  } catch (error) {
    throw bodyError(error);
  }
}
