/** Reads one header of a request, in the forms of all frameworks. */

/** Node's object of headers with lower-case names, or a Fetch `Headers`. */
export type HeaderSource = object;

/** The longest header that is read, in characters. Node's default limit for all headers is 16,384. */
const MAX_HEADER = 65_536;

/** Returns the value of a header; undefined if it is absent, empty, longer than 65,536 characters, or not text. */
export function headerText(headers: HeaderSource, name: string): string | undefined {
  const value = headerValue(headers, name);
  return typeof value === "string" && value !== "" && value.length <= MAX_HEADER ? value : undefined;
}

/** Reads own properties only: a header may have a name that exists on Object.prototype, such as `constructor`. */
function headerValue(headers: HeaderSource | null | undefined, name: string): unknown {
  if (typeof headers !== "object" || headers === null) return undefined; // an application's mock of a request
  if (Object.hasOwn(headers, name)) return (headers as Record<string, unknown>)[name];
  const prototype: unknown = Object.getPrototypeOf(headers);
  if (prototype === null || prototype === Object.prototype) return undefined;
  const { get } = headers as { get?: unknown };
  return typeof get === "function" ? (get.call(headers, name) as unknown) : undefined;
}

/**
 * True if a request has a header more than once. Node's `rawHeaders` are names and values in turn. A Fetch `Headers` has joined the
 * values, which shows in `text`.
 */
export function isRepeated(
  { headers, rawHeaders }: { readonly headers: HeaderSource; readonly rawHeaders?: readonly string[] },
  name: string,
  text: string,
): boolean {
  if (!Array.isArray(rawHeaders)) return !Object.hasOwn(headers, name) && text.includes(", ");
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const other: unknown = rawHeaders[i];
    if (typeof other === "string" && other.length === name.length && other.toLowerCase() === name && ++count > 1)
      return true;
  }
  return false;
}
