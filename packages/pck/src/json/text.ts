/** JSON as text, also where Object.prototype is polluted: JSON.stringify would call an inherited `toJSON`. */

/** Returns the text of lists, plain objects and their content. Properties that are undefined are left out. */
export function jsonText(json: unknown): string {
  if (typeof json !== "object" || json === null) return JSON.stringify(json);
  if (Array.isArray(json)) return `[${json.map(jsonText).join(",")}]`;
  const members = Object.entries(json).filter(([, value]) => value !== undefined);
  return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${jsonText(value)}`).join(",")}}`;
}
