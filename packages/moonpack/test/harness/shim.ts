/**
 * What the portable suites use of vitest, small enough to be bundled with them: for browsers, for other runtimes, and
 * for Node where code generation is forbidden (vitest itself needs it). The bundler aliases "vitest" to this file.
 */

type Act = () => unknown;
interface Registered {
  readonly name: string;
  readonly act: Act;
}

const registered: Registered[] = [];
const groups: string[] = [];

export function describe(name: string, define: () => void): void {
  groups.push(name);
  define();
  groups.pop();
}
describe.runIf = (condition: boolean): typeof describe | (() => void) => (condition ? describe : () => undefined);

/** Vitest's third argument is a time limit; there is none here. */
export function test(name: string, act: Act): void {
  registered.push({ name: [...groups, name].join(" > "), act });
}

export interface Outcome {
  readonly passed: number;
  readonly failed: number;
}

/** Runs all registered tests in order; `print` gets a text for each failure. */
export async function run(print: (text: string) => void): Promise<Outcome> {
  let passed = 0;
  let failed = 0;
  for (const { name, act } of registered) {
    try {
      await act();
      passed++;
    } catch (error) {
      failed++;
      print(`FAILED ${name}\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    }
  }
  return { passed, failed };
}

/** Equal as `toEqual` has it: by structure; properties that are undefined count as absent. */
function equal(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  if (a instanceof Date || b instanceof Date)
    return a instanceof Date && b instanceof Date && Object.is(a.getTime(), b.getTime());
  if (a instanceof Map || b instanceof Map) {
    return (
      a instanceof Map &&
      b instanceof Map &&
      equal([...(a as Map<unknown, unknown>)], [...(b as Map<unknown, unknown>)])
    );
  }
  const x = a as Record<string, unknown>;
  const y = b as Record<string, unknown>;
  if (Array.isArray(a) && a.length !== (b as unknown[]).length) return false;
  for (const key of new Set([...Object.keys(x), ...Object.keys(y)])) if (!equal(x[key], y[key])) return false;
  return true;
}

function show(value: unknown): string {
  const text =
    typeof value === "function"
      ? value.toString()
      : JSON.stringify(value, (_, inner: unknown) => (typeof inner === "bigint" ? `${inner}n` : inner));
  return (text ?? String(value)).slice(0, 500);
}

class Expectation {
  readonly #got: unknown;
  readonly #note: string;
  readonly #negated: boolean;
  constructor(got: unknown, note: string, negated: boolean) {
    this.#got = got;
    this.#note = note;
    this.#negated = negated;
  }
  get not(): Expectation {
    return new Expectation(this.#got, this.#note, !this.#negated);
  }
  #check(holds: boolean, what: string, want?: unknown): void {
    if (holds !== this.#negated) return;
    const note = this.#note === "" ? "" : `${this.#note}: `;
    throw new Error(`${note}expected ${show(this.#got)} ${this.#negated ? "not " : ""}${what} ${show(want)}`);
  }
  toBe(want: unknown): void {
    this.#check(Object.is(this.#got, want), "to be", want);
  }
  toEqual(want: unknown): void {
    this.#check(equal(this.#got, want), "to equal", want);
  }
  toContain(want: unknown): void {
    const got = this.#got;
    this.#check(
      typeof got === "string" ? got.includes(String(want)) : [...(got as Iterable<unknown>)].includes(want),
      "to contain",
      want,
    );
  }
  toMatch(want: RegExp | string): void {
    this.#check(
      typeof want === "string" ? String(this.#got).includes(want) : want.test(String(this.#got)),
      "to match",
      String(want),
    );
  }
  toBeInstanceOf(want: abstract new (...args: never[]) => unknown): void {
    this.#check(this.#got instanceof want, "to be an instance of", want.name);
  }
  toBeGreaterThan(want: number): void {
    this.#check(Number(this.#got) > want, "to be above", want);
  }
  toBeGreaterThanOrEqual(want: number): void {
    this.#check(Number(this.#got) >= want, "to be at least", want);
  }
  toBeLessThan(want: number): void {
    this.#check(Number(this.#got) < want, "to be below", want);
  }
  toBeLessThanOrEqual(want: number): void {
    this.#check(Number(this.#got) <= want, "to be at most", want);
  }
  toThrow(): void {
    let threw = false;
    try {
      (this.#got as Act)();
    } catch {
      threw = true;
    }
    this.#check(threw, "to throw");
  }
}

export function expect(got: unknown, note = ""): Expectation {
  return new Expectation(got, note, false);
}
