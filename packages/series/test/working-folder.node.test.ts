/** Relative paths are resolved when a call is made, so later changes of the working folder do not matter. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { run } from "./harness/run.ts";

const folder = mkdtempSync(join(tmpdir(), "moonpack-folders-"));
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  "batch",
  "sync",
])("%s: a store whose process changes its working folder writes where it was opened", async (durability) => {
  const root = join(folder, durability);
  for (const name of ["first", "second"]) mkdirSync(join(root, name), { recursive: true });
  const index = new URL("../build/index.js", import.meta.url).href;
  const program = `
    import { openSeries } from ${JSON.stringify(index)};
    process.chdir(${JSON.stringify(join(root, "first"))});
    const series = await openSeries({ path: "store", durability: "${durability}" });
    process.chdir("../second");
    const now = Date.now();
    for (let i = 0; i < 3; i++) {
      await series.write([{ metric: { name: "m" }, timestamp: now + i, value: i }]);
      await series.flush();
    }
    const copied = series.backup("copy");
    process.chdir("..");
    await copied;
    await series.write([{ metric: { name: "m" }, timestamp: now + 3, value: 3 }]);
    await series.close();
    for (const path of ["first/store", "second/copy"]) {
      const again = await openSeries({ path, readOnly: true });
      console.log((await again.query({ metric: { name: "m" } }).toArray()).map(({ value }) => value).join());
      await again.close();
    }`;
  const { code, output } = await run(process.execPath, ["--input-type=module", "-e", program]);
  expect(output).toBe("0,1,2,3\n0,1,2\n");
  expect(code).toBe(0);
  expect(readdirSync(root).sort()).toEqual(["first", "second"]);
  expect(readdirSync(join(root, "first"))).toEqual(["store"]);
  expect(existsSync(join(root, "second", "store"))).toBe(false);
});
