// Figures of a race for readers.

const UNITS = [
  { name: "s", nanoseconds: 1e9 },
  { name: "ms", nanoseconds: 1e6 },
  { name: "µs", nanoseconds: 1e3 },
  { name: "ns", nanoseconds: 1 },
] as const;

/** Nanoseconds in words, with three digits that count. */
export function timeText(nanoseconds: number): string {
  const unit = unitOf(nanoseconds);
  return `${threeDigits(nanoseconds / unit.nanoseconds)} ${unit.name}`;
}

/** A range of nanoseconds, both in the unit of the greater. */
export function timeRange(low: number, high: number): string {
  const { nanoseconds, name } = unitOf(high);
  return `${threeDigits(low / nanoseconds)}–${threeDigits(high / nanoseconds)} ${name}`;
}

/** How many times as fast. */
export function ratioText(ratio: number): string {
  return `${threeDigits(ratio)}×`;
}

/** A range of ratios. */
export function ratioRange(low: number, high: number): string {
  return `${threeDigits(low)}–${ratioText(high)}`;
}

function unitOf(nanoseconds: number): (typeof UNITS)[number] {
  const shown = Number(nanoseconds.toPrecision(3));
  return UNITS.find((one) => shown >= one.nanoseconds) ?? UNITS[UNITS.length - 1]!;
}

function threeDigits(exact: number): string {
  const number = Number(exact.toPrecision(3));
  const decimals = number < 10 ? 2 : number < 100 ? 1 : 0;
  return number.toLocaleString("en", { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}
