/** Bodies that were read before a route asks for its schema: by another parser, or here without it. */
import { parse } from "content-type";
import type { PckFormat } from "../formats/pck-format.js";
import { isMsgpack, PCK_TYPE } from "../media-types.js";
import type { Incoming } from "./incoming.js";
import { bodyError } from "./request-errors.js";
import { type ReadOptions, readCall, type Settings } from "./settings.js";

/** The requests whose body was read here, with the schema that checked it. */
const read = new WeakMap<object, PckFormat | undefined>();

/** Notes that the body of `request` was read here with these options. */
export function noteRead(request: object, settings: Settings, options: ReadOptions<unknown> | undefined): void {
  read.set(request, readCall(settings, options).pck);
}

/**
 * Checks a body that was read before, so that nothing reaches a route with a schema unchecked. Returns it as it is without a schema.
 * What another parser made of JSON, or of a form, is in the JSON form. Throws a {@link RequestError} for another value.
 */
export function checkParsed(
  request: object,
  { header }: Incoming,
  body: unknown,
  settings: Settings,
  options: ReadOptions<unknown> | undefined,
): unknown {
  const { pck } = readCall(settings, options);
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
