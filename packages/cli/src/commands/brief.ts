import { userPath } from "../shared/paths.js";
import { statusOf } from "../shared/status.js";

/** The largest input of a brief conversion: a few milliseconds of work. */
const BRIEF_BYTES = 64 * 1024;

/** Options without a value, and without code of the user's. */
const FLAGS: ReadonlySet<string> = new Set([
  "--typed",
  "--pretty",
  "--big-integers",
  "--canonical",
  "-q",
  "--quiet",
  "-v",
  "--verbose",
  "--no-color",
]);

/**
 * True for a conversion of a small file to a file: nothing in it waits or takes long, so that this thread can receive signals all
 * the time. Pipes, and schemas that are modules, may block.
 */
export function isBrief([command, ...rest]: readonly string[]): boolean {
  const paths = rest.filter((argument) => !FLAGS.has(argument));
  if (command !== "convert" || paths.length !== 2 || paths.some((path) => path.startsWith("-"))) return false;
  try {
    const [input, output] = paths.map((path) => statusOf(userPath(path)));
    return input?.isFile() === true && input.size <= BRIEF_BYTES && (output === undefined || output.isFile());
  } catch {
    // The command reports it.
    return false;
  }
}
