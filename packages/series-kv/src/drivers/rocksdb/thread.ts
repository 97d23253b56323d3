// The entry of worker threads. It starts work on import, and no other module imports it.
import { workerData } from "node:worker_threads";
import { loadBinding } from "./binding.js";
import { Reader, type ReaderTask } from "./reader.js";
import type { ThreadData } from "./thread-data.js";
import { serve } from "./worker-loop.js";
import { Writer, type WriterTask } from "./writer.js";

const { handle, columns: specs } = workerData as ThreadData;
const binding = loadBinding();
const db = binding.db_init(handle);
const byName = binding.db_open(db);
const columns = specs.map(({ name }) => byName[name]!);
const writer = new Writer(binding, db, columns, specs);
const reader = new Reader(binding, db, columns);
serve((task: ReaderTask | WriterTask) => (isWrite(task) ? writer.run(task) : reader.run(task)));

function isWrite(task: ReaderTask | WriterTask): task is WriterTask {
  return task.kind === "batch" || task.kind === "clear" || task.kind === "fill";
}
