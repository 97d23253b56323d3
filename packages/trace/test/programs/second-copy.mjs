// Loads a second copy of the package: the CommonJS form, the same files in another folder, or a version with another shared state.
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

export async function secondCopy(kind) {
  if (kind === "require") return createRequire(import.meta.url)("@moonpack/trace");
  const folder = await mkdtemp(join(tmpdir(), "moonpack-trace-copy-"));
  try {
    await cp(new URL(".", import.meta.resolve("@moonpack/trace")), join(folder, "dist"), { recursive: true });
    await writeFile(join(folder, "package.json"), '{"type":"module"}');
    const path = join(folder, "dist/index.js");
    if (kind === "other version")
      await writeFile(path, (await readFile(path, "utf8")).replace('"@moonpack/trace.1"', '"@moonpack/trace.next"'));
    return await import(pathToFileURL(path).href);
  } finally {
    await rm(folder, { recursive: true });
  }
}
