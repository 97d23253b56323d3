/**
 * The part of vitest that the portable suites use, small enough to be bundled with them. It serves browsers, other
 * runtimes, and Node without code generation (vitest itself needs it). The bundler aliases "vitest" to this file.
 */

export { expect } from "./shim-expect.ts";

type Act = () => unknown;
interface Registered {
  readonly suite: string;
  readonly name: string;
  readonly act: Act;
}

const registered: Registered[] = [];
const groups: string[] = [];
let current = "";

/** Sets the suite of the tests that are registered next. The bundler calls it before each file. */
export function suite(name: string): void {
  current = name;
}

/** Registers a group: `name` is put before the names of its tests. */
export function describe(name: string, define: Act): void {
  groups.push(name);
  define();
  groups.pop();
}
describe.runIf = (condition: boolean): typeof describe | (() => void) => (condition ? describe : () => undefined);

/** Registers a test. Vitest's third argument, a time limit, is ignored: `run` has one limit for all tests. */
export function test(name: string, act: Act): void {
  registered.push({ suite: current, name: [...groups, name].join(" > "), act });
}

/** Registers a test for each row. In the name, each `%` stands for the row's next value, `$key` for a property. */
test.each = forEach(test);
describe.each = forEach(describe);

type ForEach = <Row>(rows: readonly Row[]) => (name: string, act: (...values: never[]) => unknown) => void;

function forEach(one: (name: string, act: Act) => void): ForEach {
  return (rows) => (name, act) => {
    for (const row of rows) {
      const values = (Array.isArray(row) ? row : [row]) as never[];
      one(titleOf(name, row, values), () => act(...values));
    }
  };
}

function titleOf(name: string, row: unknown, values: readonly unknown[]): string {
  let next = 0;
  return name
    .replace(/%([sdj])/g, (_, kind: string) => {
      const value = values[next++];
      return kind === "j" ? JSON.stringify(value) : String(value);
    })
    .replace(/\$(\w+)/g, (_, key: string) => String((row as Readonly<Record<string, unknown>>)[key]));
}

export interface Failure {
  readonly name: string;
  readonly error: string;
}

/** The result of one file of tests. */
export interface SuiteOutcome {
  readonly suite: string;
  /** The names of all its tests. */
  readonly tests: readonly string[];
  readonly failures: readonly Failure[];
  readonly ms: number;
}

/** A test fails after this time. */
const PATIENCE_MS = 240_000;

/** Runs the tests of the suites in order, by default of all. Calls `begins` before each suite. */
export async function run(
  begins: (suite: string) => unknown,
  suites: Iterable<string> = new Set(registered.map((one) => one.suite)),
): Promise<readonly SuiteOutcome[]> {
  const outcomes: SuiteOutcome[] = [];
  for (const suiteName of suites) {
    const tests = registered.filter((one) => one.suite === suiteName);
    const failures: Failure[] = [];
    await begins(suiteName);
    const begun = performance.now();
    for (const { name, act } of tests) {
      try {
        await inTime(act(), PATIENCE_MS);
      } catch (error) {
        failures.push({ name, error: textOf(error) });
      }
    }
    const ms = performance.now() - begun;
    outcomes.push({ suite: suiteName, tests: tests.map(({ name }) => name), failures, ms });
  }
  return outcomes;
}

/** Returns what a test returned. Rejects if that is a promise that does not settle in time. */
async function inTime(answer: unknown, patienceMs: number): Promise<unknown> {
  if (!(answer instanceof Promise)) return answer;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not settled within ${patienceMs} ms`)), patienceMs);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns an error's message and stack. The stack of some engines lacks the message. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, stack = "", cause } = error;
  const text = stack.includes(message) ? stack : `${message}\n${stack}`;
  return cause === undefined ? text : `${text}\nbecause of ${textOf(cause)}`;
}
