import { memoryDatabase } from "@moonpack/series-kv";
import { driverSuite } from "@moonpack/series-kv/conformance";

async function main(): Promise<void> {
  const tests: (() => Promise<void>)[] = [];
  driverSuite(
    (_name, run) => tests.push(run),
    () => ({ driver: memoryDatabase() }),
  );
  for (const run of tests) await run();
  console.log(tests.length > 20); // true
}
main().catch((error: unknown) => console.log(String(error)));
