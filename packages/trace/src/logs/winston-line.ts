/** Lines of text for winston, in the form that is common for request ids. */
import { placeOf, type WinstonFormat, type WinstonLine } from "./winston.js";

/** The property with the text of a line, for winston's transports: `MESSAGE` of the package triple-beam. */
const MESSAGE = /* @__PURE__ */ Symbol.for("message");

/** Characters that end a line, move a terminal's cursor or reverse the following text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the characters to escape
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** The longest id or time that is printed, in characters. */
const MAX_TEXT = 1024;

/**
 * Returns a format for winston that prints `TIMESTAMP [request-id:ID]: message`, outside of requests `TIMESTAMP: message`. The time is
 * the line's `timestamp`, or the current one as ISO 8601; the id is the line's `requestId`, or the request's. Control characters of
 * both are escaped, so that they cannot forge lines. The message is not escaped. Use it with {@link winstonMeta}.
 *
 * @example
 * createLogger({ defaultMeta: winstonMeta(), format: winstonLine(), transports: [new transports.Console()] });
 */
export function winstonLine(): WinstonFormat {
  return {
    transform<Line extends object>(line: Line): Line {
      const info = line as Line & WinstonLine;
      const own = Object.hasOwn(info, "requestId") ? info.requestId : undefined;
      const id = own ?? placeOf(info).requestId;
      const time = Object.hasOwn(info, "timestamp") ? safeText(info.timestamp) : new Date().toISOString();
      const place = id === undefined ? "" : ` [request-id:${safeText(id)}]`;
      (info as WinstonLine)[MESSAGE] = `${time}${place}: ${textOf(info.message)}`;
      return info;
    },
  };
}

function safeText(value: unknown): string {
  const text = textOf(value);
  const cut = text.length > MAX_TEXT ? text.slice(0, MAX_TEXT) : text;
  return cut.replace(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Returns any value as text: a log line must not fail. */
function textOf(value: unknown): string {
  try {
    if (typeof value !== "object" || value === null) return String(value);
    return value instanceof Error ? String(value.message) : (JSON.stringify(value) ?? "");
  } catch {
    return `[${typeof value}]`; // a cycle, a bigint, or code of the value that throws
  }
}
