/** Labels of value axes. */

/** Prefixes of units by powers of 1000. */
const PREFIXES = ["", "k", "M", "G", "T", "P", "E"] as const;
/** Values from here on are shortened, and values below its inverse. */
const LONG = 100_000;
const SMALL = 1e-4;
const LONGEST = 1e21;
/** Characters of the longest label. */
export const VALUE_WIDTH = 9;

/** Makes labels for values at least `step` apart and at most `most` in magnitude: 0.25, 1.5M, 2.0e-7. */
export function valueLabels(step: number, most: number): (value: number) => string {
  if (most >= LONGEST || (most > 0 && most < SMALL)) return (value) => plain(value.toExponential(1));
  const power = most < LONG ? 0 : Math.min(PREFIXES.length - 1, Math.floor(Math.log10(most) / 3));
  const unit = 1000 ** power;
  // Room for a sign, a dot and a prefix.
  const room = VALUE_WIDTH - 3 - Math.max(1, Math.ceil(Math.log10(most / unit + 1)));
  const decimals = Math.min(room, decimalsOf(step / unit));
  return (value) => (value === 0 && power > 0 ? "0" : plain((value / unit).toFixed(decimals)) + PREFIXES[power]!);
}

/** The number of decimals of a step. */
function decimalsOf(step: number): number {
  let decimals = 0;
  while (decimals < VALUE_WIDTH && Math.abs(Number(step.toFixed(decimals)) - step) > step / 1e6) decimals++;
  return decimals;
}

/** Removes the sign of a negative zero. */
function plain(text: string): string {
  return /^-0(?:\.0*)?(?:e.*)?$/.test(text) ? text.slice(1) : text;
}
