/** Formats numbers for readers. */

/** Formats a count with thousands separators: 1,042,282. */
export function grouped(count: number): string {
  return Math.round(count).toLocaleString("en-US");
}

/** Formats operations per second: three significant digits below 100, integers above. */
export function rateText(perSecond: number): string {
  return perSecond >= 100 ? grouped(perSecond) : String(Number(perSecond.toPrecision(3)));
}

const UNITS = [
  [1000, "s", 1000],
  [1, "ms", 1],
  [1e-3, "µs", 1e-3],
] as const;

/** Formats milliseconds with three digits and a suitable unit: 461 ms, 7.05 ms, 812 µs. */
export function durationText(milliseconds: number): string {
  const rounded = Number(milliseconds.toPrecision(3));
  const [, unit, size] = UNITS.find(([least]) => rounded >= least) ?? [0, "ns", 1e-6];
  return `${Number((rounded / size).toPrecision(3))} ${unit}`;
}

/** Formats a share as a percentage. */
export function percentText(share: number): string {
  return `${Number((share * 100).toPrecision(share < 0.1 ? 2 : 3))} %`;
}

/** Formats a ratio: 1.07x. */
export function ratioText(ratio: number): string {
  return `${ratio.toFixed(ratio < 10 ? 2 : 1)}x`;
}

/** Formats a number of bytes, in units of 1,024. */
export function bytesText(bytes: number): string {
  if (bytes >= 2 ** 20) return `${Number((bytes / 2 ** 20).toPrecision(3))} MB`;
  return bytes >= 1024 ? `${Number((bytes / 1024).toPrecision(3))} KB` : `${bytes} B`;
}
