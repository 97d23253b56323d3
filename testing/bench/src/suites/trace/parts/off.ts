import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { NumberRow } from "../../../report/numbers.js";
import { nodesOf, type Part } from "./part.js";

const PROMISES = 1000;

/** Counts promises with an asynchronous id: hooks follow these. The program imports the package by its name. */
const PROGRAM = `
  import { executionAsyncId } from "node:async_hooks";
  import { expressMiddleware } from "@moonpack/trace";
  const count = () => new Promise((resolve) => setTimeout(async () => {
    let followed = 0;
    for (let i = 0; i < ${PROMISES}; i++) {
      await undefined;
      if (executionAsyncId() !== 0) followed++;
    }
    resolve(followed);
  }, 1));
  const imported = await count();
  expressMiddleware();
  console.log(JSON.stringify({ imported, made: await count() }));`;

/** Hooks that an import switches on: counted, not timed. */
export const offPart: Part = {
  id: "off",
  async run(scale) {
    const rows: NumberRow[] = [];
    for (const { version, executable } of await nodesOf(scale)) {
      const args = ["--input-type=module", "--no-warnings", "--eval", PROGRAM];
      const { stdout } = await promisify(execFile)(executable, args, { cwd: new URL(".", import.meta.url) });
      const values = JSON.parse(stdout) as Record<string, number>;
      rows.push({ id: version.split(".")[0]!, title: `Node ${version}`, values });
    }
    return [
      {
        id: "off",
        title: "Imported, but not used",
        text: `How many of ${PROMISES.toLocaleString("en-US")} promises Node's hooks follow, which makes each slower: after the import, and after a middleware was made. Counted.`,
        unit: "count",
        columns: [
          { id: "imported", title: "imported" },
          { id: "made", title: "middleware made" },
        ],
        rows,
      },
    ];
  },
};
