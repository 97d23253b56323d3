/** The model with kept summaries in all runs, short retention, and few other differences. */
import { SHARE } from "@moonpack/tools/share";
import { test } from "vitest";
import { checkModel } from "./harness/model/check.ts";
import { FilesBackend } from "./harness/model/files-backend.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const summarize = [
  { window: 5 * MINUTE, keep: 100 * HOUR },
  { window: HOUR, keep: 2000 * HOUR },
];
const runs = (whole: number) => (SHARE < 1 ? Math.max(1, Math.floor((whole * SHARE) / 2)) : whole);

test("summaries of files that are killed and lose power", { timeout: 300_000 }, async () => {
  const backend = (folder: string) => new FilesBackend(folder);
  await checkModel({ seed: 9000, runs: runs(60), length: 80, config: { summarize, retention: 6 * HOUR }, backend });
});
