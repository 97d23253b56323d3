import { markdownTable } from "markdown-table";

/** A markdown table whose first column is text and whose others are numbers. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return markdownTable(
    [head, ...rows].map((row) => [...row]),
    { align: head.map((_, index) => (index === 0 ? "l" : "r")) },
  );
}

/** A markdown table of texts. */
export function textTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return markdownTable([head, ...rows].map((row) => [...row]));
}

/** A ratio with its significant digits. */
export function formatRatio(ratio: number): string {
  return ratio >= 100 ? ratio.toFixed(0) : ratio >= 10 ? ratio.toFixed(1) : ratio.toFixed(2);
}

/** A count with separated thousands. */
export function formatCount(count: number): string {
  const rounded = count < 100 ? Math.round(count * 10) / 10 : Math.round(count);
  return (rounded + 0).toLocaleString("en-US"); // never "-0"
}

/** A time per message. */
export function formatTime(nanoseconds: number): string {
  if (nanoseconds < 1e3) return `${nanoseconds.toFixed(0)} ns`;
  if (nanoseconds < 1e6) return `${(nanoseconds / 1e3).toPrecision(3)} µs`;
  return `${(nanoseconds / 1e6).toPrecision(3)} ms`;
}
