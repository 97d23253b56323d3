/** The header `tracestate` of W3C Trace Context, level 2. */
import { describe, invalidArgument } from "../errors.js";
import { withoutSpacesAround } from "./traceparent.js";

/** A member of a `tracestate`: a vendor's key and its value. */
export type TracestateMember = readonly [key: string, value: string];

/** The most members of a list. */
const MAX_MEMBERS = 32;
/** The longest text that is sent. */
const MAX_SENT = 512;
/** Longer members are removed first when a list must be cut. */
const LONG_MEMBER = 128;
/** The longest text that is read: twice 32 members with the longest keys and values, for spaces and empty members. */
const MAX_READ = 32_768;

const KEY = /^[a-z0-9][a-z0-9_*/@-]{0,255}$/;
/** Printable ASCII but `,` and `=`; no space at the end. */
const VALUE = /^[ -+\--<>-~]{0,255}[!-+\--<>-~]$/;

/**
 * Reads a `tracestate`, or several, which are joined. Empty members are skipped; of members with the same key the first stays. Returns
 * undefined if a member is invalid, or if there are more than 32: such a list must be dropped as a whole.
 *
 * @example
 * parseTracestate("rojo=00f067aa0ba902b7,congo=t61rcWkgMzE"); // [["rojo", "00f067aa0ba902b7"], ["congo", "t61rcWkgMzE"]]
 */
export function parseTracestate(text: string | readonly string[]): TracestateMember[] | undefined {
  const joined: unknown = Array.isArray(text) ? text.join(",") : text;
  if (typeof joined !== "string" || joined.length > MAX_READ) return undefined;
  const members: TracestateMember[] = [];
  let start = 0;
  let count = 0;
  while (start <= joined.length) {
    const comma = joined.indexOf(",", start);
    const end = comma < 0 ? joined.length : comma;
    const member = withoutSpacesAround(joined.slice(start, end));
    start = end + 1;
    if (member === "") continue;
    if (++count > MAX_MEMBERS) return undefined;
    const equals = member.indexOf("=");
    const key = member.slice(0, Math.max(equals, 0));
    const value = member.slice(equals + 1);
    if (!KEY.test(key) || !VALUE.test(value)) return undefined;
    if (!members.some(([other]) => other === key)) members.push([key, value]);
  }
  return members;
}

/**
 * Writes a `tracestate` of at most 512 characters. If it is longer, members over 128 characters are removed first, then others, from the
 * right. Throws `ERR_INVALID_ARGUMENT` for an invalid member, a duplicate key, or more than 32 members.
 *
 * @example
 * formatTracestate([["rojo", "1"], ["congo", "2"]]); // "rojo=1,congo=2"
 */
export function formatTracestate(members: readonly TracestateMember[]): string {
  if (!Array.isArray(members) || members.length > MAX_MEMBERS)
    throw invalidArgument("expected a list of at most 32 members");
  const keys = new Set<string>();
  for (const member of members as readonly unknown[]) {
    const [key, value] = Array.isArray(member) ? (member as unknown[]) : [];
    if (typeof key !== "string" || !KEY.test(key)) throw invalidArgument(`${describe(key)} is not a key of tracestate`);
    if (typeof value !== "string" || !VALUE.test(value))
      throw invalidArgument(`${describe(value)} is not a value of tracestate`);
    if (keys.has(key)) throw invalidArgument(`duplicate key ${describe(key)}`);
    keys.add(key);
  }
  return sendable(members);
}

/** Returns the text of valid members, cut to 512 characters. */
export function sendable(members: readonly TracestateMember[]): string {
  const texts = members.map(([key, value]) => `${key}=${value}`);
  let length = texts.reduce((sum, text) => sum + text.length + 1, -1);
  const cut = (isCut: (text: string) => boolean) => {
    for (let i = texts.length - 1; i >= 0 && length > MAX_SENT; i--) {
      const text = texts[i]!;
      if (!isCut(text)) continue;
      length -= text.length + 1;
      texts.splice(i, 1);
    }
  };
  cut((text) => text.length > LONG_MEMBER);
  cut(() => true);
  return texts.join(",");
}
