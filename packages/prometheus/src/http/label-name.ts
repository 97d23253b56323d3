/** Names of labels in paths: Prometheus writes characters that are not letters, digits and `_` as their codes. */

const PREFIX = "U__";

/** Returns the name of a label from a path: `U__http_2e_status` is `http.status`. A text that is not such a name is returned as it is. */
export function unescapedName(text: string): string {
  if (!text.startsWith(PREFIX)) return text;
  let isValid = true;
  const name = text.slice(PREFIX.length).replace(/_(?:(_)|([0-9a-fA-F]{1,6})_)?/g, (_, own?: string, hex?: string) => {
    const code = hex === undefined ? Number.NaN : Number.parseInt(hex, 16);
    if (own !== undefined) return "_";
    if (code <= 0x10ffff && !(code >= 0xd800 && code < 0xe000)) return String.fromCodePoint(code);
    isValid = false;
    return "";
  });
  return isValid ? name : text;
}
