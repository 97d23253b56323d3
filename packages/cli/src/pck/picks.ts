import type { EmittedPicks } from "@moonpack/pck/emit";
import { UsageError } from "../shared/failure.js";

/** `NAME=SCHEMA{FIELDS}`; SCHEMA may be left out. */
const PICK = /^(.+?)=(.*?)\{(.*)\}$/s;

/** Reads the values of `--pick`: `OrderRoute=Order{id,tenant:header.tenant}`. A field without a name has the last name of its path. */
export function emittedPicks(given: readonly string[]): EmittedPicks {
  const picks = new Map<string, EmittedPicks[string]>();
  for (const text of given) {
    const [, name, of, fields] = PICK.exec(text) ?? [];
    if (name === undefined)
      throw new UsageError(
        `--pick ${text} must be NAME=SCHEMA{PATHS}, such as 'OrderRoute=Order{id,tenant:header.tenant}'`,
      );
    if (picks.has(name)) throw new UsageError(`--pick has the name ${name} twice: rename one of them`);
    picks.set(name, { ...(of === "" ? {} : { of: of! }), paths: pathsOf(name, fields!) });
  }
  return Object.fromEntries(picks);
}

function pathsOf(pick: string, fields: string): EmittedPicks[string]["paths"] {
  const paths = new Map<string, string>();
  for (const text of fields.split(",").map((field) => field.trim())) {
    const at = text.indexOf(":");
    const path = text.slice(at + 1).trim();
    const field = at >= 0 ? text.slice(0, at).trim() : (path.split(".").findLast((step) => step !== "*") ?? "");
    if (field === "" || path === "")
      throw new UsageError(`--pick ${pick} needs paths in {}, such as {id,tenant:header.tenant}`);
    if (paths.has(field))
      throw new UsageError(`--pick ${pick} has the field ${field} twice: name one of them, as in {other:${path}}`);
    paths.set(field, path);
  }
  return Object.fromEntries(paths);
}
