import type { Operation } from "../types.js";
import type { Cell, RaceResult } from "./race.js";

type ResultCandidate = RaceResult["candidates"][number];

/** A rival that was faster than ours. */
export interface Loss {
  readonly operation: Operation;
  readonly workload: string;
  readonly rival: string;
  /** How many times faster the rival was. */
  readonly factor: number;
}

/** The cell of a candidate on a workload, if it was timed. */
export function findCell(
  result: RaceResult,
  operation: Operation,
  workload: string,
  candidate: string,
): Cell | undefined {
  return result.cells.find(
    (cell) =>
      cell.operation === operation &&
      cell.workload === workload &&
      cell.candidate === candidate &&
      cell.ratios !== undefined,
  );
}

/** The median speed of a candidate as a multiple of a baseline's. */
export function ratio(
  result: RaceResult,
  operation: Operation,
  workload: string,
  candidate: string,
  baseline = result.baselines[0]!,
): number | undefined {
  return findCell(result, operation, workload, candidate)?.ratios?.[baseline]?.median;
}

/** Candidates with at least one cell in this direction, in the order of the tables. */
export function candidatesOf(result: RaceResult, operation: Operation): ResultCandidate[] {
  return result.candidates.filter(({ id }) =>
    result.cells.some((cell) => cell.operation === operation && cell.candidate === id),
  );
}

/** Rivals with standard MessagePack. Rows with a ratio have equal results. */
export function standardRivals(result: RaceResult): string[] {
  return result.candidates.filter(({ ours, format }) => !ours && format === "msgpack").map(({ id }) => id);
}

/** Our speed as a multiple of the fastest standard rival's. */
export function ratioToBestRival(
  result: RaceResult,
  operation: Operation,
  workload: string,
  candidate: string,
): number | undefined {
  const own = ratio(result, operation, workload, candidate);
  const rivals = standardRivals(result).flatMap((rival) => ratio(result, operation, workload, rival) ?? []);
  return own === undefined || rivals.length === 0 ? undefined : own / Math.max(...rivals);
}

/** Every row, in any format including JSON, that was faster than `ours`. */
export function losses(result: RaceResult, operation: Operation, ours: string): Loss[] {
  return result.workloads.flatMap(({ id: workload }) => {
    const own = ratio(result, operation, workload, ours);
    if (own === undefined) return [];
    return result.candidates
      .filter((candidate) => !candidate.ours)
      .map(({ id: rival }) => ({
        operation,
        workload,
        rival,
        factor: (ratio(result, operation, workload, rival) ?? 0) / own,
      }))
      .filter(({ factor }) => factor > 1)
      .sort((a, b) => b.factor - a.factor);
  });
}
