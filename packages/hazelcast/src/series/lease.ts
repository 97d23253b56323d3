/**
 * The lease of a store: an entry with a time to live, which its owner renews. The client's own locks are not sufficient: they are shared
 * by all code that uses one client, and do not name their owner.
 */
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import type { SeriesError } from "@moonpack/series";
import type { ControlMap } from "./columns.js";
import { lostTo, mapsGoneError, openElsewhere } from "./owner.js";
import { retryWhileOutcomeUnknown } from "./retry-unknown.js";

/** The key of the entry that names the current owner. */
const OWNER = "owner";
/** The key of the entry that names the last owner. It has no time to live. */
const LAST_OWNER = "lastOwner";
/** Milliseconds between two attempts to open a store that is open elsewhere. */
const RETRY_MS = 250;
/** A lease is renewed after each third of its time. A write in the last third renews it first. */
const THIRDS = 3;

/** Settings of a lease. */
export interface LeaseOptions {
  /** The name of the store, for error texts. */
  readonly name: string;
  /** Time to live of the owner's entry. An integer. */
  readonly leaseMs: number;
  /** How long to wait while another process has the store open. */
  readonly waitMs: number;
}

/** The right to write to a store, as long as this process can renew it. */
export class Lease {
  readonly #map: ControlMap;
  readonly #options: LeaseOptions;
  readonly #owner: string;
  readonly #timer: NodeJS.Timeout;
  /** The time of the last renewal. */
  #since: Moment;
  #renewing: Promise<void> | undefined;
  #loss: SeriesError | undefined;

  /** @internal */
  constructor(map: ControlMap, options: LeaseOptions, owner: string, since: Moment) {
    this.#map = map;
    this.#options = options;
    this.#owner = owner;
    this.#since = since;
    // A failure is ignored here: the next write tries again, and fails if the renewal fails again.
    this.#timer = setInterval(() => void this.#renew().catch(() => undefined), options.leaseMs / THIRDS);
    this.#timer.unref();
  }

  /** Acquires the lease of a store. Throws `ERR_SERIES_LOCKED` if another process still has it after `waitMs`. */
  static async acquire(map: ControlMap, options: LeaseOptions): Promise<Lease> {
    const owner = JSON.stringify({
      pid: process.pid,
      host: hostname(),
      since: new Date().toISOString(),
      // Other processes read this property (owner.ts), so its name must not change.
      leaseMillis: options.leaseMs,
      id: randomUUID(),
    });
    const end = performance.now() + options.waitMs;
    for (;;) {
      const since = new Moment();
      const other = await becomeOwner(map, owner, options.leaseMs);
      if (other === undefined) {
        const lease = new Lease(map, options, owner, since);
        try {
          await retryWhileOutcomeUnknown(() => map.set(LAST_OWNER, owner));
        } catch (error) {
          await lease.release().catch(() => undefined);
          throw error;
        }
        return lease;
      }
      if (performance.now() >= end) throw openElsewhere(options.name, other);
      await pause(RETRY_MS);
    }
  }

  /** Throws `ERR_SERIES_LOCKED` if this process has lost the lease to another one. */
  async assertHeld(): Promise<void> {
    if (this.#loss === undefined && this.#since.elapsed() > (this.#options.leaseMs * (THIRDS - 1)) / THIRDS)
      await this.#renew();
    if (this.#loss !== undefined) throw this.#loss;
  }

  /** Ends the lease, so that other processes can acquire it. */
  async release(): Promise<void> {
    clearInterval(this.#timer);
    await this.#renewing?.catch(() => undefined);
    if (this.#loss === undefined) await retryWhileOutcomeUnknown(() => this.#map.remove(OWNER, this.#owner));
  }

  #renew(): Promise<void> {
    this.#renewing ??= this.#renewOnce().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  async #renewOnce(): Promise<void> {
    if (this.#loss !== undefined) return;
    const { leaseMs, name } = this.#options;
    const since = new Moment();
    // If another process has the lease by now, this renews the other's lease once, which is harmless.
    await this.#map.setTtl(OWNER, leaseMs);
    let owner = await this.#map.get(OWNER);
    if (owner === null) {
      // The lease has ended, for instance after a long pause of this process. It continues if the last owner is this process.
      owner = (await becomeOwner(this.#map, this.#owner, leaseMs)) ?? this.#owner;
      const last = await this.#map.get(LAST_OWNER);
      if (last !== this.#owner && owner === this.#owner) {
        await this.#map.remove(OWNER, this.#owner);
        this.#loss = last === null ? mapsGoneError(name) : lostTo(name, last);
        return;
      }
    }
    if (owner === this.#owner) this.#since = since;
    else this.#loss = lostTo(name, owner);
  }
}

/** Writes the entry of the owner, unless there is another owner. Returns that owner. */
async function becomeOwner(map: ControlMap, owner: string, leaseMs: number): Promise<string | undefined> {
  const other = await retryWhileOutcomeUnknown(() => map.putIfAbsent(OWNER, owner, leaseMs));
  // A repeated call may find the entry of its first attempt.
  return other === null || other === owner ? undefined : other;
}

/** A point in time on two clocks: the monotonic one, and the wall clock, which also counts while the machine sleeps. */
class Moment {
  readonly #steady = performance.now();
  readonly #wall = Date.now();

  /** Returns the milliseconds since this moment, by the clock that counted more. */
  elapsed(): number {
    return Math.max(performance.now() - this.#steady, Date.now() - this.#wall);
  }
}
