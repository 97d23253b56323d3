/** Returns the bytes that a hex string stands for. Uses no Buffer, since it runs in every runtime. */
export function fromHex(hex: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(hex.length / 2);
  for (let i = 0; i < bytes.length; i++) {
    const byte = Number.parseInt(hex.slice(i * 2, i * 2 + 2), 16);
    if (Number.isNaN(byte)) throw new Error(`not hex: ${hex.slice(0, 80)}`);
    bytes[i] = byte;
  }
  return bytes;
}

/** Returns the bytes as lower-case hex. */
export function toHex(bytes: Uint8Array): string {
  let hex = "";
  for (const byte of bytes) hex += byte.toString(16).padStart(2, "0");
  return hex;
}

/** Returns the parts joined, in a new array. */
export function concat(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(parts.reduce((n, part) => n + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** Returns null for equal bytes, else a text that says where they differ. For megabytes `toEqual` takes seconds. */
export function bytesDiffer(a: Uint8Array, b: Uint8Array): string | null {
  const n = Math.min(a.length, b.length);
  for (let i = 0; i < n; i++) {
    if (a[i] !== b[i]) return `byte ${i}: ${toHex(a.subarray(i, i + 8))} against ${toHex(b.subarray(i, i + 8))}`;
  }
  return a.length === b.length ? null : `${a.length} bytes against ${b.length}`;
}
