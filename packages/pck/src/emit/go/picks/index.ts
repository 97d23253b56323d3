/** Emitted Go for picks: types that hold only some fields of messages, and methods that read them. */
import type { EmittedPick } from "../../picks/picks.js";
import type { GoContext } from "../context.js";
import { nilCheck, readMessageInto } from "../declarations.js";
import { parametersOf } from "../read-body.js";
import { aligned, Lines } from "../text.js";
import { goText, pickTypes } from "./fields.js";
import { PickReader } from "./reads.js";
import { PickBody, SkipFunctions } from "./skips.js";

/** Returns the declarations of picks. */
export function pickParts(context: GoContext, picks: readonly EmittedPick[]): readonly Lines[] {
  const functions = new SkipFunctions(context);
  const parts = picks.flatMap((pick) => partsOf(functions, pick));
  return [...parts, ...functions.texts()];
}

function partsOf(functions: SkipFunctions, pick: EmittedPick): readonly Lines[] {
  const { context } = functions;
  const { struct, tree } = pick;
  const of = context.names.struct(struct);
  const one = `${/^[AEIOU]/.test(of) ? "an" : "a"} ${of}`;
  const { name, parts } = context.names.pick(pick.name, pick.fields);
  const types = pickTypes(context, pick);
  const lines = new Lines();
  lines.add(`// ${name} has some fields of ${one}. A pointer is nil if a message lacks the field.`);
  lines.block(`type ${name} struct`, () =>
    lines.add(...aligned(parts.map((part, i) => [part, goText(types.get(i)!)] as const))),
  );
  // It takes room if there is a limit: what it allocates is known only when its text is written.
  const needs = { ...context.structNeeds(struct), takesRoom: context.settings.maxElements < Infinity };
  const self = context.receiver(struct);
  lines.add(
    "",
    `// UnmarshalBinary reads ${self} from the bytes of a whole ${of}. Only the structure of other fields is checked. After an error ${self} is empty.`,
  );
  lines.block(`func (${self} *${name}) UnmarshalBinary(b []byte) error`, () => {
    lines.append(nilCheck(self, context));
    lines.add(`*${self} = ${name}{}`);
    lines.append(readMessageInto(self, name, "decode", needs, context));
  });
  const body = new PickBody(functions, context.needs.isDeep(struct));
  body.checkDepth(0);
  const targets = new Map(
    [...types].map(([key, type]) => [key, { x: `${self}.${parts[key as number]}`, type }] as const),
  );
  new PickReader(body, pick.name).struct(struct, tree, targets, 0);
  body.add("return i, nil");
  const read = body.close(
    `decode reads some fields of ${one} at i and returns its end.`,
    `func (${self} *${name}) decode(${parametersOf(needs)}) (int, *${body.runtime("Error")})`,
  );
  return [lines, read];
}
