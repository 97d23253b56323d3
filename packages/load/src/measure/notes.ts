/** Remarks about a run, for the reader of its figures. */
import { sum } from "d3-array";
import type { RoundResult, Summary } from "../result.js";
import { counted } from "./summary.js";

/** A busy event loop: this process may have been the limit. */
const BUSY = 0.9;
/** A busy process uses most of a core. One that only waits for the CPU, or is blocked, does not. */
const WORKING = 0.8;
/** A spread above this is a note. */
const WIDE = 0.1;

/** Facts about a run besides its rounds. */
export interface RunFacts {
  /** The number of rounds that an interrupted run should have had. */
  readonly wanted?: number | undefined;
  /** True if the load changes with each round. */
  readonly isRamp?: boolean;
}

/** Returns remarks for the reader of a summary. */
export function notesOf(
  rounds: readonly RoundResult[],
  summary: Summary | null,
  { wanted, isRamp = false }: RunFacts = {},
): string[] {
  if (summary === null) return ["interrupted before the first round"];
  const notes: string[] = [];
  if (rounds.some(({ partial }) => partial))
    notes.push(
      rounds.every(({ partial }) => partial)
        ? "interrupted: the figures come from an incomplete round"
        : "interrupted: the last round is incomplete and does not count",
    );
  else if (wanted !== undefined && rounds.length < wanted)
    notes.push(`interrupted after ${rounds.length} of ${wanted} rounds`);
  notes.push(...saturationOf(rounds, isRamp), ...busyNotes(rounds, summary));
  const { median: middle, low, high } = summary.perSecond;
  if (!isRamp && middle > 0 && (high - low) / middle > WIDE)
    notes.push(`throughput varies by ${percent((high - low) / middle)} between rounds`);
  return notes;
}

function saturationOf(rounds: readonly RoundResult[], isRamp: boolean): string[] {
  const saturated = rounds.filter((round) => round.saturated).length;
  if (saturated === 0) return [];
  const ended = `saturated: ${saturated} of ${rounds.length} rounds ended behind their schedule`;
  if (!isRamp) return [`${ended}; the rate is too high`];
  return [`${ended}, the first is round ${rounds.findIndex((round) => round.saturated) + 1}`];
}

/** Notes about a busy event loop. Where a schedule was kept, or where every operation failed, nothing was the limit. */
function busyNotes(rounds: readonly RoundResult[], { utilisation, late, operations }: Summary): string[] {
  const isKept = late !== null && !rounds.some(({ saturated }) => saturated);
  if (utilisation <= BUSY || operations === 0 || isKept) return [];
  const busy = percent(utilisation);
  const share = coresOf(counted(rounds));
  return share >= WORKING
    ? [`this process was busy ${busy} of the time: it may have been the limit, not the target`]
    : [
        `the event loop was busy ${busy} of the time, but with ${percent(share)} of a core: it was blocked, or waited for the CPU`,
      ];
}

/** Returns the cores that this process used, of all its threads together. */
function coresOf(rounds: readonly RoundResult[]): number {
  const micros = sum(rounds, (round) => round.cpuMicros * (round.operations + sum(Object.values(round.errors))));
  const seconds = sum(rounds, (round) => round.seconds);
  return seconds === 0 ? 0 : micros / 1e6 / seconds;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
