/**
 * A result as JSON with one line for each case, so that a diff shows which cases changed. A list or object is one line
 * when it has at most `longest` characters and contains no list of objects; otherwise each of its members begins a line.
 */
export function resultText(result: unknown, longest = 1000): string {
  return `${textOf(result, "", longest)}\n`;
}

function textOf(value: unknown, indent: string, longest: number): string {
  const line = JSON.stringify(value);
  if (typeof value !== "object" || value === null) return line;
  if (line.length <= longest && !hasObjectList(value)) return line;
  const inner = `${indent} `;
  const members = Array.isArray(value)
    ? value.map((item) => textOf(item, inner, longest))
    : Object.entries(value)
        .filter(([, member]) => member !== undefined)
        .map(([name, member]) => `${JSON.stringify(name)}: ${textOf(member, inner, longest)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}\n${members.map((member) => inner + member).join(",\n")}\n${indent}${close}`;
}

/** True for a list of objects, and for anything that contains one. */
function hasObjectList(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const members: readonly unknown[] = Object.values(value);
  if (Array.isArray(value) && members.some((member) => typeof member === "object" && !Array.isArray(member)))
    return true;
  return members.some(hasObjectList);
}
