/** JSON as text, whatever has been put on Object.prototype: JSON.stringify would ask a `toJSON` that lists and objects inherit. */

/** The text of lists, plain objects and what is in them. Properties that are undefined are left out. */
export function jsonText(json: unknown): string {
  if (typeof json !== "object" || json === null) return JSON.stringify(json);
  if (Array.isArray(json)) return `[${json.map(jsonText).join(",")}]`;
  const members = Object.entries(json).filter(([, value]) => value !== undefined);
  return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${jsonText(value)}`).join(",")}}`;
}
