/** The jobs of a store of files, one at a time: sealing, compaction, retention. */
import type { BlockEntry } from "../blocks/block.js";
import type { Tombstone } from "../blocks/tombstones.js";
import { ExpiredBlocks, Expiry } from "../compact/expiry.js";
import { Stopped } from "../compact/merge-blocks.js";
import { Pace } from "../compact/pace.js";
import { isFull, SeriesError } from "../errors.js";
import type { HeadMinute } from "../head/head-minute.js";
import type { Manifest } from "../manifest/manifest.js";
import { allBlocks } from "../manifest/manifest-files.js";
import { ForgottenIds, Names } from "../names/names.js";
import type { NamesEntry } from "../names/names-file.js";
import type { Settings } from "../options.js";
import { weekOf } from "../page/weeks.js";
import type { SealedParts } from "../read/sealed-store.js";
import type { DropWhen, Jobs, Reach } from "../seal/jobs.js";
import { RetentionClock } from "../seal/retention-clock.js";
import { TimeSlices } from "../store/time-slices.js";
import { floorTo, hasBlock, hasDelete, type SummaryRecord } from "../summarize/record.js";
import { Ballast } from "./ballast.js";
import { BlockRound } from "./block-round.js";
import { compact } from "./compact.js";
import type { FileStore } from "./file-store.js";
import { filesToMerge, mergeNames, partsOf, writeNames } from "./names-round.js";
import { updateSummaries } from "./summary-job.js";

const MINUTE = 60_000;
/** Due minutes are sealed if the points in memory take more bytes than this, or if they are older than an hour. */
const SEALED_BYTES = 32 * 2 ** 20;
const SEALED_MINUTES = 60;
/** Dropping a larger share of all blocks is more likely caused by a wrong clock. */
const LARGE_DROP = 0.1;
const LARGE_DROP_WAIT = 3_600_000;
/** Maximum number of steps to a time at which all kept windows start. */
const MAX_FLOORS = 1000;
/** Bytes of the disk that compaction leaves free. */
const FREE_BYTES = 64 * 2 ** 20;

/** Runs the jobs of one store of files. */
export class FileJobs implements Jobs {
  readonly #parts: SealedParts;
  readonly #store: FileStore;
  readonly #round: BlockRound;
  readonly #clock: RetentionClock;
  readonly #ballast: Ballast;
  readonly #expired = new ExpiredBlocks();
  readonly #pace: Pace;
  /** Jobs that wait or run. */
  #jobs = 0;
  /** True while compaction waits for space. */
  #isCramped = false;
  #last: Promise<unknown> = Promise.resolve();
  #isStopped = false;
  /** When a large drop was first due, by the monotonic clock. */
  #dropSince: number | undefined;
  rounds = 0;
  pagesWritten = 0;
  hoursWritten = 0;
  corrupt = 0;

  constructor(parts: SealedParts, store: FileStore) {
    this.#parts = parts;
    this.#store = store;
    this.#round = new BlockRound(store, parts.head);
    this.#clock = new RetentionClock(parts.settings.now, this.#sealedUntil);
    this.#ballast = new Ballast(store.fileSystem, store.path);
    const isAwaited = () => this.#jobs > 1 || this.#isStopped || this.#isDue(this.#lastMinute("due", parts.settings));
    this.#pace = new Pace(parts.settings.compactBytesPerSecond, isAwaited);
  }

  get sealed(): number {
    return this.#store.manifest.sealed;
  }

  get #sealedUntil(): number {
    return (this.sealed + 1) * MINUTE;
  }

  run<T>(job: () => Promise<T>): Promise<T> {
    this.#jobs++;
    const done = this.#last.then(job).finally(() => this.#jobs--);
    this.#last = done.catch(() => undefined);
    return done;
  }

  stop(): void {
    this.#isStopped = true;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  async settled(): Promise<void> {
    await this.#last;
  }

  /** Does nothing: tombstones hide deleted points at once, and the log has them until the next manifest. */
  async applyDeletes(): Promise<void> {}

  async seal(reach: Reach): Promise<void> {
    const { settings, head, registry, log } = this.#parts;
    const last = this.#lastMinute(reach, settings);
    if (reach === "due" && !this.#isDue(last)) return;
    const store = this.#store;
    while (head.adding !== undefined) await head.adding;
    // In one iteration of the event loop: a later delete hides the points that this round writes.
    log.rotate();
    const nextFile = log.file;
    const generation = store.beginRound();
    const minutes = head.freeze(last);
    const metrics = [...registry.pending.values()];
    const { next } = registry;
    if (minutes.length === 0 && metrics.length === 0 && !store.hasDeletes && nextFile === store.manifest.firstLog)
      return;
    // A block must not contain points that the log on disk does not have.
    await log.sync();
    const slices = new TimeSlices();
    const late = minutes.filter(({ minute }) => minute <= this.sealed);
    const blocks: BlockEntry[] = [];
    for (const [isWide, some] of [...byWeek(minutes.slice(late.length)), [true, late] as const]) {
      const block = await this.#round.write(some, generation, isWide, slices);
      if (block !== undefined) blocks.push(block);
    }
    const names: NamesEntry[] = [];
    for (const part of partsOf(metrics)) names.push(await writeNames(store, part, slices));
    const sealed = minutes.reduce((most, { minute }) => Math.max(most, minute), this.sealed);
    const firstLog = Math.min(nextFile, head.firstFileBeside(last));
    await store.commit(
      (manifest) => ({
        blocks: [...manifest.blocks, ...blocks],
        names: [...manifest.names, ...names],
        nextId: Math.max(next, manifest.nextId),
        firstLog,
        sealed,
      }),
      () => {
        registry.persisted(metrics, next);
        head.drop(minutes);
      },
    );
    this.rounds++;
    this.pagesWritten += blocks.length;
    await log.removeBefore(firstLog);
  }

  /** True if a block is large enough to be written: small blocks must be merged later. */
  #isDue(last: number): boolean {
    const { settings, head, registry } = this.#parts;
    const enough = Math.min(SEALED_BYTES, settings.maxHeadBytes / 8);
    if (registry.pendingBytes >= enough) return true;
    if (!head.hasMinutes(last)) return false;
    return head.bytes >= enough || head.hasMinutes(last - SEALED_MINUTES);
  }

  #lastMinute(reach: Reach, { now, grace }: Settings): number {
    if (reach === "all") return Number.POSITIVE_INFINITY;
    const due = Math.floor((now() - grace) / MINUTE) - 1;
    return Math.max(reach === "past" ? Math.floor(now() / MINUTE) : due, this.sealed);
  }

  /** Merges blocks and names files that are due. */
  async rollUp(): Promise<void> {
    await this.#ballast.take();
    await this.#store.removeOldFiles();
    await this.#mergeNames();
    await this.#summarize(this.#pace);
    await this.#compact();
  }

  /** Merges all that can be merged, removes deleted points, and deletes files that are not needed by this process. */
  async compactAll(): Promise<void> {
    await this.#summarize(undefined);
    await this.#compact("sealed");
    await this.#store.removeOldFiles();
  }

  /** Adds new windows to the summaries, and corrects those with late or deleted points. A closing store leaves that to the next run. */
  async #summarize(pace: Pace | undefined): Promise<void> {
    const { registry, settings } = this.#parts;
    const { retention } = registry;
    try {
      await updateSummaries({
        store: this.#store,
        now: settings.now(),
        expiryAt: (time) => retention && new Expiry(registry, retention, time),
        pace,
        onDamage: (error) => this.#passOver(error),
        assertRunning: () => {
          if (this.#isStopped) throw new Stopped();
        },
      });
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
    }
  }

  /** Reports damage that a job leaves out. Throws other errors. */
  #passOver(error: unknown): void {
    if (!(error instanceof SeriesError) || error.code !== "ERR_SERIES_CORRUPT") throw error;
    this.corrupt++;
    this.#parts.settings.onWarning({ kind: "corrupt", message: error.message, cause: error });
  }

  /**
   * Returns a function that limits the time before which points are deleted: they are kept until all summaries have them, and windows are not
   * cut in two, since late points may still come. The clock must be read before: points that come later are not beyond retention by it.
   */
  #limits(): (cut: number) => number {
    const { manifest, tombstones } = this.#store.view;
    const first = manifest.summaries.length === 0 ? 0 : this.#parts.head.firstMinute * MINUTE;
    const limits = manifest.summaries.map((record) => {
      let needed = record.isOpen ? Math.min(first, record.until) : first;
      for (const block of manifest.blocks) if (!hasBlock(record, block)) needed = Math.min(needed, block.from);
      for (const one of tombstones.all)
        if (!hasDelete(record, one)) needed = Math.min(needed, firstPart(record.window, one));
      return { window: record.window, needed };
    });
    const floor = (cut: number) =>
      limits.reduce((limit, { window, needed }) => floorTo(window, Math.min(limit, needed)), cut);
    return (cut) => {
      let limit = floor(cut);
      // Lengths that are no multiples of each other have few common borders.
      for (let i = 0; i < MAX_FLOORS && floor(limit) !== limit; i++) limit = floor(limit);
      return limit;
    };
  }

  /** Does due merges, or all with a clock that compact() or dropOld() trusts. */
  async #compact(when: Exclude<DropWhen, "certain"> | undefined = undefined): Promise<void> {
    const isForced = when !== undefined;
    const { registry } = this.#parts;
    const { retention } = registry;
    const expiry = retention && new Expiry(registry, retention, this.#now(when ?? "certain"), this.#limits());
    const onDamage = (error: SeriesError) => this.#passOver(error);
    const hasRoom = async (bytes: number) => isForced || (await this.#hasRoom(bytes));
    const pace = isForced ? undefined : this.#pace;
    const options = {
      isForced,
      expiry,
      expired: this.#expired,
      isStopped: () => this.#isStopped,
      onDamage,
      hasRoom,
      pace,
    };
    while (!this.#isStopped && (await compact(this.#store, options))) this.hoursWritten++;
  }

  /** True if blocks of a size can be written, and some space is left. Compaction frees space only later. */
  async #hasRoom(bytes: number): Promise<boolean> {
    const free = await this.#store.fileSystem.freeBytes(this.#store.path);
    const isCramped = free < bytes + FREE_BYTES;
    if (isCramped && !this.#isCramped) {
      const message = `compaction waits for space: it needs ${bytes} bytes, ${free} are free`;
      this.#parts.settings.onWarning({ kind: "retry", message });
    }
    this.#isCramped = isCramped;
    return !isCramped;
  }

  async #mergeNames(): Promise<void> {
    const store = this.#store;
    const { manifest, files } = store.view;
    const count = filesToMerge(manifest.names);
    if (count === 0 || this.#isStopped) return;
    const some = files.slice(-count);
    const forgotten = new ForgottenIds(manifest.forgotten);
    const merged = await mergeNames(store, new Names(some, forgotten), new TimeSlices());
    const isAll = count === files.length;
    await store.commit((now) => ({
      names: [...now.names.slice(0, -count), merged],
      // A forgotten id that is not in a names file or a block need not be remembered.
      ...(isAll && { forgotten: now.forgotten.filter((id) => !forgotten.ids.has(id)) }),
    }));
  }

  #now(when: DropWhen): number {
    return when === "now" ? this.#parts.settings.now() : this.#clock.read(when === "sealed" ? this.#sealedUntil : 0);
  }

  async dropOldWeeks(when: DropWhen): Promise<void> {
    // Of dropOld(): the other callers have done so, or lack the space.
    if (when === "now") await this.#summarize(undefined);
    await this.#dropOldBlocks(when);
    if (when === "now" && this.#parts.registry.retention !== undefined) await this.#compact("now");
  }

  async #dropOldBlocks(when: DropWhen): Promise<void> {
    const { settings } = this.#parts;
    const { summaries } = this.#store.manifest;
    if (settings.retention === Number.POSITIVE_INFINITY && summaries.length === 0) return;
    const now = this.#now(when);
    const cut = this.#limits()(now - settings.retention);
    const { manifest } = this.#store;
    const oldWindows = ({ keep, blocks }: SummaryRecord) =>
      keep === null ? [] : blocks.filter(({ to }) => to < now - keep);
    const old = new Set([...manifest.blocks.filter(({ to }) => to < cut), ...manifest.summaries.flatMap(oldWindows)]);
    if (old.size === 0) return;
    if (when === "certain" && !this.#mayDrop(old.size / allBlocks(manifest).length)) return;
    const without = (blocks: readonly BlockEntry[]) => blocks.filter((block) => !old.has(block));
    const drop = (before: Manifest) => ({
      blocks: without(before.blocks),
      dropped: Math.max(before.dropped, cut),
      summaries: before.summaries
        .map((record) => ({ ...record, blocks: without(record.blocks) }))
        .filter(({ isOpen, blocks }) => isOpen || blocks.length > 0),
    });
    try {
      await this.#store.commit(drop);
    } catch (error) {
      if (!isFull(error)) throw error;
      await this.#ballast.free();
      await this.#store.commit(drop, () => undefined, true);
      // Not in ten minutes: the space is needed now.
      await this.#store.removeOldFiles(true);
    }
  }

  #mayDrop(share: number): boolean {
    if (share <= LARGE_DROP) {
      this.#dropSince = undefined;
      return true;
    }
    this.#dropSince ??= performance.now();
    return performance.now() - this.#dropSince >= LARGE_DROP_WAIT;
  }
}

/** Returns the first time of a delete in a window of which it deletes only a part. */
function firstPart(window: number, { from, to }: Tombstone): number {
  if (from % window !== 0) return from;
  return to % window === 0 || to === Number.MAX_SAFE_INTEGER ? Number.POSITIVE_INFINITY : to;
}

/** Groups minutes by UTC week: a regular block never has points of two weeks. */
function byWeek(minutes: readonly HeadMinute[]): (readonly [isWide: false, minutes: HeadMinute[]])[] {
  const weeks = new Map<number, HeadMinute[]>();
  for (const one of minutes) {
    const week = weekOf(one.minute);
    const list = weeks.get(week);
    if (list === undefined) weeks.set(week, [one]);
    else list.push(one);
  }
  return [...weeks.values()].map((list) => [false, list] as const);
}
