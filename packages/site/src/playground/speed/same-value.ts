// Checks that a codec returns the value that it was given.

/** How values are compared. */
export interface SameOptions {
  /** A property that is missing may come back as null, 0, false or empty, as optional fields of PCK do. */
  readonly mayFill: boolean;
}

/** The path of the first difference between a value of JSON and a decoded value. Undefined if they are equal. */
export function differenceOf(
  value: unknown,
  read: unknown,
  options: SameOptions = { mayFill: false },
  path = "$",
): string | undefined {
  if (Object.is(value, read)) return undefined;
  if (!isObject(value) || !isObject(read) || Array.isArray(value) !== Array.isArray(read)) return path;
  if (Array.isArray(value) && value.length !== read.length) return path;
  for (const [key, inner] of Object.entries(value)) {
    const step = Array.isArray(value) ? `[${key}]` : `.${key}`;
    if (!Object.hasOwn(read, key)) return `${path}${step}`;
    const found = differenceOf(inner, read[key], options, `${path}${step}`);
    if (found !== undefined) return found;
  }
  const added = Object.keys(read).find((key) => !Object.hasOwn(value, key) && !(options.mayFill && isEmpty(read[key])));
  return added === undefined ? undefined : `${path}.${added}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function isEmpty(value: unknown): boolean {
  return isObject(value) ? Object.keys(value).length === 0 : !value;
}
