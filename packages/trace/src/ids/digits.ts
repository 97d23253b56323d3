/** The hexadecimal digits of bytes, as character codes. */

let digits: Uint8Array | undefined;

/** Returns the two digits of each byte, at twice its value. */
export function hexDigits(): Uint8Array {
  return (digits ??= newDigits());
}

function newDigits(): Uint8Array {
  const codes = new Uint8Array(512);
  for (let byte = 0; byte < 256; byte++) {
    codes[2 * byte] = "0123456789abcdef".charCodeAt(byte >> 4);
    codes[2 * byte + 1] = "0123456789abcdef".charCodeAt(byte & 15);
  }
  return codes;
}
