/** The part of vitest's `expect` that the portable suites use. `shim.ts` exports it. */

/** Equality as in `toEqual`: by structure; undefined properties count as absent. */
function equal(a: unknown, b: unknown): boolean {
  if (b instanceof Asymmetric) return b.matches(a);
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (kindOf(a) !== kindOf(b)) return false;
  if (a instanceof Date) return Object.is(a.getTime(), (b as Date).getTime());
  if (a instanceof Map || a instanceof Set) return equal([...a], [...(b as Iterable<unknown>)]);
  if (a instanceof Error && a.message !== (b as Error).message) return false;
  const x = a as Readonly<Record<string, unknown>>;
  const y = b as Readonly<Record<string, unknown>>;
  if (x.length !== y.length) return false;
  for (const key of new Set([...Object.keys(x), ...Object.keys(y)])) if (!equal(x[key], y[key])) return false;
  return true;
}

/** Returns the tag, such as "[object Uint8Array]": an array does not equal bytes, and a Map does not equal a Set. */
function kindOf(value: object): string {
  return Object.prototype.toString.call(value);
}

/** True if `got` has every property of `want`, at every depth, as in `toMatchObject`. */
function includes(got: unknown, want: unknown): boolean {
  if (typeof want !== "object" || want === null || Array.isArray(want) || want instanceof Asymmetric)
    return equal(got, want);
  if (typeof got !== "object" || got === null) return false;
  return Object.entries(want).every(([key, value]) => includes((got as Readonly<Record<string, unknown>>)[key], value));
}

/** Stands for an expected value and tests the actual one by a condition, as vitest's asymmetric matchers do. */
class Asymmetric {
  readonly matches: (got: unknown) => boolean;
  readonly #what: unknown;
  constructor(matches: (got: unknown) => boolean, what: unknown) {
    this.matches = matches;
    this.#what = what;
  }
  toJSON(): unknown {
    return this.#what;
  }
}

function show(value: unknown): string {
  const text =
    typeof value === "function"
      ? value.toString()
      : JSON.stringify(value, (_, inner: unknown) => (typeof inner === "bigint" ? `${inner}n` : inner));
  return (text ?? String(value)).slice(0, 500);
}

function holds(text: unknown, want: RegExp | string): boolean {
  return typeof want === "string" ? String(text).includes(want) : want.test(String(text));
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
  #check(isSo: boolean, what: string, want?: unknown): void {
    if (isSo !== this.#negated) return;
    const note = this.#note === "" ? "" : `${this.#note}: `;
    throw new Error(`${note}expected ${show(this.#got)} ${this.#negated ? "not " : ""}${what} ${show(want)}`);
  }
  toBe(want: unknown): void {
    this.#check(Object.is(this.#got, want), "to be", want);
  }
  toBeUndefined(): void {
    this.#check(this.#got === undefined, "to be undefined");
  }
  toBeNull(): void {
    this.#check(this.#got === null, "to be null");
  }
  toBeDefined(): void {
    this.#check(this.#got !== undefined, "to be defined");
  }
  toEqual(want: unknown): void {
    this.#check(equal(this.#got, want), "to equal", want);
  }
  toMatchObject(want: unknown): void {
    this.#check(includes(this.#got, want), "to have", want);
  }
  toHaveLength(want: number): void {
    this.#check((this.#got as { readonly length?: unknown } | null)?.length === want, "to have the length", want);
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
    this.#check(holds(this.#got, want), "to match", String(want));
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
  /** `want` is a part of the error's message, a pattern for it, or a condition on the error. */
  toThrow(want?: RegExp | string | Asymmetric): void {
    let thrown: { readonly error: unknown } | undefined;
    try {
      (this.#got as () => unknown)();
    } catch (error) {
      thrown = { error };
    }
    const fits =
      want === undefined || want instanceof Asymmetric
        ? thrown !== undefined && (want?.matches(thrown.error) ?? true)
        : holds((thrown?.error as Error | undefined)?.message ?? "", want);
    this.#check(thrown !== undefined && fits, `to throw; it threw ${String(thrown?.error)}`, want);
  }
}

/** Returns the assertions on `got`. `note` is put before the text of an error. */
export function expect(got: unknown, note = ""): Expectation {
  return new Expectation(got, note, false);
}
expect.objectContaining = (want: object): Asymmetric => new Asymmetric((got) => includes(got, want), want);
expect.stringMatching = (want: RegExp | string): Asymmetric =>
  new Asymmetric((got) => typeof got === "string" && holds(got, want), String(want));
