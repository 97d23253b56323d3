/** The regions of a Go file: types and methods of structs, the declarations that these need, and the runtime. */
import { invalidArgument } from "moonpack/bytes";
import type { Node, Struct, UnionNode } from "../../../model/model.js";
import { GoContext } from "../../go/context.js";
import {
  appendMethods,
  enumerationType,
  sizeMethod,
  structMethods,
  structType,
  unionType,
  unmarshalMethod,
} from "../../go/declarations.js";
import { importLines } from "../../go/index.js";
import type { GoSettings } from "../../go/options.js";
import { ReadEmitter } from "../../go/read.js";
import { RUNTIME, RUNTIME_IMPORTS } from "../../go/runtime-text.js";
import { SizeEmitter } from "../../go/size.js";
import { Lines } from "../../go/text.js";
import { WriteEmitter } from "../../go/write.js";
import type { EmitInput } from "../../input.js";
import type { RegionData } from "../refresh.js";
import type { RegionWriter } from "../region-writer.js";
import { Lookup, type NamedPart, UniqueRegions } from "../struct-lookup.js";
import { dataHooks } from "./hooks.js";
import { importedIn, packageNames, usedIn } from "./imports.js";

/** The parts of each region of a struct. The names that pck's own emitter uses are accepted too. */
const STRUCT_REGIONS: ReadonlyMap<string, readonly StructPart[]> = /* @__PURE__ */ new Map<
  string,
  readonly StructPart[]
>([
  ["struct", ["struct"]],
  ["methods", ["append", "size", "unmarshal"]],
  ["append", ["append"]],
  ["pck", ["append"]],
  ["size", ["size"]],
  ["unmarshal", ["unmarshal"]],
  ["unpck", ["unmarshal"]],
]);
type StructPart = "struct" | "append" | "size" | "unmarshal";

/** The parts of each region of a union. */
const UNION_REGIONS: ReadonlyMap<string, readonly UnionPart[]> = /* @__PURE__ */ new Map<string, readonly UnionPart[]>([
  ["union", ["unionType", "pckTag", "tagSize", "unpckTag"]],
  ["unionType", ["unionType"]],
  ["pckTag", ["pckTag"]],
  ["tagSize", ["tagSize"]],
  ["unpckTag", ["unpckTag"]],
  ["taggedFactories", ["taggedFactories"]],
]);
type UnionPart = "unionType" | "pckTag" | "tagSize" | "unpckTag" | "taggedFactories";

/** Returns the types of regions, for error texts. */
function typeNames(): string {
  return [...STRUCT_REGIONS.keys(), ...UNION_REGIONS.keys(), "enumeration", "lib", "rest", "imports"].join(", ");
}

/** Writes the regions of one file. */
export class GoRegions implements RegionWriter {
  readonly #context: GoContext;
  readonly #emitters: readonly [WriteEmitter, SizeEmitter, ReadEmitter];
  readonly #structs: readonly Struct[];
  readonly #lookup: Lookup;
  readonly #regions: (() => readonly Lines[])[] = [];
  readonly #unique = new UniqueRegions();
  /** The names of structs, enumerations and unions that have their own region. */
  readonly #own = new Set<string>();
  /** The names of packages that types and factories come from, by path. */
  readonly #packages = new Map<string, string>();
  /** The file's text without the content of its regions. */
  readonly #text: string;

  constructor({ model, given }: EmitInput, settings: GoSettings, all: readonly RegionData[], text: string) {
    const { hooks, finish } = dataHooks(all, settings);
    const types: GoSettings["types"] = (field, go) => {
      const own = hooks.types(field, go);
      if (own?.import !== undefined) this.#packages.set(own.import, String(own.type).split(".")[0]!);
      return own;
    };
    const factories: GoSettings["factories"] = (subject, go) => {
      const own = hooks.factories(subject, go);
      const name = /([\p{L}_][\p{L}\p{Nd}_]*)\./u.exec(String(own?.make))?.[1];
      if (own?.import !== undefined && name !== undefined) this.#packages.set(own.import, name);
      return own;
    };
    this.#context = new GoContext(model, given, { ...settings, ...hooks, types, factories });
    finish();
    this.#emitters = [new WriteEmitter(this.#context), new SizeEmitter(this.#context), new ReadEmitter(this.#context)];
    this.#structs = model.structs;
    this.#lookup = new Lookup(model, given, (struct) => this.#context.names.struct(struct));
    this.#text = text;
  }

  add(type: string, data: RegionData): void {
    this.#regions.push(this.#regionOf(type, data));
  }

  texts(): readonly string[] {
    const { settings, imports } = this.#context;
    // The imports are known only after all other text is written.
    const texts = this.#regions.map((region) => textOf(region()));
    const nameOf = packageNames(settings, this.#packages);
    const packages = new Set([...imports, ...(this.#unique.has(regionOf("lib")) ? RUNTIME_IMPORTS : [])]);
    const known = importedIn(this.#text, nameOf);
    const paths = usedIn(texts.join("\n"), packages, nameOf).filter((path) => !known.has(path));
    const at = this.#regions.indexOf(this.#importRegion);
    if (at >= 0) texts[at] = paths.length === 0 ? "" : `${importLines(paths, settings).text()}\n`;
    else if (paths.length > 0) throw invalidArgument(`the file needs ${regionOf("imports")} for ${paths.join(", ")}`);
    return texts;
  }

  readonly #importRegion = (): readonly Lines[] => [];

  #regionOf(type: string, data: RegionData): () => readonly Lines[] {
    if (type === "imports" || type === "lib" || type === "rest") this.#unique.add(regionOf(type));
    switch (type) {
      case "imports":
        return this.#importRegion;
      case "lib":
        if (this.#context.settings.runtime !== "beside")
          throw invalidArgument("lib is not available: the runtime is imported");
        return () => [linesOf(RUNTIME)];
      case "rest":
        return () => this.#rest();
      case "enumeration": {
        const nodes = this.#distinct(this.#lookup.partsOf(data, "enumeration"));
        for (const node of nodes) this.#take(this.#nameOf(node), type);
        return () => nodes.map((node) => enumerationType(node, this.#context));
      }
    }
    const ofUnion = UNION_REGIONS.get(type);
    if (ofUnion !== undefined) {
      const nodes = this.#distinct(this.#lookup.partsOf(data, "union"));
      for (const node of nodes) for (const part of ofUnion) this.#take(this.#nameOf(node), part);
      return () => nodes.flatMap((node) => ofUnion.map((part) => this.#unionPart(node, part)));
    }
    const parts = STRUCT_REGIONS.get(type);
    if (parts === undefined)
      throw invalidArgument(`unknown type of region ${JSON.stringify(type)}; known are ${typeNames()}`);
    const struct = this.#lookup.structOf(data);
    for (const part of parts) this.#take(this.#context.names.struct(struct), part);
    return () => (type === "methods" ? this.#methods(struct) : parts.flatMap((part) => this.#structPart(struct, part)));
  }

  #take(name: string, part: string): void {
    this.#unique.add(`${part} of ${name}`);
    this.#own.add(name);
  }

  /** Returns the distinct types among these parts: fields may share one. */
  #distinct<K extends Node["kind"]>(parts: readonly NamedPart<K>[]): readonly NamedPart<K>["node"][] {
    return [...new Map(parts.map(({ node }) => [this.#nameOf(node), node])).values()];
  }

  #nameOf(node: Node): string {
    return this.#context.names.named(node).name;
  }

  #methods(struct: Struct): readonly Lines[] {
    const [writer, sizer, reader] = this.#emitters;
    return [structMethods(struct, this.#context), writer.struct(struct), sizer.struct(struct), reader.struct(struct)];
  }

  #structPart(struct: Struct, part: StructPart): readonly Lines[] {
    const [writer, sizer, reader] = this.#emitters;
    switch (part) {
      case "struct":
        return [structType(struct, this.#context)];
      case "append":
        return [appendMethods(struct, this.#context), writer.struct(struct)];
      case "size":
        return [sizeMethod(struct, this.#context), sizer.struct(struct)];
      case "unmarshal":
        return [unmarshalMethod(struct, this.#context), reader.struct(struct)];
    }
  }

  #unionPart(node: UnionNode, part: UnionPart): Lines {
    const [writer, sizer, reader] = this.#emitters;
    switch (part) {
      case "unionType":
        return unionType(node, this.#context);
      case "pckTag":
        return writer.union(node);
      case "tagSize":
        return sizer.union(node);
      case "unpckTag":
        return reader.union(node);
      case "taggedFactories":
        return this.#factories(node);
    }
  }

  #factories(node: UnionNode): Lines {
    const { name, parts } = this.#context.names.named(node);
    const lines = new Lines();
    lines.add(`// factories${name} make the arms of ${name}, by index.`);
    lines.add(`var factories${name} = [...]func() ${name}{`);
    lines.indent(() => lines.add(...parts.map((part) => `func() ${name} { return ${this.#context.make(part)} },`)));
    lines.add("}");
    return lines;
  }

  /** Returns the lines of everything without its own region. */
  #rest(): readonly Lines[] {
    const { names } = this.#context;
    const structs = this.#structs.filter((struct) => !this.#own.has(names.struct(struct)));
    const nodes = names.declared.filter((node) => !this.#own.has(this.#nameOf(node)));
    return [
      ...structs.flatMap((struct) => [structType(struct, this.#context), ...this.#methods(struct)]),
      ...nodes.flatMap((node) => {
        if (node.kind === "enumeration") return [enumerationType(node, this.#context)];
        return UNION_REGIONS.get("union")!.map((part) => this.#unionPart(node as UnionNode, part));
      }),
    ];
  }
}

/** Blank lines around each part keep gofmt from taking the file's comments as docs of emitted code. */
function textOf(parts: readonly Lines[]): string {
  const whole = parts.map((lines) => `\n${lines.text()}`).join("");
  return whole === "" ? "" : `${whole}\n`;
}

function linesOf(text: string): Lines {
  const lines = new Lines();
  lines.add(...text.trimEnd().split("\n"));
  return lines;
}

function regionOf(type: string): string {
  return `pck:emit("${type}")`;
}
