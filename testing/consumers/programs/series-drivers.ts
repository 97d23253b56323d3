import { openSeries } from "@moonpack/series";
import { classicLevel, type Driver, memory, rocksdb } from "@moonpack/series/drivers";

async function main(): Promise<void> {
  const drivers: Driver[] = [rocksdb(), classicLevel(), memory()];
  console.log(drivers.map(({ name }) => name).join()); // rocksdb,classic-level,memory

  const series = await openSeries({ driver: memory() });
  await series.write([{ metric: { name: "a" }, timestamp: 1, value: 2 }]);
  console.log((await series.last({ name: "a" }))?.value); // 2
  await series.close();
}
main().catch((error: unknown) => console.log(String(error)));
