/** The code of a file's regions: what belongs to a struct, and what all of them need besides. */
import { functionText } from "../../../generate/functions.js";
import { type Module, type OwnClass, ownerName } from "../../../generate/module.js";
import type { Struct } from "../../../model/model.js";
import { docComment } from "../../javascript/comment.js";
import { interfaceText } from "../../javascript/interfaces.js";
import { messageNames, messageText } from "../../javascript/messages.js";
import { takeNames, targetsOf } from "../../javascript/names.js";
import type { NamedPart } from "../lookup.js";
import { ClassText } from "./classes.js";
import { importedIn, importText } from "./imports.js";

/** What a file has regions for. */
export interface FileContent {
  /** The structs that classes stand for, those of other files too. */
  readonly classes: ReadonlyMap<Struct, OwnClass>;
  /** Those that have regions in this file. */
  readonly own: ReadonlySet<Struct>;
  readonly messages: readonly Struct[];
  readonly unions: readonly NamedPart<"union">[];
}

/** How the code gets to other modules. */
export interface FileModules {
  /** What it imports the run time from. */
  readonly source: string;
  /** The file, without what its regions hold. */
  readonly text: string;
  readonly isCommonJs: boolean;
  readonly maxDepth: number;
}

/** The code of one file. */
export class FileCode {
  readonly text: ClassText;
  /** The methods `pck` and the functions `unpck`, of the structs that have one here. */
  readonly pck: ReadonlyMap<Struct, string>;
  readonly unpck: ReadonlyMap<Struct, string>;
  /** The functions for messages, the tagged readers. */
  readonly messages: ReadonlyMap<Struct, string>;
  readonly tagged: ReadonlyMap<NamedPart<"union">, string>;
  /** What of the code has no region of its own: each with its name. */
  readonly rest: readonly string[];
  /** The import at the top; "" for none. */
  readonly imports: string;
  readonly #module: Module;

  constructor(module: Module, content: FileContent, { source, text, isCommonJs, maxDepth }: FileModules) {
    this.#module = module;
    const { classes, own, messages, unions } = content;
    this.text = new ClassText(module, isCommonJs ? "" : "export ");
    this.#takeNames(content);
    const having = (has: (one: OwnClass) => boolean) => [...own].filter((struct) => has(classes.get(struct)!));
    // Writing before reading: what each calls is asked for while it is written.
    this.pck = textsOf(
      having((one) => one.hasPck),
      (struct) => this.text.pck(struct),
    );
    for (const struct of messages) module.writerOf(struct);
    const writers = this.#functions("write");
    this.unpck = textsOf(
      having((one) => one.reader !== null),
      (struct) => this.text.unpck(struct),
    );
    for (const struct of messages) module.structFunction("read", struct);
    this.tagged = textsOf(unions, (union) => exported(this.#taggedReaders(union), isCommonJs));
    const readers = this.#functions("read");
    const state = messages.length > 0 ? module.names.of("messages") : "";
    const made = () => `const ${state} = /* @__PURE__ */ new ${module.use("Messages")}(${maxDepth});\n\n`;
    this.messages = textsOf(messages, (struct) => {
      const text = exported(messageText(module, struct, { name: state }), isCommonJs);
      return struct === messages[0] ? made() + text : text;
    });
    const constants = module.constants.length === 0 ? [] : [`${module.constants.join("\n")}\n`];
    this.rest = [...this.#interfaces(content), ...constants, ...writers, ...readers];
    const types = [
      ...(messages.length > 0 ? ["BytesInput"] : []),
      ...(this.unpck.size + readers.length > 0 ? ["PackReader"] : []),
      ...(this.pck.size + writers.length > 0 ? ["PackWriter"] : []),
    ];
    const needed = [
      ...[...module.uses].map((name) => ({ name, isType: false })),
      ...(module.target.isTyped ? types : []).map((name) => ({ name, isType: true })),
    ];
    this.imports = importText(needed, importedIn(text, source), source, isCommonJs);
  }

  #takeNames({ classes, messages }: FileContent): void {
    const module = this.#module;
    for (const [struct, { reader }] of classes) if (reader !== null) takeNames(module.names, struct.name, [reader]);
    for (const struct of module.facts.structs) {
      if (module.isLoose(struct)) takeNames(module.names, module.nameOf(struct), [`${module.nameOf(struct)}Input`]);
    }
    for (const struct of messages) takeNames(module.names, struct.name, messageNames(module.nameOf(struct)));
  }

  /** The functions that were asked for by now, and those that they ask for. */
  #functions(verb: "write" | "read"): readonly string[] {
    const texts: string[] = [];
    for (let wanted = this.#module.next(); wanted !== undefined; wanted = this.#module.next()) {
      texts.push(functionText(this.#module, verb, wanted));
    }
    return texts;
  }

  #taggedReaders({ struct, member, node }: NamedPart<"union">): string {
    const module = this.#module;
    const stem = ownerName(module, struct, member).replace(/([a-z0-9])([A-Z])/g, "$1_$2");
    const readers = node.arms.map((_, arm) => module.armFunction(node, arm));
    const doc = docComment(`What reads each arm of ${module.nameOf(struct)}'s ${member.name}: the place is the tag.`);
    return [...doc, `export const ${module.names.of(`${stem.toUpperCase()}_READERS`)} = [`]
      .concat(readers.map((reader) => `  ${reader},`))
      .concat(`]${module.typed(" as const")};\n`)
      .join("\n");
  }

  /** The types of structs that no class stands for. */
  #interfaces({ own, messages, unions }: FileContent): readonly string[] {
    const module = this.#module;
    if (!module.target.isTyped) return [];
    const needed = new Set<Struct>();
    const need = (struct: Struct) => module.classOf(struct) ?? needed.add(struct);
    const needFields = ({ members }: Struct) => {
      for (const { type } of members) for (const [target] of targetsOf(type)) need(target);
    };
    for (const struct of own) needFields(struct);
    for (const struct of messages) need(struct);
    for (const { node } of unions) for (const arm of node.arms) need(arm.struct);
    for (const struct of needed) needFields(struct);
    return module.facts.structs.filter((struct) => needed.has(struct)).map((struct) => interfaceText(module, struct));
  }
}

function textsOf<T>(all: readonly T[], text: (one: T) => string): ReadonlyMap<T, string> {
  return new Map(all.map((one) => [one, text(one)]));
}

/** Where modules are CommonJS, exporting is the caller's. */
function exported(text: string, isCommonJs: boolean): string {
  return isCommonJs ? text.replace(/^export /gm, "") : text;
}
