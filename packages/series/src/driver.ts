/**
 * `@moonpack/series/driver`: the interface of drivers, for packages that keep the sealed points of a store elsewhere than in its own
 * files, and the parts of this package that such drivers share. It may change with any version: such a package names an exact version.
 */
export { BackupFolder, refuseUnfinished } from "./backup/backup-folder.js";
export { type Changes, type DeletedRange, type HeadState, writeHeadLog } from "./backup/head-log.js";
export type { Soon } from "./blocks/block.js";
export type { Newest } from "./blocks/newest.js";
export type { Run } from "./blocks/run.js";
export type { Summaries } from "./blocks/summary.js";
export type { IsOneWindow, SummedPoints } from "./blocks/summary-cursor.js";
export type { Entry } from "./drivers/driver.js";
export { refuseArguments } from "./drivers/files.js";
export { closedError, storeError } from "./drivers/store-error.js";
export type { Head } from "./head/head.js";
export { groupsOf, type HeadMinute } from "./head/head-minute.js";
export type { PointPool, Slab } from "./head/point-pool.js";
export { type LogFile, type LogFileSystem, nodeFileSystem } from "./log/file-system.js";
export type { WriteAheadLog } from "./log/write-ahead-log.js";
export { CanonicalForms, parseCanonical } from "./metric/canonical.js";
export { typeOfByte } from "./metric/metric.js";
export { nameValue, type StoredName, storedName } from "./metric/stored-name.js";
export { ChunkIds, chunkOf } from "./metric/tag-index.js";
export type { Settings } from "./options.js";
export { mergePoints, removePoints } from "./page/merge.js";
export { PagePoints, SLOTS } from "./page/page.js";
export { TimeColumns, Times } from "./page/time-column.js";
export { ValueBlocks } from "./page/value-block.js";
export { copyWords, type Values64 } from "./page/values.js";
export { weekOf } from "./page/weeks.js";
export type { BatchMemory } from "./read/batches.js";
export type { ReadScheduler } from "./read/read-scheduler.js";
export type {
  OpenedStore,
  PointRequest,
  PointScan,
  SealedParts,
  SealedStore,
  StoreDriver,
} from "./read/sealed-store.js";
export type { TimeRange } from "./read/time-range.js";
export type { PendingMetric } from "./registry/metric-memory.js";
export type { RegisteredMetric } from "./registry/registered-metric.js";
export type { DefinitionLog, Registry } from "./registry/registry.js";
export type { Deleted, DropWhen, Jobs, Reach } from "./seal/jobs.js";
export { RetentionClock } from "./seal/retention-clock.js";
export { entryIds } from "./select/id-set.js";
export { IndexKeys, type KeyRange } from "./select/index-keys.js";
export type { NameSource, TagIndex } from "./select/name-source.js";
export { TimeSlices } from "./store/time-slices.js";
