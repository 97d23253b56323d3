import { findSuite } from "./suites/index.js";

// Runs one job in its own process; see measure/child.ts. The result is one line of JSON on standard output, which every
// runtime can write.
const [name, job] = process.argv.slice(2);
if (name === undefined || job === undefined) throw new Error("usage: worker.js SUITE JOB");
const measurement = await findSuite(name).work?.(JSON.parse(job));
process.stdout.write(`${JSON.stringify(measurement)}\n`);
