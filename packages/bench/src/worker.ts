import { findSuite } from "./suites/index.js";

// One job in a process of its own; see measure/child.ts. The answer is one line of JSON on standard output, which every
// runtime can write.
const [name, job] = process.argv.slice(2);
if (name === undefined || job === undefined) throw new Error("usage: worker.js SUITE JOB");
const answer = await findSuite(name).work?.(JSON.parse(job));
process.stdout.write(`${JSON.stringify(answer)}\n`);
