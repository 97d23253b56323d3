import { type Contestant, interleave, type Pace } from "../../measure/interleave.js";
import type { Operation } from "../../types.js";
import { ArrivingCopies, asReceived } from "./inputs.js";
import { drawing, LAYERS, smallMessage } from "./messages.js";
import { type Ready, ready, readyFor } from "./players.js";
import { verify } from "./verify.js";

/** Everybody's race on one message in one direction. */
export interface TimingJob {
  readonly operation: Operation;
  readonly size: "small" | "large";
  readonly quick: boolean;
  /** Rotates the order of processes. */
  readonly repetition: number;
}

/** What a process measured. */
export interface TimingAnswer {
  /** Nanoseconds of a call, by player, for each round. */
  readonly times: Readonly<Record<string, readonly number[]>>;
  /** Of the message, as protobuf.js writes it. */
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

/** Layers of the large message of a quick run. */
const QUICK_LAYERS = 200;
/** Of the drawing that everybody is warmed up with. */
const WARM_UP_LAYERS = 30;
const WARM_UP_CALLS = 40;

/** A race that can begin. */
export interface Race {
  readonly contestants: readonly Contestant[];
  /** Of the message, as protobuf.js writes it. */
  readonly bytes: number;
  /** What was read when everybody was warmed up: has to live as long as the race. */
  readonly kept: readonly (object | null)[];
}

/** Checks everybody and warms them up. `layers`: of the large message. Free of Node's modules, but for what libraries.ts loads. */
export function prepareRace({ operation, size, repetition }: Omit<TimingJob, "quick">, layers: number): Race {
  const value = size === "small" ? smallMessage : drawing(layers);
  const everybody = ready(size, value);
  // To compare 30 MB takes half a minute: once for each table. All processes get the same bytes.
  if (size === "small" || repetition === 0) verify(everybody);
  const [reference] = everybody;
  const bytes = reference!.codec.encode(reference!.message);
  const kept = size === "small" ? [] : warmUp(everybody);
  return { contestants: everybody.map((each) => contestant(each, operation, bytes)), bytes: bytes.length, kept };
}

/** Checks everybody, then measures. */
export function measureTimes({ quick, ...job }: TimingJob): TimingAnswer {
  const { contestants, bytes, kept } = prepareRace(job, quick ? QUICK_LAYERS : LAYERS[30]);
  const times = interleave(contestants, (quick ? QUICK_PACES : PACES)[job.size], job.repetition);
  // Read here, these messages live until now.
  if (kept.includes(null)) throw new Error("nothing was read");
  return { times: Object.fromEntries(times), bytes };
}

function contestant({ player, codec, message }: Ready, operation: Operation, bytes: Uint8Array): Contestant {
  const copies = new ArrivingCopies();
  return {
    id: player.id,
    bytes: bytes.length,
    prepare: (count) => Array.from({ length: count }, () => (operation === "encode" ? message : copies.copy(bytes))),
    call:
      operation === "encode" ? (input) => codec.encode(input as object) : (input) => codec.decode(input as Uint8Array),
  };
}

/**
 * Large messages are few calls: the code of them all is checked and optimized on a small drawing before. What is read from that
 * stays alive: V8 throws away optimized code when a collection finds no object of a hidden class that it knows.
 */
function warmUp(everybody: readonly Ready[]): (object | null)[] {
  const few = readyFor(drawing(WARM_UP_LAYERS), everybody);
  verify(few);
  return few.map(({ codec, message }) => {
    let read: object | null = null;
    for (let call = 0; call < WARM_UP_CALLS; call++) read = codec.decode(asReceived(codec.encode(message)));
    return read;
  });
}
