/** The active propagations. They are global to the process, as agents and global dispatchers are. */
import { shared } from "../shared.js";
import type { Destination } from "./destination.js";
import { type HeaderLine, missingLines, outgoing } from "./headers.js";
import type { Propagation } from "./options.js";

/** The active propagations, and the function that restores what the first one of them has replaced. */
export const propagations = /* @__PURE__ */ shared("propagations", () => ({
  active: [] as Propagation[],
  restore(): void {},
}));

/** Returns the names of the id's header for a request to these destinations; undefined if one of them is not allowed. */
function headerNamesFor(
  list: readonly Propagation[],
  destinations: readonly (Destination | undefined)[],
): string[] | undefined {
  let names: string[] | undefined;
  for (const { isAllowed, headerName } of list) if (destinations.every(isAllowed)) (names ??= []).push(headerName);
  return names;
}

/** Returns the headers to add to a request from the current context; none if a destination is not allowed. */
export function linesFor(
  list: readonly Propagation[],
  destinations: readonly (Destination | undefined)[],
  has: (lowerCaseName: string) => boolean,
): HeaderLine[] {
  const names = headerNamesFor(list, destinations);
  const here = names === undefined ? undefined : outgoing();
  return names === undefined || here === undefined ? [] : missingLines(here, names, has);
}
