/** Writes new metrics to the store, and deletes forgotten ones (docs/series-format.md, section 2). */

import { nameValue, type PendingMetric, type Registry } from "@moonpack/series/driver";
import type { Operation, Store } from "../drivers/driver.js";
import { INDEX, METRICS, metaOperation } from "./columns.js";
import { indexOperations } from "./index-operations.js";
import { formKey, idKey, idValue } from "./metric-entries.js";

/** Number of metrics in a batch: their index entries are read and changed together. */
const METRICS_A_BATCH = 1024;

/** Writes the pending metrics. Metrics that are registered during the call wait for the next one. */
export async function persistMetrics(store: Store, registry: Registry): Promise<void> {
  const pending = [...registry.pending.values()];
  for (let i = 0; i < pending.length; i += METRICS_A_BATCH) {
    // A metric that was forgotten during an earlier batch must not be written.
    const some = pending.slice(i, i + METRICS_A_BATCH).filter(({ metric }) => registry.pending.has(metric.id));
    const operations: Operation[] = await indexOperations(
      store,
      INDEX,
      some.map(({ metric }) => metric),
      [],
    );
    for (const one of some) {
      operations.push({ column: METRICS, key: formKey(one.form), value: nameValue(one.metric) });
      operations.push({ column: METRICS, key: idKey(one.metric.id), value: idValue(one) });
    }
    // Ids below `next` are never reused, whether their metrics were written or forgotten before.
    const last = pending[Math.min(i + METRICS_A_BATCH, pending.length) - 1]!;
    operations.push(metaOperation("next", Math.max(last.metric.id + 1, registry.persistedNext)));
    await store.batch(operations, { sync: false });
    registry.persisted(some, last.metric.id + 1);
  }
}

/** Deletes the entries of a forgotten metric. */
export async function deleteMetric(store: Store, { metric, form }: PendingMetric): Promise<void> {
  const operations: Operation[] = await indexOperations(store, INDEX, [], [metric]);
  // The form may belong to another id by now: the metric may have been registered again.
  const [entry] = await store.getMany(METRICS, [formKey(form)]);
  const owner = entry?.length === 5 ? new DataView(entry.buffer, entry.byteOffset).getUint32(0) : undefined;
  if (owner === metric.id) operations.push({ column: METRICS, key: formKey(form) });
  operations.push({ column: METRICS, key: idKey(metric.id) });
  await store.batch(operations, { sync: true });
}
