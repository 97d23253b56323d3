/** Replacements of `label_replace`: `$1`, `${name}` and `$$`, as Go expands them. */

/** A literal text, or the number or name of a group. */
type Part = { readonly text: string } | { readonly group: string };

/** Splits a replacement into parts. A `$` without a name stands for itself. */
export function parseReplacement(template: string): readonly Part[] {
  const parts: Part[] = [];
  let at = 0;
  for (const match of template.matchAll(/\$(?:\$|([\p{L}\p{Nd}_]+)|\{([\p{L}\p{Nd}_]+)\})/gu)) {
    parts.push({ text: template.slice(at, match.index) });
    const group = match[1] ?? match[2];
    parts.push(group === undefined ? { text: "$" } : { group });
    at = match.index + match[0].length;
  }
  parts.push({ text: template.slice(at) });
  return parts;
}

/** Returns the texts of the replacement for a match. `groupOf` returns the text of a group; null for one that is missing. */
export function expand(parts: readonly Part[], groupOf: (group: string | number) => string | null): readonly string[] {
  return parts.map((part) =>
    "text" in part ? part.text : (groupOf(/^\d+$/.test(part.group) ? Number(part.group) : part.group) ?? ""),
  );
}
