/** The files that `moonpack load` writes. They are opened before the run, so that errors appear early. */
import { type LoadResult, toJson, toMarkdown, toSvg } from "@moonpack/load";
import { describeError, isBrokenPipe } from "../shared/failure.js";
import { Output } from "../shared/output.js";
import { outputPath } from "../shared/paths.js";
import { badOption } from "./arguments.js";

/** The options that name files; `-` is standard output. */
export interface OutputArguments {
  readonly json?: string;
  readonly markdown?: string;
  readonly svg?: string;
}

const FORMATS = {
  json: (result: LoadResult) => `${JSON.stringify(toJson(result), null, 2)}\n`,
  markdown: toMarkdown,
  svg: toSvg,
} as const;

/** The outputs of a run. */
export class Outputs {
  readonly #open: { readonly output: Output; readonly format: (result: LoadResult) => string }[] = [];
  /** True if one of them is standard output, which then has no other text. */
  readonly takesStdout: boolean;

  constructor(options: OutputArguments) {
    const paths = (Object.keys(FORMATS) as (keyof typeof FORMATS)[]).flatMap((name) => {
      const path = options[name];
      return path === undefined ? [] : [{ path: outputPath(path), format: FORMATS[name] }];
    });
    if (new Set(paths.map(({ path }) => path)).size < paths.length)
      throw badOption("--json, --markdown and --svg must name different files");
    this.takesStdout = paths.some(({ path }) => path === "-");
    try {
      for (const { path, format } of paths) this.#open.push({ output: Output.open(path), format });
    } catch (error) {
      this.discard();
      throw error;
    }
  }

  /** Writes all outputs. Returns the errors of outputs that could not be written. */
  async write(result: LoadResult): Promise<string[]> {
    const faults: string[] = [];
    for (const { output, format } of this.#open) faults.push(...(await written(output, format(result))));
    return faults;
  }

  /** Discards the outputs: existing files stay unchanged. */
  discard(): void {
    for (const { output } of this.#open) output.discard();
  }
}

/** Writes a text and finishes the output. Returns its errors; a closed pipe of a reader is not an error. */
export async function written(output: Output, text: string): Promise<string[]> {
  try {
    output.writeText(text);
    await output.finish();
    return [];
  } catch (error) {
    output.discard();
    return isBrokenPipe(error) ? [] : [describeError(error)];
  }
}
