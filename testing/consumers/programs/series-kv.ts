import { openSeries, type SeriesDriver } from "@moonpack/series";
import { classicLevel, type Driver, kv, memoryDatabase, rocksdb } from "@moonpack/series-kv";

async function main(): Promise<void> {
  const databases: Driver[] = [rocksdb(), classicLevel(), memoryDatabase()];
  console.log(databases.map(({ name }) => name).join()); // rocksdb,classic-level,memory

  const driver: SeriesDriver = kv(databases[2]!);
  const series = await openSeries({ driver });
  await series.write([{ metric: { name: "a" }, timestamp: 1, value: 2 }]);
  console.log((await series.last({ name: "a" }))?.value); // 2
  await series.close();
}
main().catch((error: unknown) => console.log(String(error)));
