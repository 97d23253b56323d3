/**
 * Who has a store: an entry with a time to live, which its owner prolongs. The client's own locks do not do: they let all of one client
 * in, and do not tell who has them.
 */
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import type { SeriesError } from "@moonpack/series";
import { certain } from "./certain.js";
import type { ControlMap } from "./columns.js";
import { emptyError, lostTo, openElsewhere } from "./owner.js";

/** The entry of the owner, and the one that names the last owner for ever. */
const OWNER = "owner";
const LAST_OWNER = "lastOwner";
/** Milliseconds between two attempts to get a store that another one has. */
const RETRY_MS = 250;
/** A lease is prolonged three times before it ends, and not trusted in its last third. */
const THIRDS = 3;

/** How a store is taken. */
export interface LeaseOptions {
  /** The name of the store, for texts. */
  readonly name: string;
  readonly leaseMillis: number;
  /** How long to wait for another owner. */
  readonly waitMillis: number;
}

/** A store that this process has, as long as it can prolong its lease. */
export class Lease {
  readonly #map: ControlMap;
  readonly #options: LeaseOptions;
  readonly #owner: string;
  readonly #timer: NodeJS.Timeout;
  /** When the lease was last prolonged, by two clocks: one of them stands still while the machine sleeps. */
  #since: Moment;
  #renewing: Promise<void> | undefined;
  #loss: SeriesError | undefined;

  /** @internal */
  constructor(map: ControlMap, options: LeaseOptions, owner: string, since: Moment) {
    this.#map = map;
    this.#options = options;
    this.#owner = owner;
    this.#since = since;
    // A failure is met by the next write, which tries again.
    this.#timer = setInterval(() => void this.#renew().catch(() => undefined), options.leaseMillis / THIRDS);
    this.#timer.unref();
  }

  /** Takes a store. `ERR_SERIES_LOCKED` if another one has it, and still has it after `waitMillis`. */
  static async take(map: ControlMap, options: LeaseOptions): Promise<Lease> {
    const owner = JSON.stringify({
      pid: process.pid,
      host: hostname(),
      since: new Date().toISOString(),
      leaseMillis: options.leaseMillis,
      id: randomUUID(),
    });
    const end = performance.now() + options.waitMillis;
    for (;;) {
      const since = new Moment();
      const other = await taken(map, owner, options.leaseMillis);
      if (other === undefined) {
        const lease = new Lease(map, options, owner, since);
        try {
          await certain(() => map.set(LAST_OWNER, owner));
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

  /** Throws `ERR_SERIES_LOCKED` if another one has taken the store since. */
  async assertHeld(): Promise<void> {
    if (this.#loss === undefined && this.#since.elapsed() > (this.#options.leaseMillis * (THIRDS - 1)) / THIRDS)
      await this.#renew();
    if (this.#loss !== undefined) throw this.#loss;
  }

  /** Lets others take the store. */
  async release(): Promise<void> {
    clearInterval(this.#timer);
    await this.#renewing?.catch(() => undefined);
    if (this.#loss === undefined) await certain(() => this.#map.remove(OWNER, this.#owner));
  }

  #renew(): Promise<void> {
    this.#renewing ??= this.#prolong().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  async #prolong(): Promise<void> {
    if (this.#loss !== undefined) return;
    const { leaseMillis, name } = this.#options;
    const since = new Moment();
    // If another one has the store by now, this prolongs the other's lease once, which does no harm.
    await this.#map.setTtl(OWNER, leaseMillis);
    let owner = await this.#map.get(OWNER);
    if (owner === null) {
      // The lease has ended, as after a long pause of this process. If nobody had the store since, it goes on.
      owner = (await taken(this.#map, this.#owner, leaseMillis)) ?? this.#owner;
      const last = await this.#map.get(LAST_OWNER);
      if (last !== this.#owner && owner === this.#owner) {
        await this.#map.remove(OWNER, this.#owner);
        this.#loss = last === null ? emptyError(name) : lostTo(name, last);
        return;
      }
    }
    if (owner === this.#owner) this.#since = since;
    else this.#loss = lostTo(name, owner);
  }
}

/** Takes the entry of the owner. Returns the other owner if there is one. */
async function taken(map: ControlMap, owner: string, leaseMillis: number): Promise<string | undefined> {
  const other = await certain(() => map.putIfAbsent(OWNER, owner, leaseMillis));
  // A call that was repeated may meet its own entry.
  return other === null || other === owner ? undefined : other;
}

/** A moment by the clock that nobody sets, and by the one that goes on while the machine sleeps. */
class Moment {
  readonly #steady = performance.now();
  readonly #wall = Date.now();

  /** Milliseconds since then. */
  elapsed(): number {
    return Math.max(performance.now() - this.#steady, Date.now() - this.#wall);
  }
}
