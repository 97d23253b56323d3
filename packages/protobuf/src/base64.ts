import { EncodeError } from "moonpack/bytes";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** The six bits of each character, by its code, in both alphabets of RFC 4648. -1 for other characters. */
const SEXTETS = /* @__PURE__ */ (() => {
  const table = new Int8Array(128).fill(-1);
  for (let i = 0; i < ALPHABET.length; i++) table[ALPHABET.charCodeAt(i)] = i;
  table["-".charCodeAt(0)] = 62;
  table["_".charCodeAt(0)] = 63;
  return table;
})();

/** Returns the bytes of base64 text. Padding may be missing or too long. Throws `ERR_UNSUPPORTED_TYPE` for other characters (RFC 4648, 3.3). */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  let { length } = text;
  while (text.charAt(length - 1) === "=") length--;
  const rest = length % 4;
  // One character alone has six bits, which is less than a byte. Complete groups of four need no padding.
  if (rest === 1 || (rest === 0 && length < text.length)) throw notBase64();
  const bytes = new Uint8Array((length * 3) >> 2);
  let bits = 0;
  let size = 0;
  for (let i = 0, at = 0; i < length; i++) {
    const sextet = SEXTETS[text.charCodeAt(i)] ?? -1;
    if (sextet < 0) throw notBase64();
    bits = (bits << 6) | sextet;
    size += 6;
    if (size < 8) continue;
    size -= 8;
    bytes[at++] = bits >> size;
  }
  return bytes;
}

function notBase64(): EncodeError {
  return new EncodeError("ERR_UNSUPPORTED_TYPE", "text for a bytes field is not valid base64", "$");
}
