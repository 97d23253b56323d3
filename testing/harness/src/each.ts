/**
 * Runs `check` on every case and reports all failures together, by name. One test for each of thousands of vectors
 * would take longer than the vectors themselves, and the first failure alone would hide the pattern.
 */
export function each<T extends { readonly name: string }>(cases: readonly T[], check: (one: T) => void): void {
  if (cases.length === 0) throw new Error("no cases: the test would prove nothing");
  const failures: string[] = [];
  for (const one of cases) {
    try {
      check(one);
    } catch (error) {
      failures.push(
        `${one.name}: ${error instanceof Error ? error.message.split("\n").slice(0, 6).join(" ") : String(error)}`,
      );
    }
  }
  if (failures.length === 0) return;
  const shown = failures.slice(0, 25).join("\n  ");
  throw new Error(`${failures.length} of ${cases.length} failed:\n  ${shown}${failures.length > 25 ? "\n  .." : ""}`);
}

/** Asserts that a comparison found no difference: throws `problem`, with the context `what`, unless it is null. */
export function none(problem: string | null, what = ""): void {
  if (problem !== null) throw new Error(`${what}${what === "" ? "" : ": "}${problem}`);
}

/** Asserts that two plain objects or primitives have the same JSON. Faster than `toEqual`; the error shows both. */
export function equal(got: unknown, want: unknown, what = ""): void {
  const a = JSON.stringify(got);
  const b = JSON.stringify(want);
  if (a !== b) throw new Error(`${what}${what === "" ? "" : ": "}got ${a}, wanted ${b}`);
}
