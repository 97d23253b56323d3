// Numbers for readers.

/** A whole number with separators. */
export function grouped(number: number): string {
  return number.toLocaleString("en");
}

/** A number of bytes in words. */
export function bytesText(bytes: number): string {
  if (bytes < 10_000) return `${grouped(bytes)} ${bytes === 1 ? "byte" : "bytes"}`;
  const kilo = bytes / 1024;
  return kilo < 1024 ? `${kilo.toFixed(kilo < 100 ? 1 : 0)} KB` : `${(kilo / 1024).toFixed(1)} MB`;
}

/** A share in percent. */
export function percent(part: number, whole: number): string {
  if (whole === 0) return "0 %";
  const share = (100 * part) / whole;
  return `${share.toFixed(share < 10 ? 1 : 0)} %`;
}
