import type { NumberTable } from "../../report/numbers.js";
import { measureBundle } from "../size.js";
import { emittedText } from "./emitted.js";
import { player } from "./workloads/player.js";

/** The code that a page loads for the messages of Player. */
export async function bundleTable(): Promise<NumberTable> {
  const text = emittedText(player);
  return {
    id: "bundle",
    title: "The emitted module of Player in a page",
    text: "With its runtime, built by esbuild for browsers as an ES module, minified, then gzip level 9.",
    unit: "bytes",
    columns: [
      { id: "minified", title: "minified" },
      { id: "gzip", title: "minified + gzip" },
    ],
    rows: [{ id: "player", title: "everything that it exports", values: await measureBundle({ source: text }) }],
  };
}
