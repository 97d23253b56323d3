// Generates our own vectors of PCK (vectors/pck/own). The reference model in packages/pck/test/harness computes them
// from the format's page; it imports nothing of the library. Called by vectors/generate.mjs.
import { loadTypeScript } from "../generate/load-typescript.mjs";

/** Returns the text of each file by its path in this folder. */
export async function ownFiles() {
  const model = await loadTypeScript("../../packages/pck/test/harness/vectors/index.ts");
  return [...model.ownFiles()].map(([name, cases]) => [name, cases.map((one) => `${JSON.stringify(one)}\n`).join("")]);
}
