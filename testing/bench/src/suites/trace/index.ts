import { chosenParts, tablesOf } from "../../parts.js";
import { type NumbersResult, numbersPage } from "../../report/numbers.js";
import { resultHead } from "../../results.js";
import type { Suite } from "../../suite.js";
import { applicationsPart } from "./parts/applications.js";
import { articlePart } from "./parts/article.js";
import { functionsPart } from "./parts/functions.js";
import { offPart } from "./parts/off.js";
import type { Part } from "./parts/part.js";
import { profilerPart } from "./parts/profiler.js";
import { scaleOf } from "./scale.js";

const parts: readonly Part[] = [articlePart, applicationsPart, functionsPart, profilerPart, offPart];

const PACKAGES = ["@moonpack/trace", "cls-rtracer", "cls-hooked", "autocannon", "express", "fastify", "pino"];

/** Request ids: @moonpack/trace. */
export const trace: Suite<NumbersResult> = {
  name: "trace",
  title: "Request ids",
  async run({ quick, filter, processes }) {
    const chosen = chosenParts(parts, filter);
    const scale = scaleOf(quick, processes);
    const tables = await tablesOf(chosen, (part) => part.run(scale));
    return { ...resultHead("trace", quick, PACKAGES), tables };
  },
  page: (result) => numbersPage(trace.title, result, ORIGIN),
};

const ORIGIN = [
  "Every server has its own process and answers with the request's id; before anything is measured, hundreds of concurrent requests must each get their own id back, in the answer and in lines of logs.",
  "autocannon sends the requests. The servers of a table take turns of some tenths of a second, in an order that rotates, and are started anew several times.",
  "Client and server share two cores, so requests/s depend on both. What decides is the processor time of the server (user and system, all threads), which is steadier.",
];
