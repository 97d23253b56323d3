import { type Contestant, interleave, type Pace } from "../../measure/interleave.js";
import type { Operation } from "../../types.js";
import { type Ready, ready, readyFor } from "./candidates.js";
import { ArrivingCopies, asReceived } from "./inputs.js";
import { drawing, LAYERS, smallMessage } from "./messages.js";
import { verify } from "./verify.js";

/** The race of all candidates on one message in one direction. */
export interface TimingJob {
  readonly operation: Operation;
  readonly size: "small" | "large";
  readonly quick: boolean;
  /** The seed of the order. */
  readonly repetition: number;
}

/** The measurements of a process. */
export interface TimingResult {
  /** Nanoseconds per call, by candidate, for each round. */
  readonly times: Readonly<Record<string, readonly number[]>>;
  /** Size of the message, as protobuf.js writes it. */
  readonly bytes: number;
}

const PACES = {
  small: { warmUpRounds: 4, rounds: 15, sampleMs: 60 },
  large: { warmUpRounds: 1, rounds: 5, sampleMs: 1 },
} as const satisfies Record<TimingJob["size"], Pace>;
const QUICK_PACES = {
  small: { warmUpRounds: 2, rounds: 5, sampleMs: 30 },
  large: { warmUpRounds: 1, rounds: 3, sampleMs: 1 },
} as const satisfies Record<TimingJob["size"], Pace>;

/** Layers of the large message in a quick run. */
const QUICK_LAYERS = 200;
/** Layers of the drawing used for warming up. */
const WARM_UP_LAYERS = 30;
const WARM_UP_CALLS = 40;

/** A race that is ready to start. */
export interface Race {
  readonly contestants: readonly Contestant[];
  /** Size of the message, as protobuf.js writes it. */
  readonly bytes: number;
  /** Messages decoded while warming up, which must live as long as the race. */
  readonly kept: readonly (object | null)[];
}

/**
 * Checks all candidates and warms them up. `layers` is the size of the large message. Uses no Node modules beyond
 * libraries.ts.
 */
export function prepareRace({ operation, size, repetition }: Omit<TimingJob, "quick">, layers: number): Race {
  const value = size === "small" ? smallMessage : drawing(layers);
  const all = ready(size, value);
  // Comparing 30 MB takes half a minute, so it is done once per table. All processes get the same bytes.
  if (size === "small" || repetition === 0) verify(all);
  const [reference] = all;
  const bytes = reference!.codec.encode(reference!.message);
  const kept = size === "small" ? [] : warmUp(all);
  return { contestants: all.map((each) => contestant(each, operation, bytes)), bytes: bytes.length, kept };
}

/** Checks all candidates, then measures. */
export function measureTimes({ quick, ...job }: TimingJob): TimingResult {
  const { contestants, bytes, kept } = prepareRace(job, quick ? QUICK_LAYERS : LAYERS[30]);
  const times = interleave(contestants, (quick ? QUICK_PACES : PACES)[job.size], job.repetition);
  // This use keeps the messages alive until here.
  if (kept.includes(null)) throw new Error("nothing was read");
  return { times: Object.fromEntries(times), bytes };
}

function contestant({ candidate, codec, message }: Ready, operation: Operation, bytes: Uint8Array): Contestant {
  const copies = new ArrivingCopies();
  return {
    id: candidate.id,
    bytes: bytes.length,
    prepare: (count) => Array.from({ length: count }, () => (operation === "encode" ? message : copies.copy(bytes))),
    call:
      operation === "encode" ? (input) => codec.encode(input as object) : (input) => codec.decode(input as Uint8Array),
  };
}

/**
 * Large messages mean few calls, so all code is checked and optimized with a small drawing first. Its decoded messages stay alive:
 * V8 drops optimized code when a collection finds no object of a hidden class that the code knows.
 */
function warmUp(all: readonly Ready[]): (object | null)[] {
  const few = readyFor(drawing(WARM_UP_LAYERS), all);
  verify(few);
  return few.map(({ codec, message }) => {
    let read: object | null = null;
    for (let call = 0; call < WARM_UP_CALLS; call++) read = codec.decode(asReceived(codec.encode(message)));
    return read;
  });
}
