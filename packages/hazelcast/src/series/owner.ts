/** Errors that name the owner of a store, as the owner's entry in the cluster tells of it. */
import { SeriesError } from "@moonpack/series";

/** The error of opening a store that another process has. */
export function openElsewhere(name: string, owner: string): SeriesError {
  const { process, leaseMillis } = describe(owner);
  const free = Number.isSafeInteger(leaseMillis)
    ? `; if that process is gone, others can open it at most ${leaseMillis} ms after its end`
    : "";
  return locked(`the store ${name} of the cluster is open in ${process}${free}`);
}

/** The error of writing into a store that another process has taken, because this one could not prolong its lease. */
export function lostTo(name: string, owner: string): SeriesError {
  const { process } = describe(owner);
  return locked(
    `the store ${name} of the cluster was taken by ${process}, after this process had not reached the cluster for too long: close it and open it again`,
  );
}

/** The error of a store whose maps are gone. */
export function emptyError(name: string): SeriesError {
  return new SeriesError("ERR_SERIES_STORE", `the cluster has lost the maps of the store ${name}`);
}

function locked(message: string): SeriesError {
  return new SeriesError("ERR_SERIES_LOCKED", message);
}

/** What an entry says. Whatever else is in its place is another process. */
function describe(owner: string): { readonly process: string; readonly leaseMillis?: unknown } {
  try {
    const { pid, host, since, leaseMillis } = JSON.parse(owner) as Record<string, unknown>;
    return { process: `process ${String(pid)} on ${String(host)}, since ${String(since)}`, leaseMillis };
  } catch {
    return { process: "another process" };
  }
}
