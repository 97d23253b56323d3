/** The Go module of Prometheus, from Go's module cache or its proxy. It is not copied into the repository. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const MODULE = "github.com/prometheus/prometheus@v0.315.0";

/** The folder of the module; undefined if Go or the module cannot be had. */
export const moduleFolder = folderOfModule();
/** True if the tests are skipped, which the summary shows. With CI=true they run and fail. */
export const isLeftOut = moduleFolder === undefined && process.env.CI !== "true";
if (isLeftOut) console.warn(`NOT RUN: tests with Prometheus' own scripts need Go and the module ${MODULE}`);

function folderOfModule(): string | undefined {
  const { status, stdout } = spawnSync("go", ["mod", "download", "-json", MODULE], {
    cwd: tmpdir(),
    encoding: "utf8",
    timeout: 300_000,
  });
  return status === 0 ? (JSON.parse(stdout) as { Dir: string }).Dir : undefined;
}

/** Returns the scripts of Prometheus' tests by their names. */
export function readScripts(): { readonly name: string; readonly text: string }[] {
  const folder = join(moduleFolder!, "promql/promqltest/testdata");
  return readdirSync(folder)
    .filter((name) => name.endsWith(".test"))
    .map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") }));
}
