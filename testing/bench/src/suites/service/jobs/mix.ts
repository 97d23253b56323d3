import type { Operation } from "../../../types.js";
import { Random } from "../../../workloads/random.js";
import { candidates, isAvailable } from "../candidates.js";
import type { StoredDocuments, StoredKind } from "../documents.js";
import type { GroupTimes } from "../figures.js";
import { drawEvenly, drawSequence, GROUP, planOf } from "../sequence.js";
import { ShuffledRuns, type Worker, workerOf } from "../shuffled-runs.js";
import { readDocuments } from "../stored.js";

/** Ours and all others, by turns, through the whole sequence; then each class by itself. */
export interface MixJob {
  readonly kind: "mix";
  readonly folder: string;
  readonly operation: Operation;
  readonly seed: number;
  readonly quick: boolean;
  /** Without the classes. */
  readonly mixOnly?: boolean;
}

/** Times by candidate; also for each class. */
export interface MixResult {
  readonly mix: Readonly<Record<string, GroupTimes>>;
  /** Encoding: {@link AGAIN} messages of values that all candidates have encoded before. */
  readonly again?: Readonly<Record<string, GroupTimes>>;
  readonly classes: Readonly<Record<string, Readonly<Record<string, GroupTimes>>>>;
}

/** Messages of values that are encoded again. */
const AGAIN_MESSAGES = 200 * GROUP;
/** Their range. */
export const AGAIN = { from: 0, to: AGAIN_MESSAGES } as const;
/** Messages of each class. */
const CLASS_MESSAGES = 30 * GROUP;
const QUICK_CLASS_MESSAGES = 12 * GROUP;

/** Measures the sequence, and the state that it leaves. */
export function mix({ folder, operation, seed, quick, mixOnly }: MixJob): MixResult {
  const stored = readDocuments(folder);
  const plan = planOf(quick);
  const sequence = drawSequence(stored.mixed, plan, seed);
  const random = new Random(seed);
  const workers = candidates.filter(isAvailable).flatMap((each) => workerOf(each, operation, stored) ?? []);
  const runs = new ShuffledRuns(workers, random);
  const times = runs.measure(sequence);
  if (mixOnly) return { mix: times, classes: {} };
  const again =
    operation === "encode" ? encodeAgain(workers, stored, sequence.slice(-AGAIN_MESSAGES), random) : undefined;
  const groups = random.shuffle([...groupsOf(stored)]);
  const messages = quick ? QUICK_CLASS_MESSAGES : CLASS_MESSAGES;
  return {
    mix: times,
    ...(again === undefined ? {} : { again }),
    classes: Object.fromEntries(
      groups.map(([group, kinds]) => [group, runs.measure(drawEvenly(kinds, messages, random))]),
    ),
  };
}

/** Each value is built once. The first pass, in which it is new, does not count. */
function encodeAgain(
  workers: readonly Worker[],
  stored: StoredDocuments,
  messages: readonly number[],
  random: Random,
): Record<string, GroupTimes> {
  const values = new Map(messages.map((document) => [document, stored.value(document)]));
  const prepare = (documents: readonly number[]) => documents.map((document) => values.get(document));
  const runs = new ShuffledRuns(
    workers.map(({ id, call }) => ({ id, call, prepare })),
    random,
  );
  runs.measure(messages);
  return runs.measure(messages);
}

/** The range of messages of a class that were measured. */
export function classRange(quick: boolean): { readonly from: number; readonly to: number } {
  return { from: 0, to: quick ? QUICK_CLASS_MESSAGES : CLASS_MESSAGES };
}

function groupsOf(stored: StoredDocuments): Map<string, StoredKind[]> {
  const groups = new Map<string, StoredKind[]>();
  for (const kind of stored.kinds) groups.set(kind.group, [...(groups.get(kind.group) ?? []), kind]);
  return groups;
}
