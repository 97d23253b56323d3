/** The start data of a thread. */
export interface ThreadData {
  /** The handle of the database that the main thread has opened. A thread must not close it: that would close it for all threads. */
  readonly handle: bigint;
  /** The columns, in the order of their numbers. */
  readonly columns: readonly WrittenColumn[];
}

/** The settings of a column for a thread. */
export interface WrittenColumn {
  readonly name: string;
  /** Size of a full memtable in bytes. */
  readonly memtableBytes: number;
  /** True for a column of high volume, whose memtables fill up soon. */
  readonly isLarge: boolean;
}
