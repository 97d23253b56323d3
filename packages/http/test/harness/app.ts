/** The routes of all servers, independent of the framework. */
const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

/** Values of /value, by the parameter `kind`. */
export const VALUES: Readonly<Record<string, unknown>> = {
  plain: { name: "Ada", list: [1, -0, 0.5, null, true], ["__proto__"]: { admin: true } },
  rich: { bytes: new Uint8Array([1, 2, 250]), big: 2n ** 60n, map: new Map([[1, "one"]]) },
  date: { at: new Date(0) },
  invalid: { f: () => 1 },
};

/** The state of streams of the server that is tested. */
export interface State {
  /** The values that were read of /live and /quiet. */
  produced: number;
  /** Streams of /live and /quiet that are closed. */
  closed: number;
  /** Signals of /live and /quiet that are aborted. */
  aborted: number;
  /** Values that /sum has taken. */
  taken: number;
  /** Codes of the errors that were answered. */
  readonly errors: string[];
  /** Lets /slow-sum go on. */
  proceed: Promise<void>;
}

export function newState(): State {
  return { produced: 0, closed: 0, aborted: 0, taken: 0, errors: [], proceed: Promise.resolve() };
}

export interface Row {
  readonly id: number;
  readonly name: string;
}

export async function* rows(count: number): AsyncGenerator<Row, void> {
  for (let id = 0; id < count; id++) {
    if (id % 100 === 99) await turn();
    yield { id, name: `row ${id}` };
  }
}

/** Two values, then an error: the values leave before. */
export async function* failing(): AsyncGenerator<Row, void> {
  yield* rows(2);
  for (let i = 0; i < 50; i++) await turn();
  throw new Error("the rows failed");
}

// biome-ignore lint/correctness/useYield: it fails before
export async function* failingFirst(): AsyncGenerator<Row, void> {
  await turn();
  throw new Error("no rows");
}

/** Endless rows of 100 KB, and what became of them. */
export function live(state: State): (signal: AbortSignal) => AsyncGenerator<unknown, void> {
  return async function* (signal) {
    signal.addEventListener("abort", () => state.aborted++);
    try {
      for (;;) {
        state.produced++;
        yield { id: state.produced, text: "x".repeat(100_000) };
        await turn();
      }
    } finally {
      state.closed++;
    }
  };
}

/** Has no value before its client leaves, and does not end then by itself. */
export function quiet(state: State): (signal: AbortSignal) => AsyncGenerator<unknown, void> {
  return async function* (signal) {
    try {
      state.produced++;
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      state.aborted++;
      for (let id = 0; ; id++) {
        await turn();
        yield { id };
      }
    } finally {
      state.closed++;
    }
  };
}

export async function sumOf(values: AsyncIterable<{ readonly id: number }>, state: State): Promise<object> {
  let sum = 0;
  let count = 0;
  for await (const { id } of values) {
    sum += id;
    count++;
    state.taken++;
    await state.proceed;
  }
  return { sum, count };
}

/** The first value of a stream; the others are not read. */
export async function firstOf(values: AsyncIterable<unknown>): Promise<unknown> {
  for await (const value of values) return { first: value };
  return { first: null };
}

export async function levels(
  values: AsyncIterable<{ readonly level: number; readonly score: bigint }>,
): Promise<object> {
  let level = 0;
  let score = 0n;
  for await (const each of values) {
    level += each.level;
    score += each.score;
  }
  return { level, score };
}
