import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { emit } from "@moonpack/pck/emit";
import { scratchFile } from "../../results.js";
import type { Codec } from "./candidates/candidate.js";
import type { Workload } from "./workloads/workload.js";

/** The text of the module emitted for a kind of message. It imports its runtime. */
export function emittedText({ id, schema }: Workload): string {
  const [file] = emit(schema as never, { target: "js", name: id });
  return file!.text;
}

/** The same module, loaded. Its bare import resolves only from a file in this package. */
export async function loadEmitted(workload: Workload): Promise<Codec> {
  const file = scratchFile(`pck-${workload.id}.js`);
  writeFileSync(file, emittedText(workload));
  const functions = (await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>;
  const { name } = workload.schema;
  return {
    encode: functions[`encode${name}Shared`] as Codec["encode"],
    decode: functions[`decode${name}`] as Codec["decode"],
  };
}
