/** The regions of a JavaScript or TypeScript file. */
import { DEFAULT_MAX_DEPTH, invalidArgument, ownOption } from "moonpack/bytes";
import { isInheritedName } from "../../../generate/inherited-names.js";
import { Module, type OwnClass, type Target } from "../../../generate/module.js";
import { Names } from "../../../generate/names.js";
import { StructTraits } from "../../../generate/struct-traits.js";
import { schemaError } from "../../../model/errors.js";
import type { Struct } from "../../../model/model.js";
import type { EmitInput } from "../../input.js";
import { type JavaScriptOptions, sourceOf } from "../../javascript/emit.js";
import { structNames } from "../../javascript/names.js";
import { runtimeNames } from "../../javascript/runtime-names.js";
import type { RegionData } from "../refresh.js";
import type { RegionWriter } from "../region-writer.js";
import { Lookup, type NamedPart, UniqueRegions } from "../struct-lookup.js";
import { FileCode } from "./file.js";

/** The parts of each region of a struct's class. */
const CLASS_REGIONS: ReadonlyMap<string, readonly string[]> = /* @__PURE__ */ new Map([
  ["class", ["properties", "constructor", "pck", "unpck"]],
  ["properties", ["properties"]],
  ["constructor", ["constructor"]],
  ["pck", ["pck"]],
  ["unpck", ["unpck"]],
]);

/** Returns the types of regions, for error texts. */
function typeNames(): string {
  return [...CLASS_REGIONS.keys(), "tagged-readers", "messages", "rest", "imports"].join(", ");
}

/** Settings of the regions. */
export interface JavaScriptRegionSettings extends JavaScriptOptions {
  readonly module: "esm" | "commonjs";
}

/** A region whose text is written later. */
interface Region {
  readonly indent: string;
  text(code: FileCode): string;
}

/** Writes the regions of one file. */
export class JavaScriptRegions implements RegionWriter {
  readonly #settings: JavaScriptRegionSettings;
  readonly #file: string;
  readonly #module: Module;
  readonly #lookup: Lookup;
  readonly #regions: Region[] = [];
  readonly #unique = new UniqueRegions();
  readonly #classes = new Map<Struct, OwnClass>();
  readonly #own = new Set<Struct>();
  readonly #messages: Struct[] = [];
  readonly #unions: NamedPart<"union">[] = [];

  /** `file`: the file's text without the content of its regions. */
  constructor({ model, given }: EmitInput, settings: JavaScriptRegionSettings, file: string) {
    this.#settings = settings;
    this.#file = file;
    const { int64 = "bigint", maps = "map", typedArrays = false, binary = "copy", absent = "own" } = settings;
    const target: Target = {
      ...{ int64, maps, typedArrays, binary, absent, maxElements: settings.maxElements ?? 0, validate: true },
      isTyped: settings.target === "ts",
      checksInPlace: false,
      isOwnOnly: isInheritedName,
      prototypeOf: () => null,
      classOf: (struct) => this.#classes.get(struct) ?? null,
    };
    const names = new Names(runtimeNames());
    // Every struct may be a message, here or in another file, so all files agree which functions take a depth.
    const traits = new StructTraits([model.root, ...model.structs], settings.maxDepth ?? DEFAULT_MAX_DEPTH);
    const types = structNames({ ...model, structs: traits.structs }, given, names);
    this.#module = new Module(target, traits, types, names);
    this.#lookup = new Lookup(model, given, (struct) => types.get(struct)!);
  }

  add(type: string, data: RegionData): void {
    const indent = ownOption(data, "indent") ?? "  ";
    if (typeof indent !== "string" || !/^(?: {1,8}|\t)$/.test(indent))
      throw invalidArgument('"indent" must be 1 to 8 spaces or a tab');
    this.#addImported(ownOption(data, "imported") ?? []);
    this.#regions.push({ indent, text: this.#textOf(type, data) });
  }

  texts(): readonly string[] {
    const { module, maxDepth = DEFAULT_MAX_DEPTH, maxElements = 0 } = this.#settings;
    const runtime = (ownOption(this.#settings, "runtime") as string | undefined) ?? "moonpack";
    const modules = {
      ...{ source: sourceOf(runtime), text: this.#file },
      ...{ isCommonJs: module === "commonjs", maxDepth, maxElements },
    };
    const content = { classes: this.#classes, own: this.#own, messages: this.#messages, unions: this.#unions };
    const code = new FileCode(this.#module, content, modules);
    this.#expect("rest", code.rest.join("\n"));
    this.#expect("imports", code.imports);
    return this.#regions.map(({ indent, text }) =>
      text(code).replace(/^(?: {2})+/gm, (spaces) => indent.repeat(spaces.length / 2)),
    );
  }

  /** Throws if text that other regions need has no region. */
  #expect(type: string, text: string): void {
    if (text === "" || this.#unique.has(regionOf(type))) return;
    const names = [...text.matchAll(/^(?:export )?(?:interface|type|const|function) ([^\s(<:]+)/gm)].map(
      ([, name]) => name,
    );
    const what = names.length === 0 ? "imports" : names.join(", ");
    throw invalidArgument(`the file needs ${regionOf(type)} for ${what}`);
  }

  #textOf(type: string, data: RegionData): Region["text"] {
    switch (type) {
      case "imports":
        this.#unique.add(regionOf(type));
        return (code) => code.imports;
      case "rest":
        this.#unique.add(regionOf(type));
        return (code) => code.rest.join("\n");
      case "tagged-readers": {
        const unions = this.#lookup.partsOf(data, "union");
        for (const { struct, member } of unions)
          this.#unique.add(`readers of ${this.#nameOf(struct)}'s ${member.name}`);
        this.#unions.push(...unions);
        return (code) => unions.map((union) => code.tagged.get(union)!).join("\n");
      }
      case "messages": {
        const struct = this.#lookup.structOf(data);
        this.#unique.add(`messages of ${this.#nameOf(struct)}`);
        this.#messages.push(struct);
        return (code) => code.messages.get(struct)!;
      }
      default:
        return this.#classRegion(type, data);
    }
  }

  #classRegion(type: string, data: RegionData): Region["text"] {
    const parts = CLASS_REGIONS.get(type);
    if (parts === undefined)
      throw invalidArgument(`unknown type of region ${JSON.stringify(type)}; known are ${typeNames()}`);
    const struct = this.#lookup.structOf(data);
    for (const part of parts) this.#unique.add(`${part} of ${this.#nameOf(struct)}`);
    const has = (part: string) => this.#unique.has(`${part} of ${this.#nameOf(struct)}`);
    this.#own.add(struct);
    this.#classes.set(struct, { hasPck: has("pck"), reader: has("unpck") ? this.#readerOf(struct) : null });
    for (const { name } of struct.members) {
      if (name === "constructor" || name === "__proto__" || (name === "pck" && has("pck")))
        throw schemaError(struct.name, `a class cannot have a field named ${name}`);
    }
    return (code) => {
      switch (type) {
        case "class":
          return `${code.text.classText(struct, code.pck.get(struct)!)}\n${code.unpck.get(struct)!}`;
        case "properties":
          return code.text.properties(struct);
        case "constructor":
          return code.text.constructorText(struct);
        default:
          return (type === "pck" ? code.pck : code.unpck).get(struct)!;
      }
    };
  }

  /** Adds the classes of other files that the data name. */
  #addImported(names: unknown): void {
    if (!Array.isArray(names)) throw invalidArgument('"imported" must be a list of schemas');
    for (const name of names) {
      const struct = this.#lookup.named(name);
      if (!this.#own.has(struct)) this.#classes.set(struct, { hasPck: true, reader: this.#readerOf(struct) });
    }
  }

  #nameOf(struct: Struct): string {
    return this.#module.nameOf(struct);
  }

  #readerOf(struct: Struct): string {
    return `unpck${this.#nameOf(struct)}`;
  }
}

function regionOf(type: string): string {
  return `pck:emit("${type}")`;
}
