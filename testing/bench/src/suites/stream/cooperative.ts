import { isDeepStrictEqual } from "node:util";
import { decode as decodeIndependently } from "@msgpack/msgpack";
import { decode, encode } from "moonpack";
import { decodeCooperatively, encodeCooperatively } from "moonpack/stream";
import { median, quantileSorted } from "simple-statistics";
import { type Blocked, watchEventLoop } from "../../measure/event-loop.js";
import { interleaveTasks, type Task } from "../../measure/tasks.js";
import { progress } from "../../progress.js";
import type { NumberColumn, NumberRow } from "../../report/numbers.js";
import { spreadRow } from "../../report/spread-row.js";
import type { Operation } from "../../types.js";
import { cooperativeInputs, cooperativeMessage } from "./cooperative-inputs.js";
import { type Part, runPart, slowness, type Times } from "./part.js";

interface Job {
  readonly operation: Operation;
  readonly input: string;
  readonly quick: boolean;
}

interface SliceTimes {
  readonly times: Times;
  readonly blocked: Blocked;
}

/** A cooperative function and its plain counterpart. */
interface Way {
  /** Creates the input, which is not measured. */
  readonly input: () => unknown;
  readonly plain: (input: unknown) => unknown;
  readonly cooperative: (input: unknown) => Promise<unknown>;
  readonly isEqual: (result: unknown) => boolean;
}

const OPERATIONS: readonly Operation[] = ["decode", "encode"];

const COLUMNS: readonly NumberColumn[] = [
  { id: "plain", title: "plain ms" },
  { id: "total", title: "time / plain", unit: "ratio" },
  { id: "p50", title: "slice p50 ms" },
  { id: "p99", title: "p99" },
  { id: "max", title: "max" },
  { id: "collection", title: "longest collection ms" },
  { id: "interrupted", title: "interrupted slices %" },
];

/** Large messages in slices, with iterations of the event loop between them. */
export const cooperative: Part = {
  id: "cooperative",
  async run({ quick, only }) {
    const rows: NumberRow[] = [];
    for (const operation of OPERATIONS) {
      if ((only ?? operation) !== operation) continue;
      for (const { id: input, title } of cooperativeInputs) {
        progress(`stream: cooperative, ${operation} ${input}`);
        const measurement = await runPart<SliceTimes>("cooperative", { operation, input, quick } satisfies Job);
        rows.push(row(`${operation}-${input}`, `${operation}, ${title}`, measurement));
      }
    }
    return [
      {
        id: "cooperative",
        title: "Large messages in slices",
        text:
          "`decodeCooperatively` and `encodeCooperatively` on messages of 16 MB, with the default budget of 8 ms. Time as a multiple of " +
          "plain `decode` and `encode` in the same round, with quartiles. A slice is the time between two runs of an immediate that " +
          "is always scheduled, without the garbage collector's pauses, which are shown separately: plain `decode` has these as " +
          "well. If the system interrupted the process, it is the processor time.",
        unit: "count",
        columns: COLUMNS,
        rows,
      },
    ];
  },
  async work(job) {
    const { operation, input, quick } = job as Job;
    const way = wayOf(operation, input);
    if (!way.isEqual(await way.cooperative(way.input()))) throw new Error(`${operation} ${input} gives another result`);
    const timed = (id: string, work: (input: unknown) => unknown): Task => ({
      id,
      run: async () => {
        const fresh = way.input();
        const start = performance.now();
        await work(fresh);
        return performance.now() - start;
      },
    });
    const pace = quick ? { warmUpMs: 400, rounds: 4, sampleMs: 1 } : { warmUpMs: 1000, rounds: 11, sampleMs: 1 };
    const times = await interleaveTasks([timed("plain", way.plain), timed("cooperative", way.cooperative)], pace);
    const blocked: Blocked[] = [];
    for (let run = 0; run < (quick ? 4 : 16); run++) {
      globalThis.gc?.({ type: "minor", execution: "sync" });
      const fresh = way.input();
      blocked.push(await watchEventLoop(() => way.cooperative(fresh)));
    }
    return { times: Object.fromEntries(times), blocked: together(blocked) } satisfies SliceTimes;
  },
};

function wayOf(operation: Operation, input: string): Way {
  const { value, bytes } = cooperativeMessage(input);
  if (operation === "encode") {
    return {
      input: () => value,
      plain: (input) => encode(input),
      cooperative: (input) => encodeCooperatively(input),
      isEqual: (result) => isDeepStrictEqual(decodeIndependently(result as Uint8Array), value),
    };
  }
  return {
    input: () => bytes.slice(),
    plain: (input) => decode(input as Uint8Array),
    cooperative: (input) => decodeCooperatively(input as Uint8Array),
    isEqual: (result) => isDeepStrictEqual(result, value),
  };
}

function together(blocked: readonly Blocked[]): Blocked {
  return {
    slices: blocked.flatMap(({ slices }) => slices),
    collections: blocked.flatMap(({ collections }) => collections),
    interrupted: blocked.reduce((sum, { interrupted }) => sum + interrupted, 0),
  };
}

function row(id: string, title: string, { times, blocked }: SliceTimes): NumberRow {
  const { slices, collections, interrupted } = blocked;
  const sorted = [...slices].sort((a, b) => a - b);
  return spreadRow(id, title, {
    plain: median([...times.plain!]),
    total: slowness([times], "cooperative", "plain"),
    p50: quantileSorted(sorted, 0.5),
    p99: quantileSorted(sorted, 0.99),
    max: sorted.at(-1),
    collection: Math.max(0, ...collections),
    interrupted: (interrupted / slices.length) * 100,
  });
}
