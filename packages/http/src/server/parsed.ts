/** Bodies that were read before a route checks its schema: by another parser, or here without a schema. */
import { parse } from "content-type";
import type { PckFormat } from "../formats/pck-format.js";
import { isMsgpack, PCK_TYPE } from "../media-types.js";
import type { Incoming } from "./incoming.js";
import { bodyError } from "./request-errors.js";
import { checkReadOptions, type ReadOptions, type Settings } from "./settings.js";

/** The requests whose body was read here, with the schema of the check. */
const read = new WeakMap<object, PckFormat | undefined>();

/** Records that the body of `request` was read here with these options. */
export function noteRead(request: object, settings: Settings, options: ReadOptions<unknown> | undefined): void {
  read.set(request, checkReadOptions(settings, options).pck);
}

/**
 * Checks a body that was read before, so that a route with a schema gets no unchecked body. Returns it unchanged without a schema. The
 * value of another parser, of JSON or a form, must be in the JSON form. Throws a {@link RequestError} for an invalid value.
 */
export function checkParsed(
  request: object,
  { header }: Incoming,
  body: unknown,
  settings: Settings,
  options: ReadOptions<unknown> | undefined,
): unknown {
  const { pck } = checkReadOptions(settings, options);
  if (pck === undefined || (read.has(request) && read.get(request) === pck)) return body;
  const { type } = parse(header("content-type") ?? "");
  const isDecoded = read.get(request) !== undefined || isMsgpack(type) || type === PCK_TYPE;
  read.set(request, pck);
  try {
    return isDecoded || pck.fromJSON === undefined ? pck.check(body) : pck.fromJSON(body);
  } catch (error) {
    throw bodyError(error);
  }
}
