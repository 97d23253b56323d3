/** Schedules rounds: every ten seconds, earlier when the head fills up, every second after a failure (docs/series-format.md, 4 and 7). */

import { closedError } from "../drivers/store-error.js";
import { isFull } from "../errors.js";
import type { Head } from "../head/head.js";
import type { Settings } from "../options.js";
import type { Registry } from "../registry/registry.js";
import type { Jobs } from "./jobs.js";

const EVERY = 10_000;
const RETRY = 1000;
const MINUTE = 60_000;
/** A round starts at once if minutes are due, and the points in memory take this share of the maximum. */
const DUE_SHARE = 1 / 8;

/** Schedules the rounds of one store, and lets writes wait for them. */
export class Schedule {
  readonly #settings: Settings;
  readonly #head: Head;
  readonly #registry: Registry;
  readonly #maintenance: Jobs;
  #timer: NodeJS.Timeout | undefined;
  /** The due time of the next round, by the wall clock: in tests it may run faster than real time. */
  #nextAt: number;
  /** The waiting or running round. */
  #round: Promise<void> | undefined;
  #isUrgent = false;
  #isStopped = false;
  /** The error of the last round; undefined after a success. */
  failure: unknown;

  constructor(settings: Settings, head: Head, registry: Registry, maintenance: Jobs) {
    this.#settings = settings;
    this.#head = head;
    this.#registry = registry;
    this.#maintenance = maintenance;
    this.#nextAt = settings.now() + EVERY;
    this.#restart(EVERY);
  }

  /** Called on every write: starts a due round. */
  written(now: number): void {
    if (this.#round !== undefined || this.failure !== undefined) return;
    const isFilling = this.#isFilling;
    if (now >= this.#nextAt || isFilling || this.#hasManyDue(now)) this.#start(isFilling);
  }

  /** True if old points, such as a history, take so much memory that waiting for the next round would only cost more. */
  #hasManyDue(now: number): boolean {
    const { grace, maxHeadBytes } = this.#settings;
    if (this.#head.bytes < maxHeadBytes * DUE_SHARE) return false;
    return this.#head.hasMinutes(Math.floor((now - grace) / MINUTE) - 1);
  }

  /** Bytes of points and metrics that no round has written. */
  get #bytes(): number {
    return this.#head.bytes + this.#registry.pendingBytes;
  }

  /** True if there is room in memory. */
  get hasRoom(): boolean {
    return this.#bytes < this.#settings.maxHeadBytes;
  }

  /** Returns a promise that resolves when there is room, and rejects when a round fails; undefined if there is room. */
  room(): Promise<void> | undefined {
    return this.hasRoom ? undefined : this.#waitForRoom();
  }

  async #waitForRoom(): Promise<void> {
    while (!this.hasRoom) {
      if (this.#isStopped) throw closedError();
      if (this.#round === undefined) this.#start(true);
      else this.#isUrgent = true;
      await this.#round;
      if (this.failure !== undefined) throw this.failure;
    }
  }

  /** Stops starting rounds. Resolves when the last one has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#round;
  }

  #restart(milliseconds: number): void {
    clearTimeout(this.#timer);
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      if (this.#round === undefined) this.#start(false);
    }, milliseconds);
    this.#timer.unref();
  }

  #start(isUrgent: boolean): void {
    this.#isUrgent ||= isUrgent;
    this.#round = this.#runRound().finally(() => {
      this.#round = undefined;
      this.#restart(this.failure === undefined ? EVERY : RETRY);
    });
  }

  /** Never rejects: a failure is stored for writes, and reported to `onWarning`. */
  async #runRound(): Promise<void> {
    const maintenance = this.#maintenance;
    try {
      this.#nextAt = this.#settings.now() + EVERY;
      await maintenance.run(() => maintenance.seal("due"));
      if (this.#isUrgent && this.#isFilling) await maintenance.run(() => maintenance.seal("past"));
      if (this.#isUrgent && this.#isFilling) await maintenance.run(() => maintenance.seal("all"));
      this.#isUrgent = false;
      this.failure = undefined;
    } catch (error) {
      this.failure = error;
      this.#warn("sealing failed; it is tried again", error);
      // Old points that are dropped make room.
      if (isFull(error)) await this.#attempt("dropping old points", () => maintenance.dropOldWeeks("certain"));
      return;
    }
    // If these fail, minutes stay readable, so writes continue.
    await this.#attempt("roll-up", () => maintenance.rollUp());
    await this.#attempt("dropping old points", () => maintenance.dropOldWeeks("certain"));
  }

  async #attempt(what: string, job: () => Promise<void>): Promise<void> {
    try {
      await this.#maintenance.run(job);
    } catch (error) {
      this.#warn(`${what} failed; it is tried again`, error);
    }
  }

  get #isFilling(): boolean {
    return this.#bytes >= this.#settings.maxHeadBytes / 2;
  }

  #warn(what: string, cause: unknown): void {
    this.#settings.onWarning({ kind: "retry", message: `${what}: ${(cause as Error).message}`, cause });
  }
}
