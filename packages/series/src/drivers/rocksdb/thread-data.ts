/** What a thread is started with. */
export interface ThreadData {
  /** Of the database that the main thread has opened. A thread never closes it: that would close it for all. */
  readonly handle: bigint;
  /** In the order of their numbers. */
  readonly columns: readonly WrittenColumn[];
}

/** What a thread must know of a column. */
export interface WrittenColumn {
  readonly name: string;
  /** Bytes after which its memtable is full. */
  readonly memtableBytes: number;
  /** So much is written that its memtables are soon full without help. */
  readonly isLarge: boolean;
}
