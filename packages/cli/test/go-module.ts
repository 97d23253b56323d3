/** Files of Go modules, from Go's module cache or its proxy. They are not copied into the repository. */
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";

/** The folder of a module, `path@version`. Undefined if Go or the module cannot be had; the tests are then skipped, with a word. */
export function moduleFolder(module: string): string | undefined {
  const { status, stdout } = spawnSync("go", ["mod", "download", "-json", module], {
    cwd: tmpdir(),
    encoding: "utf8",
    timeout: 300_000,
  });
  if (status === 0) return (JSON.parse(stdout) as { Dir: string }).Dir;
  console.warn(`NOT RUN: some tests need Go and the module ${module}`);
  return undefined;
}

/** True if tests of a module are skipped. With CI=true they run and fail. */
export function isLeftOut(folder: string | undefined): boolean {
  return folder === undefined && process.env.CI !== "true";
}
