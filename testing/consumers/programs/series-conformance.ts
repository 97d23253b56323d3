import { driverSuite } from "@moonpack/series/conformance";
import { memory } from "@moonpack/series/drivers";

async function main(): Promise<void> {
  const tests: (() => Promise<void>)[] = [];
  driverSuite(
    (_name, run) => tests.push(run),
    () => ({ driver: memory() }),
  );
  for (const run of tests) await run();
  console.log(tests.length > 20); // true
}
main().catch((error: unknown) => console.log(String(error)));
