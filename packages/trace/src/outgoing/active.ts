/** The propagations that are switched on. The switch is one for the process, as what it acts on is. */
import type { Destination } from "./destination.js";
import { type HeaderLine, missingLines, type Outgoing, outgoing } from "./headers.js";
import type { Propagation } from "./options.js";

const propagations: Propagation[] = [];

/** The propagations that are switched on. */
export function active(): Propagation[] {
  return propagations;
}

/** The names of the id's header for a request to all of these destinations; undefined if it may learn nothing. */
export function headerNamesFor(
  list: readonly Propagation[],
  destinations: readonly (Destination | undefined)[],
): string[] | undefined {
  let names: string[] | undefined;
  for (const { isAllowed, headerName } of list) if (destinations.every(isAllowed)) (names ??= []).push(headerName);
  return names;
}

/** The lines to add to a request from here; none if it may learn nothing. */
export function linesFor(
  list: readonly Propagation[],
  destinations: readonly (Destination | undefined)[],
  has: (lowerCaseName: string) => boolean,
  told: () => Outgoing | undefined = outgoing,
): HeaderLine[] {
  const names = headerNamesFor(list, destinations);
  const here = names === undefined ? undefined : told();
  return names === undefined || here === undefined ? [] : missingLines(here, names, has);
}
