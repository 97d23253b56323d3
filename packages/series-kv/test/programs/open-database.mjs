/** Opens a store in a database for the series' program writer.mjs, which looks at each batch. */
import { openSeries } from "@moonpack/series";
import { classicLevel, kv, rocksdb } from "@moonpack/series-kv";

const META = 0;
const MINUTES = 3;
const HOURS = 4;

/** The kind of operation that a batch belongs to. */
function kindOf(operations) {
  let kind;
  for (const { column, key, value } of operations) {
    if (column === META && Buffer.from(key).toString() === "log") return "shorten";
    if (column === HOURS && value !== undefined) kind = "rollup";
    else if (column === MINUTES && value !== undefined) kind ??= "seal";
    else if (column !== META && column !== MINUTES && column !== HOURS) kind ??= "metrics";
  }
  return kind;
}

/** The driver, with a look at each batch. */
function watched(driver, path, watch) {
  return {
    name: driver.name,
    async open(folder, options) {
      const store = await driver.open(folder, options);
      const isMain = folder.startsWith(path);
      return {
        getMany: (...args) => store.getMany(...args),
        cached: (...args) => store.cached?.(...args),
        range: (...args) => store.range(...args),
        deleteRange: (...args) => store.deleteRange(...args),
        size: (...args) => store.size(...args),
        close: () => store.close(),
        batch: (operations, batchOptions) =>
          watch(kindOf(operations), isMain, () => store.batch(operations, batchOptions)),
      };
    },
  };
}

export async function open(options, driver, watch) {
  const inner = driver === "rocksdb" ? rocksdb() : classicLevel();
  return await openSeries({ ...options, driver: kv(watched(inner, options.path, watch)) });
}
