/** Errors that name the owner of a store, from the owner's entry in the cluster. */
import { SeriesError } from "@moonpack/series";

/** Returns the error of opening a store that another process has open. */
export function openElsewhere(name: string, owner: string): SeriesError {
  const { process, leaseMillis } = describe(owner);
  const hint = Number.isSafeInteger(leaseMillis)
    ? `; if that process has ended, the store can be opened at most ${leaseMillis} ms after its end`
    : "";
  return locked(`the store ${name} of the cluster is open in ${process}${hint}`);
}

/** Returns the error of writing into a store whose lease another process has acquired. */
export function lostTo(name: string, owner: string): SeriesError {
  const { process } = describe(owner);
  return locked(
    `the store ${name} of the cluster was opened by ${process}, because this process was disconnected for longer than its lease: close the store and open it again`,
  );
}

/** Returns the error of a store whose maps are gone. */
export function mapsGoneError(name: string): SeriesError {
  return new SeriesError("ERR_SERIES_STORE", `the cluster has lost the maps of the store ${name}`);
}

function locked(message: string): SeriesError {
  return new SeriesError("ERR_SERIES_LOCKED", message);
}

/** Describes the process of an entry. Entries in another form are described as "another process". */
function describe(owner: string): { readonly process: string; readonly leaseMillis?: unknown } {
  try {
    const { pid, host, since, leaseMillis } = JSON.parse(owner) as Record<string, unknown>;
    return { process: `process ${String(pid)} on ${String(host)}, since ${String(since)}`, leaseMillis };
  } catch {
    return { process: "another process" };
  }
}
