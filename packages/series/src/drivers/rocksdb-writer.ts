/**
 * The thread that writes to RocksDB. The binding writes, and waits for the medium, on the thread that calls it: on the main thread
 * each sealed minute would stop the event loop. This thread has a second object for the same database, and never closes it: that
 * would close it for the main thread too.
 */
import { parentPort, workerData } from "node:worker_threads";
import { unpackOperations } from "./operations.js";
import { AS_BYTES, type Column, loadRocksdb, type RocksLevel } from "./rocksdb-library.js";

/** What the thread is told to do. */
export type WriterTask =
  | { readonly id: number; readonly batch: Uint8Array; readonly sync: boolean }
  | { readonly id: number; readonly clear: number; readonly from: Uint8Array; readonly to: Uint8Array };

/** Its answer to a task. `error` is the text of a failure. */
export interface WriterAnswer {
  readonly id: number;
  readonly error?: string;
}

/** What the thread is started with. */
export interface WriterData {
  readonly handle: bigint;
  readonly columns: readonly string[];
}

async function run(db: RocksLevel, columns: readonly Column[], task: WriterTask): Promise<void> {
  if ("clear" in task) return await db.clear({ column: columns[task.clear]!, gte: task.from, lt: task.to });
  const batch = db.batch();
  unpackOperations(
    task.batch,
    (column, key, value) => batch.put(key, value, { column: columns[column]! }),
    (column, key) => batch.del(key, { column: columns[column]! }),
  );
  await batch.write({ sync: task.sync });
}

/** Answers tasks one after the other until the main thread ends this one. */
export async function serveWrites(): Promise<void> {
  const { handle, columns: names } = workerData as WriterData;
  const { RocksLevel: Database } = loadRocksdb();
  const db = new Database(handle, AS_BYTES);
  await db.open({});
  const columns = names.map((name) => db.columns[name]!);
  let last = Promise.resolve();
  parentPort!.on("message", (task: WriterTask) => {
    last = last.then(async () => {
      const answer: WriterAnswer = await run(db, columns, task).then(
        () => ({ id: task.id }),
        (error: unknown) => ({ id: task.id, error: String((error as Error).message ?? error) }),
      );
      parentPort!.postMessage(answer);
    });
  });
  parentPort!.postMessage({ id: 0 } satisfies WriterAnswer);
}
