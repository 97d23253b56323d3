// Writes the run times that emitted code may carry beside it as modules of the library, which tsc then compiles. The build
// runs this first; the modules are not committed.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { goRuntimeModule } from "./go.mjs";
import { javaScriptRuntimeModule } from "./javascript.mjs";

const emit = join(import.meta.dirname, "../../../packages/pck/src/emit");
for (const [path, text] of [
  ["javascript/runtime-text.ts", javaScriptRuntimeModule()],
  ["go/runtime-text.ts", goRuntimeModule()],
]) {
  const file = join(emit, path);
  // An unchanged file keeps its time, so that it causes no compilation.
  if (!existsSync(file) || readFileSync(file, "utf8") !== text) writeFileSync(file, text);
}
