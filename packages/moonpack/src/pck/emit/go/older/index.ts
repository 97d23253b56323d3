/** Emitted Go for older schemas: methods that read their bytes as values of the new ones. */
import { schemaError } from "../../../model/errors.js";
import type { Struct } from "../../../model/model.js";
import type { Version } from "../../older.js";
import { nilRefused } from "../declare.js";
import { argumentsOf } from "../read-body.js";
import type { Shared } from "../shared.js";
import { Lines } from "../text.js";
import { OlderFunctions } from "./functions.js";
import { OlderStructs } from "./structs.js";

/** What versions add to a file. */
export function olderParts(shared: Shared, versions: readonly Version[]): readonly Lines[] {
  const taken = new Set<string>();
  return versions.flatMap((version) => {
    const functions = new OlderFunctions(shared, version, taken);
    const structs = new OlderStructs(functions);
    const methods = [...version.plans.keys()].map((struct) => unmarshal(functions, structs, struct));
    return [...methods, ...functions.texts()];
  });
}

/** `UnmarshalBinaryFromV1`. `ERR_SCHEMA` where the struct has something of that name. */
function unmarshal(functions: OlderFunctions, structs: OlderStructs, struct: Struct): Lines {
  const { plan: needs, shared, suffix, version } = functions;
  const type = shared.names.struct(struct);
  const name = `UnmarshalBinaryFrom${suffix}`;
  const plan = version.plans.get(struct)!;
  const isTaken = struct.members.some((member) => shared.names.field(member) === name);
  if (isTaken || !functions.take(type, name)) throw schemaError(type, `Go would have two things named ${name}`);
  const self = shared.receiver(struct);
  const lines = new Lines();
  lines.add(
    `// ${name} reads ${self} from the bytes of a whole message of the older schema ${suffix}. Nothing is left of what ${self} held;`,
    "// after an error it is empty.",
  );
  lines.block(`func (${self} *${type}) ${name}(b []byte) error`, () => {
    lines.take(nilRefused(self, shared));
    const args = argumentsOf(needs.isDeep(plan.from), needs.hasCounts(plan.from), "1").replace("b, i", "b, 0");
    lines.add(`end, err := ${self}.${structs.struct(plan)}(${args.replace(/owed$/, "0")})`);
    lines.block("if err == nil && end != len(b)", () =>
      lines.add(`err = ${shared.run("Fail")}("ERR_TRAILING_BYTES", end)`),
    );
    lines.block("if err != nil", () => lines.add(`*${self} = ${type}{}`, "return err"));
    lines.add("return nil");
  });
  return lines;
}
