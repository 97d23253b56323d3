/** Small operations on lists that several parts of the format share. */

/** Runs of 64 elements; the last may be shorter. */
export function runsOf64<T>(list: readonly T[]): T[][] {
  const runs: T[][] = [];
  for (let i = 0; i < list.length; i += 64) runs.push(list.slice(i, i + 64));
  return runs;
}

/** Each element minus the one before; one fewer than elements. */
export function differencesOf(list: readonly bigint[]): bigint[] {
  return list.slice(1).map((value, i) => value - list[i]!);
}

/** The first value, then each value plus one more difference. */
export function sumsOf(first: bigint, differences: readonly bigint[]): bigint[] {
  const list = [first];
  for (const difference of differences) list.push(list.at(-1)! + difference);
  return list;
}

export function isAllEqual<T>(list: readonly T[]): boolean {
  return list.every((value) => value === list[0]);
}

/** The first of the shortest lists: ties go to the lower position. */
export function shortestOf<T>(lists: readonly (readonly T[])[]): number {
  const least = Math.min(...lists.map((list) => list.length));
  return lists.findIndex((list) => list.length === least);
}

export function minimumOf(list: readonly bigint[]): bigint {
  return list.reduce((least, value) => (value < least ? value : least));
}

export function maximumOf(list: readonly bigint[]): bigint {
  return list.reduce((most, value) => (value > most ? value : most));
}

export function isWithin(value: bigint, limit: bigint): boolean {
  return -limit <= value && value <= limit;
}
