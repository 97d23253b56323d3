/** Writes the points and changes in memory into the log of a backup, which recovers them when it is opened. */
import type { Head } from "../head/head.js";
import { groupsOf, type HeadMinute } from "../head/head-minute.js";
import type { LogFileSystem } from "../log/file-system.js";
import { Log } from "../log/log.js";
import { PagePoints, SLOTS } from "../page/page.js";
import { Values64 } from "../page/values.js";
import type { PendingMetric } from "../registry/metric-memory.js";
import { TimeSlices } from "../store/time-slices.js";

const MINUTE = 60_000;
/** Maximum number of points of a record. A minute of one metric has at most 60,000 and is never split. */
const RECORD_POINTS = 65_536;

/** A delete of a range of time, in milliseconds, `to` exclusive. */
export interface DeletedRange {
  /** The id of the metric. */
  readonly id: number;
  /** The first time, inclusive. */
  readonly from: number;
  /** The last time, exclusive. */
  readonly to: number;
}

/** Changes that are not yet in the database. They apply to pages and to points of the head. */
export interface Changes {
  /** Deleted ranges of metrics. */
  readonly deletes: readonly DeletedRange[];
  /** Ids of forgotten metrics. */
  readonly forgotten: readonly number[];
}

/** The state of a store in memory. */
export interface HeadState {
  /** The points in memory. */
  readonly head: Head;
  /** Frozen minutes, which get no new points. */
  readonly minutes: readonly HeadMinute[];
  /** The metrics that are not yet in the store. */
  readonly metrics: readonly PendingMetric[];
  /** Changes that are older than the points of the head. */
  readonly changes: Changes;
}

/**
 * Writes the first files of a log: definitions, changes, points. `changesNow` is called at the end: changes made during the call
 * apply to the points before them. Without points and changes it writes no file. The log is on disk when it resolves.
 */
export async function writeHeadLog(
  fileSystem: LogFileSystem,
  folder: string,
  state: HeadState,
  changesNow: () => Changes,
): Promise<void> {
  const { minutes, metrics, changes } = state;
  if (minutes.length + metrics.length + changes.deletes.length + changes.forgotten.length === 0) return;
  const options = { durability: "batch", syncEvery: 1000, nextFile: 1, nextRecord: 0 } as const;
  const log = await Log.start(fileSystem, folder, options);
  try {
    const slices = new TimeSlices();
    for (const { metric, form } of metrics) {
      log.define(metric.id, metric.type, form);
      const pause = slices.pause();
      if (pause !== undefined) await pause;
    }
    appendChanges(log, changes, { deletes: [], forgotten: [] });
    await new PointCopy(log, slices).copy(state);
    appendChanges(log, changesNow(), changes);
  } catch (error) {
    // An error of this step would hide the first one.
    await log.close().catch(() => undefined);
    throw error;
  }
  // Syncs, too.
  await log.close();
}

function appendChanges(log: Log, { deletes, forgotten }: Changes, before: Changes): void {
  for (const one of deletes) if (!before.deletes.includes(one)) log.delete(one.id, one.from, one.to);
  for (const id of forgotten) if (!before.forgotten.includes(id)) log.forget(id);
}

/** The points of a record. */
class Gathered {
  readonly ids = new Uint32Array(RECORD_POINTS);
  readonly times = new Float64Array(RECORD_POINTS);
  readonly values = new Values64(RECORD_POINTS);
  length = 0;
}

class PointCopy {
  readonly #log: Log;
  readonly #floats = new Gathered();
  readonly #int64s = new Gathered();
  readonly #points = new PagePoints();
  readonly #slices: TimeSlices;

  constructor(log: Log, slices: TimeSlices) {
    this.#log = log;
    this.#slices = slices;
  }

  /** Older points of a minute come before newer ones: the last one written wins. */
  async copy({ head, minutes }: HeadState): Promise<void> {
    for (const minute of minutes) {
      for (const group of groupsOf([minute])) {
        for (let slot = 0; slot < SLOTS; slot++) {
          const id = group * SLOTS + slot;
          if (!head.collect(minute, id, this.#points)) continue;
          const list = this.#points.isInt64 ? this.#int64s : this.#floats;
          if (list.length + this.#points.length > RECORD_POINTS) await this.#append(list);
          this.#gather(list, id, minute.minute * MINUTE);
        }
        await this.#slices.pause();
      }
    }
    await this.#append(this.#floats);
    await this.#append(this.#int64s);
  }

  #gather(list: Gathered, id: number, start: number): void {
    const { length, times, values } = this.#points;
    const at = list.length;
    list.ids.fill(id, at, at + length);
    for (let i = 0; i < length; i++) list.times[at + i] = start + times[i]!;
    list.values.words.set(values.words.subarray(0, 2 * length), 2 * at);
    list.length += length;
  }

  async #append(list: Gathered): Promise<void> {
    if (list.length === 0) return;
    this.#log.points(list.length, list.ids, list.times, list.values, 0, list === this.#int64s);
    list.length = 0;
    await this.#log.committed();
  }
}
