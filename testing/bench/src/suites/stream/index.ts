import { chosenParts, tablesOf } from "../../parts.js";
import { type NumbersResult, numbersPage } from "../../report/numbers.js";
import { resultHead } from "../../results.js";
import type { Suite } from "../../suite.js";
import { chunked } from "./chunked.js";
import { cooperative } from "./cooperative.js";
import { echo } from "./echo.js";
import { many } from "./many.js";
import type { Part } from "./part.js";
import { peak } from "./peak.js";

const parts: readonly Part[] = [chunked, many, peak, echo, cooperative];

/** Everything that arrives or leaves in parts: chunks, many messages, large ones, connections. */
export const stream: Suite<NumbersResult> = {
  name: "stream",
  title: "Streams",
  async run(options) {
    const chosen = chosenParts(parts, options.filter);
    const tables = await tablesOf(chosen, (part) => part.run(options));
    return { ...resultHead("stream", options.quick, ["moonpack", "msgpackr", "@msgpack/msgpack"]), tables };
  },
  work(task) {
    const { part, job } = task as { readonly part: string; readonly job: unknown };
    return parts.find(({ id }) => id === part)!.work!(job);
  },
  page: (result) => numbersPage(stream.title, result),
};
