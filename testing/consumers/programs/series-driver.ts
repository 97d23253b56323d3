import { memory, openSeries } from "@moonpack/series";
import { PagePoints, type SealedStore, type StoreDriver, storeError } from "@moonpack/series/driver";

/** A driver whose stores cannot be opened. */
const broken: StoreDriver = {
  name: "broken",
  openStore: () => Promise.reject(storeError(new Error("ENOSPC"), "broken")),
};

/** Uses that need a store: only their types are checked. */
const sizeOf = (store: SealedStore): Promise<number> => store.size();

async function main(): Promise<void> {
  console.log(typeof sizeOf, new PagePoints().length); // function 0
  const error: unknown = await openSeries({ driver: broken }).catch((reason: unknown) => reason);
  console.log(String(error)); // SeriesError: no space is left for the store
  const series = await openSeries({ driver: memory() });
  await series.write([{ metric: { name: "a" }, timestamp: 1, value: 2 }]);
  console.log((await series.last({ name: "a" }))?.value); // 2
  await series.close();
}
main().catch((error: unknown) => console.log(String(error)));
