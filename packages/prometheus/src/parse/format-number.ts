/** Numbers and durations, as Go and Prometheus print them. */

/** Returns a number without an exponent. */
export function formatNumber(value: number): string {
  const special = formatSpecial(value);
  if (special !== undefined) return special;
  const text = String(value);
  const [, sign, digits, fraction = "", exponent] = /^(-?)(\d+)(?:\.(\d+))?(?:e([-+]\d+))?$/.exec(text)!;
  if (exponent === undefined) return text;
  const power = Number(exponent);
  if (power > 0) return `${sign}${digits}${fraction.padEnd(power, "0")}`;
  return `${sign}0.${"0".repeat(-power - 1)}${digits}${fraction}`;
}

/** Returns a number with an exponent from 1e6 on and below 1e-4, like Go's `%v`. */
export function formatShort(value: number): string {
  const special = formatSpecial(value);
  if (special !== undefined) return special;
  const [mantissa, exponent] = value.toExponential().split("e") as [string, string];
  const power = Number(exponent);
  if (power >= -4 && power < 6) return formatNumber(value);
  return `${mantissa}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
}

function formatSpecial(value: number): string | undefined {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "+Inf" : "-Inf";
  return Object.is(value, -0) ? "-0" : undefined;
}

/** The units, from the largest one. Years and weeks are used only where nothing is left over. */
const UNITS: readonly (readonly [string, number, boolean])[] = [
  ["y", 31_536_000_000, true],
  ["w", 604_800_000, true],
  ["d", 86_400_000, false],
  ["h", 3_600_000, false],
  ["m", 60_000, false],
  ["s", 1000, false],
  ["ms", 1, false],
];

/** Returns milliseconds as a duration: `1h30m`. */
export function formatDuration(ms: number): string {
  let rest = Math.abs(ms);
  if (rest === 0) return "0s";
  let text = ms < 0 ? "-" : "";
  for (const [unit, size, isExact] of UNITS) {
    if (rest < size || (isExact && rest % size !== 0)) continue;
    text += `${Math.floor(rest / size)}${unit}`;
    rest %= size;
  }
  return text;
}
