/** The code of a file's regions: the parts of each struct, and what these parts share. */
import { functionText } from "../../../generate/functions.js";
import { type Module, type OwnClass, ownerName } from "../../../generate/module.js";
import type { Struct } from "../../../model/model.js";
import { docComment } from "../../javascript/doc-comment.js";
import { interfaceText } from "../../javascript/interfaces.js";
import { messageNames, messageText } from "../../javascript/messages.js";
import { reserveNames, targetsOf } from "../../javascript/names.js";
import type { NamedPart } from "../struct-lookup.js";
import { ClassText } from "./classes.js";
import { importedIn, importText } from "./imports.js";

/** The content of a file's regions. */
export interface FileContent {
  /** The structs that have a class, in this file or in another one. */
  readonly classes: ReadonlyMap<Struct, OwnClass>;
  /** The structs that have regions in this file. */
  readonly own: ReadonlySet<Struct>;
  readonly messages: readonly Struct[];
  readonly unions: readonly NamedPart<"union">[];
}

/** How the code refers to other modules. */
export interface FileModules {
  /** The specifier that the run time is imported from. */
  readonly source: string;
  /** The file's text without the content of its regions. */
  readonly text: string;
  readonly isCommonJs: boolean;
  readonly maxDepth: number;
  /** 0 means the default. */
  readonly maxElements: number;
}

/** The code of one file. */
export class FileCode {
  readonly text: ClassText;
  /** The text of the methods `pck` and the functions `unpck`, for the structs that have them here. */
  readonly pck: ReadonlyMap<Struct, string>;
  readonly unpck: ReadonlyMap<Struct, string>;
  /** The text of the functions for messages, and of the tagged readers. */
  readonly messages: ReadonlyMap<Struct, string>;
  readonly tagged: ReadonlyMap<NamedPart<"union">, string>;
  /** Declarations without their own region. */
  readonly rest: readonly string[];
  /** The import statement; "" for none. */
  readonly imports: string;
  readonly #module: Module;

  constructor(module: Module, content: FileContent, { source, text, isCommonJs, maxDepth, maxElements }: FileModules) {
    this.#module = module;
    const { classes, own, messages, unions } = content;
    this.text = new ClassText(module, isCommonJs ? "" : "export ");
    this.#reserveNames(content);
    const having = (has: (one: OwnClass) => boolean) => [...own].filter((struct) => has(classes.get(struct)!));
    // Writers come before readers: writing a text adds the functions that it calls.
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
    const state = messages.length > 0 ? module.names.unique("messages") : "";
    const limits = maxElements === 0 ? maxDepth : `${maxDepth}, ${maxElements}`;
    const made = () => `const ${state} = /* @__PURE__ */ new ${module.use("PackMessages")}(${limits});\n\n`;
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

  #reserveNames({ classes, messages }: FileContent): void {
    const module = this.#module;
    for (const [struct, { reader }] of classes) if (reader !== null) reserveNames(module.names, struct.name, [reader]);
    for (const struct of module.traits.structs) {
      if (module.hasInputType(struct))
        reserveNames(module.names, module.nameOf(struct), [`${module.nameOf(struct)}Input`]);
    }
    for (const struct of messages) reserveNames(module.names, struct.name, messageNames(module.nameOf(struct)));
  }

  /** Returns the texts of the functions that are used, and of the functions that these use. */
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
    const doc = docComment(`The readers of the arms of ${module.nameOf(struct)}'s ${member.name}, by index.`);
    return [...doc, `export const ${module.names.unique(`${stem.toUpperCase()}_READERS`)} = [`]
      .concat(readers.map((reader) => `  ${reader},`))
      .concat(`]${module.typed(" as const")};\n`)
      .join("\n");
  }

  /** Returns the interfaces of structs that have no class. */
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
    return module.traits.structs.filter((struct) => needed.has(struct)).map((struct) => interfaceText(module, struct));
  }
}

function textsOf<T>(all: readonly T[], text: (one: T) => string): ReadonlyMap<T, string> {
  return new Map(all.map((one) => [one, text(one)]));
}

/** In CommonJS the caller exports. */
function exported(text: string, isCommonJs: boolean): string {
  return isCommonJs ? text.replace(/^export /gm, "") : text;
}
