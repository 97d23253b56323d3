import { concat, fromHex } from "./hex.ts";

/** Returns the bytes of the vectors' notation: hex, or a list of hex, `{"$repeat": [hex, n]}` and `{"$entries": n}`. */
export function readBytes(notation: unknown): Uint8Array<ArrayBuffer> {
  if (typeof notation === "string") return fromHex(notation);
  const parts = Array.isArray(notation) ? (notation as unknown[]) : [notation];
  return concat(...parts.map(readPart));
}

function readPart(part: unknown): Uint8Array {
  if (typeof part === "string") return fromHex(part);
  const { $repeat, $entries } = part as { $repeat?: [string, number]; $entries?: number };
  if ($repeat !== undefined) {
    const unit = fromHex($repeat[0]);
    const bytes = new Uint8Array(unit.length * $repeat[1]);
    for (let at = 0; at < bytes.length; at += unit.length) bytes.set(unit, at);
    return bytes;
  }
  if ($entries === undefined) throw new Error(`unknown part ${JSON.stringify(part)}`);
  const bytes = new Uint8Array($entries * 8);
  for (let i = 0, at = 0; i < $entries; i++, at += 8) {
    const digits = String(i).padStart(5, "0");
    bytes[at] = 0xa6;
    bytes[at + 1] = 0x6b;
    for (let d = 0; d < 5; d++) bytes[at + 2 + d] = digits.charCodeAt(d);
    bytes[at + 7] = 0xc0;
  }
  return bytes;
}
