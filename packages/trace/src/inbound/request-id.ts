/** The id of a request in headers. */
import { headerText, isRepeated } from "./headers.js";
import type { RequestMessage } from "./open-request.js";
import type { Settings } from "./options.js";

/** Characters that no log, JSON or HTML has to escape. */
const ID = /^[A-Za-z0-9\-._~:;/+=@|]+$/;

/** Valid in a header, without characters that break a log line. */
const PRINTABLE = /^[ -~]+$/;

/** The longest id that is echoed, in characters. */
const MAX_ECHO = 1024;

/** True for a valid id from outside: 1 to `maxLength` characters of `A-Za-z0-9-._~:;/+=@|`. */
export function isAcceptableId(text: string, maxLength = 128): boolean {
  return text.length <= maxLength && ID.test(text);
}

/** Returns the id of a request's header; undefined without an acceptable one. */
export function headerId(settings: Settings, request: unknown, message: RequestMessage): string | undefined {
  const { headerKey, maxIdLength, acceptId } = settings;
  const text = headerText(message.headers, headerKey);
  if (text === undefined || text.length > maxIdLength || isRepeated(message, headerKey, text)) return undefined;
  if (acceptId === undefined) return ID.test(text) ? text : undefined;
  try {
    const answer = acceptId(text, request);
    if (answer === true) return text;
    return typeof answer === "string" && answer !== "" ? answer : undefined;
  } catch {
    return undefined; // only the factory's errors reach the request
  }
}

/** Returns an id as text for a header: printable ASCII, at most 1,024 characters; undefined if that is not possible. */
export function echoText(id: unknown): string | undefined {
  if (typeof id === "number" || typeof id === "bigint" || typeof id === "boolean") id = String(id);
  return typeof id === "string" && id.length <= MAX_ECHO && PRINTABLE.test(id) ? id : undefined;
}
