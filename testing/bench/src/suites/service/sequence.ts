import { Random } from "../../workloads/random.js";
import { zipf } from "./zipf.js";

/** Messages that a contestant gets before it is the next one's turn. Every stage and section is a multiple. */
export const GROUP = 32;

/** Documents of one kind, by their numbers. */
export interface KindRange {
  readonly first: number;
  readonly count: number;
}

/** A part of the sequence that is reported: messages from `from` to `to` - 1. */
export interface Section {
  readonly id: SectionId;
  readonly title: string;
  readonly from: number;
  readonly to: number;
}

/** The sections, in their order. */
export type SectionId = "earliest" | "first" | "steady" | "change" | "steady-again";

/** The number of messages, and the reported sections of them. */
export interface Plan {
  /** Messages before the kinds that were held back appear. */
  readonly before: number;
  readonly messages: number;
  readonly sections: readonly Section[];
}

/** One kind in this many, by rank, is held back until the second half. */
const HELD_BACK = 3;

const EARLIEST = 2400;
const FIRST = 4000;

/** The sections whose length depends on the available time. Compiled code settles before `steady` begins. */
interface Lengths {
  readonly settling: number;
  readonly steady: number;
  readonly settlingAgain: number;
  readonly steadyAgain: number;
}

const FULL: Lengths = { settling: 12_000, steady: 16_000, settlingAgain: 8000, steadyAgain: 16_000 };
const QUICK: Lengths = { settling: 4000, steady: 6400, settlingAgain: 1600, steadyAgain: 4800 };

/** The plan of a whole or a quick run. */
export function planOf(quick: boolean): Plan {
  const { settling, steady, settlingAgain, steadyAgain } = quick ? QUICK : FULL;
  const before = FIRST + settling + steady;
  const messages = before + FIRST + settlingAgain + steadyAgain;
  return {
    before,
    messages,
    sections: [
      { id: "earliest", title: "the first 2,400 messages", from: 0, to: EARLIEST },
      { id: "first", title: "the first 4,000 messages", from: 0, to: FIRST },
      { id: "steady", title: "steady", from: FIRST + settling, to: before },
      { id: "change", title: "4,000 messages after a third of the kinds is new", from: before, to: before + FIRST },
      { id: "steady-again", title: "steady again", from: messages - steadyAgain, to: messages },
    ],
  };
}

/**
 * The numbers of the documents of all messages. The seed gives each kind a rank, and with it a frequency by Zipf's law. A third of
 * the kinds, among all ranks, only appears in the second half. Documents of a kind are equally frequent.
 */
export function drawSequence(kinds: readonly KindRange[], plan: Plan, seed: number): number[] {
  const random = new Random(seed);
  const ranked = random.shuffle(kinds);
  const early = ranked.filter((_, rank) => rank % HELD_BACK !== HELD_BACK - 1);
  const sequence: number[] = [];
  draw(early, plan.before, random, sequence);
  draw(ranked, plan.messages, random, sequence);
  return sequence;
}

function draw(ranked: readonly KindRange[], until: number, random: Random, sequence: number[]): void {
  const nextRank = zipf(ranked.length);
  while (sequence.length < until) sequence.push(pickDocument(ranked[nextRank(random)]!, random));
}

/** Messages of these kinds only, all equally frequent. */
export function drawEvenly(kinds: readonly KindRange[], messages: number, random: Random): number[] {
  return Array.from({ length: messages }, () => pickDocument(random.pick(kinds), random));
}

function pickDocument({ first, count }: KindRange, random: Random): number {
  return first + random.integer(0, count - 1);
}
