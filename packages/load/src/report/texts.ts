/** Numbers as readers like them. */

/** A count with separated thousands: 1,042,282. */
export function grouped(count: number): string {
  return Math.round(count).toLocaleString("en-US");
}

/** Operations a second: three digits at least, and no fraction that says nothing. */
export function rateText(perSecond: number): string {
  return perSecond >= 100 ? grouped(perSecond) : String(Number(perSecond.toPrecision(3)));
}

const UNITS = [
  [1000, "s", 1000],
  [1, "ms", 1],
  [1e-3, "µs", 1e-3],
] as const;

/** Milliseconds with three digits and the unit that fits: 461 ms, 7.05 ms, 812 µs. */
export function durationText(milliseconds: number): string {
  const rounded = Number(milliseconds.toPrecision(3));
  const [, unit, size] = UNITS.find(([least]) => rounded >= least) ?? [0, "ns", 1e-6];
  return `${Number((rounded / size).toPrecision(3))} ${unit}`;
}

/** A share as per cent. */
export function percentText(share: number): string {
  return `${Number((share * 100).toPrecision(share < 0.1 ? 2 : 3))} %`;
}

/** A ratio: 1.07x. */
export function ratioText(ratio: number): string {
  return `${ratio.toFixed(ratio < 10 ? 2 : 1)}x`;
}

/** Bytes of a text, in units of 1,024. */
export function bytesText(bytes: number): string {
  if (bytes >= 2 ** 20) return `${Number((bytes / 2 ** 20).toPrecision(3))} MB`;
  return bytes >= 1024 ? `${Number((bytes / 1024).toPrecision(3))} KB` : `${bytes} B`;
}
