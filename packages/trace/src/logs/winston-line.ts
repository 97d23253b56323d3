/** Lines of text for winston, as the articles on request ids have them. */
import { placeOf, type WinstonFormat, type WinstonLine } from "./winston.js";

/** Where winston's transports find the text of a line: `MESSAGE` of the package triple-beam. */
const MESSAGE = /* @__PURE__ */ Symbol.for("message");

/** What would end a line, move a terminal's cursor or reverse the text that follows. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is to be escaped
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** The most of an id or a time that is printed, in characters. */
const MAX_TEXT = 1024;

/**
 * A format for winston that prints `TIMESTAMP [request-id:ID]: message`, outside of requests `TIMESTAMP: message`. The time is
 * the line's `timestamp` if it has one, else now as ISO 8601; the id is the line's `requestId` if it has one. Control characters
 * of both are escaped, so that whoever chose them cannot forge lines; the message is printed as it is. Use it with
 * {@link winstonMeta}.
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

/** A log line does not fail because of what it is to print. */
function textOf(value: unknown): string {
  try {
    if (typeof value !== "object" || value === null) return String(value);
    return value instanceof Error ? String(value.message) : (JSON.stringify(value) ?? "");
  } catch {
    return `[${typeof value}]`; // a circle, a bigint, code of the value that throws
  }
}
