/** `#runtime` in pages: the small reader and writer, unless the option `engine` supplies the complete ones. */
import { invalidArgument, type MoonpackError } from "../../bytes/errors.js";
import type { BaseReader } from "../read/base.js";
import { PageReader } from "../read/page.js";
import type { DecoderSettings } from "../read/settings.js";
import type { BaseWriter } from "../write/base.js";
import { PageWriter } from "../write/page.js";
import type { EncoderSettings } from "../write/settings.js";

export function createReader(settings: DecoderSettings): BaseReader {
  const { engine, shapes, strict } = settings;
  if (engine !== null) return engine.createReader(settings as never) as BaseReader;
  if (shapes !== null) return shapes(false).createReader(settings) as BaseReader;
  if (strict) throw missing("strict");
  return new PageReader(settings);
}

export function createWriter(settings: EncoderSettings): BaseWriter {
  const { engine, canonical, json } = settings;
  if (engine !== null) return engine.createWriter(settings as never) as BaseWriter;
  if (canonical || json) throw missing(canonical ? "canonical" : 'fidelity "json"');
  return new PageWriter(settings);
}

function missing(option: string): MoonpackError {
  return invalidArgument(`${option} is an import here, from moonpack/msgpack/features`);
}

/** As refuseUnknown of moonpack/bytes, without a suggestion. */
export function refuseNames(options: object, known: readonly string[]): void {
  const name = Object.getOwnPropertyNames(options).find((each) => !known.includes(each));
  if (name !== undefined) throw invalidArgument(`${JSON.stringify(name)} is not a known option`);
}
