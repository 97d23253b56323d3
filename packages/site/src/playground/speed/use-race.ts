// A race as its page knows it: a worker for each codec, the progress, and the figures so far.
import { onBeforeUnmount, reactive, shallowRef } from "vue";
import { faultOf, WorkerCalls } from "../shared/worker-calls.ts";
import { CODEC_IDS, type CodecId } from "./codecs.ts";
import type { Task } from "./prepare.ts";
import { type Runner, race, type Times } from "./race.ts";
import type { Direction } from "./sampling.ts";
import type { ReadyNews } from "./speed.worker.ts";
import { type Figures, figuresOf } from "./statistics.ts";

/** All others are compared with it. */
export const BASELINE: CodecId = "json";
const SAMPLE_MS = 20;

/** A codec before the race. */
export type Entrant = { readonly id: CodecId } & ({ readonly ready: ReadyNews } | { readonly fault: string });

/** The measured times. */
export interface Results {
  readonly entrants: readonly Entrant[];
  readonly rounds: number;
  readonly figures: Readonly<Record<Direction, readonly Figures[]>>;
}

/** The state of the work, as shown. */
interface Work {
  state: "idle" | "checking" | "measuring" | "stopped" | "done";
  /** Samples that were taken, and all. */
  done: number;
  all: number;
  fault: string;
}

/** The tab's state, with its actions. */
export function useRace() {
  const work = reactive<Work>({ state: "idle", done: 0, all: 1, fault: "" });
  const results = shallowRef<Results>();
  let controller: AbortController | undefined;
  onBeforeUnmount(stop);

  /** Checks all codecs and measures those that give back the same values. */
  async function run(task: Task, rounds: number): Promise<void> {
    controller?.abort();
    const own = new AbortController();
    controller = own;
    results.value = undefined;
    Object.assign(work, { state: "checking", done: 0, all: 1, fault: "" } satisfies Work);
    const workers = CODEC_IDS.map((id) => ({ id, calls: new WorkerCalls(startWorker()) }));
    const aborted = new Promise<never>((_, reject) => {
      own.signal.addEventListener("abort", () => reject(own.signal.reason as Error));
    });
    // Between two calls, no other code handles it.
    aborted.catch(() => {});
    try {
      const asked = workers.map(async ({ id, calls }): Promise<Entrant> => {
        try {
          return { id, ready: await calls.call<ReadyNews>("prepare", { id, task }) };
        } catch (error) {
          return { id, fault: faultOf(error).message };
        }
      });
      const entrants = await Promise.race([Promise.all(asked), aborted]);
      const baseline = entrants.find(({ id }) => id === BASELINE)!;
      if ("fault" in baseline) throw new Error(baseline.fault);
      work.state = "measuring";
      const runners = workers
        .filter((_, index) => "ready" in entrants[index]!)
        .map(
          ({ id, calls }): Runner => ({
            id,
            sample: (direction, sampleMs) =>
              Promise.race([calls.call<number>("sample", { direction, sampleMs }), aborted]),
          }),
        );
      const onStep = (done: number, all: number) => Object.assign(work, { done, all });
      const onRound = (times: Times) => {
        results.value = { entrants, rounds: times.encode.get(BASELINE)!.length, figures: figuresOfBoth(times) };
      };
      const pace = { warmUp: Math.ceil(rounds / 5) + 1, rounds, sampleMs: SAMPLE_MS };
      await race(runners, pace, { onRound, onStep }, own.signal);
      work.state = "done";
    } catch (error) {
      if (controller !== own) return;
      work.state = own.signal.aborted ? "stopped" : "idle";
      if (!own.signal.aborted) work.fault = faultOf(error).message;
    } finally {
      for (const { calls } of workers) calls.end();
    }
  }

  function stop(): void {
    controller?.abort();
  }

  return { work, results, run, stop };
}

/** The result of {@link useRace}. */
export type Race = ReturnType<typeof useRace>;

function startWorker(): Worker {
  return new Worker(new URL("./speed.worker.ts", import.meta.url), { type: "module" });
}

function figuresOfBoth(times: Times): Results["figures"] {
  return { encode: figuresOf(times.encode, BASELINE), decode: figuresOf(times.decode, BASELINE) };
}
