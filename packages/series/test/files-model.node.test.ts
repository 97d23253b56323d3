/** Random calls of a store of files against plain Maps, with kills and losses of power. */
import { SHARE } from "@moonpack/tools/share";
import { test } from "vitest";
import { checkModel } from "./harness/model/check.ts";
import { FilesBackend } from "./harness/model/files-backend.ts";

const runs = (whole: number) => (SHARE < 1 ? Math.max(1, Math.floor((whole * SHARE) / 2)) : whole);

test("files that are killed and lose power", async () => {
  await checkModel({ seed: 3000, runs: runs(300), length: 60, backend: (folder) => new FilesBackend(folder) });
});
