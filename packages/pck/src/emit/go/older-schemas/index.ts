/** Emitted Go for older schemas: methods that read their bytes as values of the new ones. */
import { schemaError } from "../../../model/errors.js";
import type { Struct } from "../../../model/model.js";
import type { Version } from "../../older-schemas/versions.js";
import type { GoContext } from "../context.js";
import { nilCheck, readWholeMessage } from "../declarations.js";
import { Lines } from "../text.js";
import { OlderFunctions } from "./functions.js";
import { OlderStructs } from "./structs.js";

/** Returns the declarations that older versions add to a file. */
export function olderParts(context: GoContext, versions: readonly Version[]): readonly Lines[] {
  const taken = new Set<string>();
  return versions.flatMap((version) => {
    const functions = new OlderFunctions(context, version, taken);
    const structs = new OlderStructs(functions);
    const methods = [...version.plans.keys()].map((struct) => unmarshal(functions, structs, struct));
    return [...methods, ...functions.texts()];
  });
}

/** Returns the method `UnmarshalBinaryFromV1`. Throws `ERR_SCHEMA` if the struct has a field or method of that name. */
function unmarshal(functions: OlderFunctions, structs: OlderStructs, struct: Struct): Lines {
  const { context, suffix, version } = functions;
  const type = context.names.struct(struct);
  const name = `UnmarshalBinaryFrom${suffix}`;
  const plan = version.plans.get(struct)!;
  const isTaken = struct.members.some((member) => context.names.field(member) === name);
  if (isTaken || !functions.reserve(type, name)) throw schemaError(type, `${name} would be declared twice in Go`);
  const self = context.receiver(struct);
  const lines = new Lines();
  lines.add(
    `// ${name} reads ${self} from the bytes of a whole message of the older schema ${suffix}.`,
    `// It overwrites every field; after an error ${self} is empty.`,
  );
  lines.block(`func (${self} *${type}) ${name}(b []byte) error`, () => {
    lines.append(nilCheck(self, context));
    lines.append(readWholeMessage(struct, structs.struct(plan), functions.needsOf([plan.from]), context));
  });
  return lines;
}
