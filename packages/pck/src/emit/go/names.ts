/** The names of a schema in Go: exported, with golint's initialisms. */
import { jsonText } from "../../json/text.js";
import { schemaError } from "../../model/errors.js";
import type { Member, Model, Node, Struct } from "../../model/model.js";
import type { GoSettings, GoSubject } from "./options.js";

const INITIALISMS: ReadonlySet<string> = /* @__PURE__ */ new Set(
  (
    "ACL API ASCII CPU CSS DNS EOF GUID HTML HTTP HTTPS ID IP JSON LHS QPS RAM RHS RPC SLA SMTP SQL SSH TCP TLS TTL UDP UI " +
    "UID UUID URI URL UTF8 VM XML XMPP XSRF XSS"
  ).split(" "),
);

/** Methods of every struct: no field can have these names. */
const METHODS = ["AppendTo", "MarshalBinary", "Size", "UnmarshalBinary"];

/** The names of an enumeration or union in Go. */
export interface GoNamed {
  readonly name: string;
  /** The names of the constants, or of the wrappers of the arms. */
  readonly parts: readonly string[];
}

/** The names of a model in Go. */
export class GoNames {
  readonly #settings: GoSettings;
  readonly #structs = new Map<Struct, string>();
  readonly #subjects = new Map<Struct, GoSubject>();
  readonly #fields = new Map<Member, string>();
  readonly #named = new Map<Node, GoNamed>();
  /** The meaning of each name in the package. Identical enumerations and unions may share a name. */
  readonly #taken = new Map<string, string>();
  /** The types that must be declared. A shared type is listed once. */
  readonly declared: Node[] = [];

  constructor(model: Model, given: ReadonlyMap<Struct, string>, settings: GoSettings) {
    this.#settings = settings;
    if (settings.runtime === "beside") this.#taken.set("PCKError", "the runtime's error");
    for (const struct of model.structs) {
      const name = given.get(struct) ?? struct.name;
      if (name !== "") this.#nameStruct(struct, name, exported(pascal(name)));
    }
    for (const struct of model.structs) {
      if (!this.#structs.has(struct)) {
        const stem = struct === model.root ? "Root" : "Struct";
        this.#nameStruct(struct, stem, stem);
      }
      this.#nameFields(struct);
    }
  }

  /** Returns the name of a struct's type. */
  struct(struct: Struct): string {
    return this.#structs.get(struct)!;
  }

  /** Returns the subject that hooks get for a struct. */
  subject(struct: Struct): GoSubject {
    return this.#subjects.get(struct)!;
  }

  /** Returns the name of a field. */
  field(member: Member): string {
    return this.#fields.get(member)!;
  }

  /** Returns the names of an enumeration or union. */
  named(node: Node): GoNamed {
    return this.#named.get(node)!;
  }

  /** Names a type that holds some fields of messages. Returns its name and the names of its fields. */
  pick(pick: string, fields: readonly string[]): GoNamed {
    const what = `pick ${JSON.stringify(pick)}`;
    const name = this.#take({ kind: "struct", name: pick, struct: pick, field: "" }, exported(pascal(pick)), what);
    const taken = new Map([["UnmarshalBinary", "a method"]]);
    const parts = fields.map((field) => {
      const subject: GoSubject = { kind: "field", name: field, struct: pick, field };
      const part = `field ${JSON.stringify(field)} of ${name}`;
      const chosen = this.#choose(subject, exported(pascal(field)), part);
      const other = taken.get(chosen);
      if (other !== undefined) throw collision(part, other, chosen);
      taken.set(chosen, part);
      return chosen;
    });
    return { name, parts };
  }

  #nameStruct(struct: Struct, name: string, proposed: string): void {
    const subject: GoSubject = { kind: "struct", name, struct: struct.name, field: "" };
    this.#subjects.set(struct, subject);
    this.#structs.set(struct, this.#take(subject, proposed, `struct ${JSON.stringify(name)}`));
  }

  #nameFields(struct: Struct): void {
    const owner = this.struct(struct);
    const taken = new Map(METHODS.map((name) => [name, "a method"]));
    for (const member of struct.members) {
      const subject: GoSubject = { kind: "field", name: member.name, struct: struct.name, field: member.name };
      const what = `field ${JSON.stringify(member.name)} of ${owner}`;
      const name = this.#choose(subject, exported(pascal(member.name)), what);
      const other = taken.get(name);
      if (other !== undefined) throw collision(what, other, name);
      taken.set(name, what);
      this.#fields.set(member, name);
      this.#nameType(member.type, `${owner}${name}`, subject);
    }
  }

  /** Names the types that a field's type declares: `stem`, with a suffix for keys and values of maps. */
  #nameType(node: Node, stem: string, subject: GoSubject): void {
    switch (node.kind) {
      case "ref":
        if (!this.#structs.has(node.struct)) this.#nameStruct(node.struct, stem, stem);
        break;
      case "enumeration":
        this.#nameParts(node, "enumeration", node.values, stem, subject, jsonText(node.values));
        break;
      case "union": {
        const arms = node.arms.map((arm) => arm.name);
        const alike = jsonText(node.arms.map((arm) => [arm.name, arm.struct.index]));
        const { name } = this.#nameParts(node, "union", arms, stem, subject, alike);
        for (const { name: arm, struct } of node.arms) {
          if (this.#structs.has(struct)) continue;
          const proposed = pascal(arm) === undefined ? "" : `${name}${pascal(arm)}Fields`;
          this.#nameStruct(struct, arm, proposed);
        }
        break;
      }
      case "array":
        this.#nameType(node.element, stem, subject);
        break;
      case "nullable":
        this.#nameType(node.value, stem, subject);
        break;
      case "map":
        this.#nameType(node.key, `${stem}Key`, subject);
        this.#nameType(node.value, `${stem}Value`, subject);
    }
  }

  #nameParts(
    node: Node,
    kind: "enumeration" | "union",
    names: readonly string[],
    stem: string,
    { struct, field }: GoSubject,
    alike: string,
  ): GoNamed {
    const what = `the ${kind} of field ${JSON.stringify(field)}`;
    const subject: GoSubject = { kind, name: field, struct, field };
    const name = this.#choose(subject, stem, what);
    const identity = `${kind} ${alike}`;
    const isShared = this.#taken.get(name) === identity;
    if (!isShared) this.#claim(name, what, identity);
    const parts = names.map((part) => {
      const partSubject: GoSubject = { kind: kind === "union" ? "arm" : "value", name: part, struct, field };
      const word = pascal(part);
      const proposed = word === undefined ? "" : `${name}${word}`;
      const partWhat = `${JSON.stringify(part)} of ${name}`;
      return isShared ? this.#choose(partSubject, proposed, partWhat) : this.#take(partSubject, proposed, partWhat);
    });
    if (!isShared) this.declared.push(node);
    const named = { name, parts };
    this.#named.set(node, named);
    return named;
  }

  #take(subject: GoSubject, proposed: string, what: string): string {
    const name = this.#choose(subject, proposed, what);
    this.#claim(name, what, what);
    return name;
  }

  #claim(name: string, what: string, identity: string): void {
    const other = this.#taken.get(name);
    if (other !== undefined) throw collision(what, other, name);
    this.#taken.set(name, identity);
  }

  #choose(subject: GoSubject, proposed: string, what: string): string {
    const name: unknown = this.#settings.names(subject, proposed);
    if (name === "")
      throw schemaError("", `${what} has no valid name in Go: choose one with the option names (--names FILE.json)`);
    if (typeof name !== "string" || !/^\p{Lu}[\p{L}\p{Nd}_]*$/u.test(name)) {
      throw schemaError("", `${what}: ${JSON.stringify(name)} is not a valid exported name in Go`);
    }
    return name;
  }
}

function collision(what: string, other: string, name: string): Error {
  return schemaError(
    "",
    `${what} and ${other} would both be ${name} in Go: choose names with the option names (--names FILE.json)`,
  );
}

/**
 * Returns the name with each word capitalized and initialisms in capitals: `user_id` and `userId` become `UserID`.
 * Underscores stay at either end, between digits, and next to another underscore. Returns undefined if Go cannot have
 * such a name.
 */
export function pascal(name: string): string | undefined {
  if (!/^[\p{L}\p{Nd}_]+$/u.test(name)) return undefined;
  let start = 0;
  while (name[start] === "_") start++;
  let end = name.length;
  while (end > start && name[end - 1] === "_") end--;
  const parts: string[] = [];
  // Only the last part is looked at: the work is linear in the name.
  let last = "";
  for (const piece of name.slice(start, end).split("_")) {
    const keepsApart = piece === "" || (/\p{Nd}$/u.test(last) && /^\p{Nd}/u.test(piece));
    const words = piece.split(/(?<=\p{Ll})(?=\P{Ll})/u).map(word);
    last = (last !== "" && keepsApart ? "_" : "") + words.join("");
    parts.push(last);
  }
  return name.slice(0, start) + parts.join("") + name.slice(end);
}

function word(text: string): string {
  const upper = text.toUpperCase();
  if (INITIALISMS.has(upper)) return upper;
  const [first = ""] = text;
  const capital = first.toUpperCase();
  return [...capital].length === 1 ? capital + text.slice(first.length) : text;
}

/** Returns the exported form of a name; "" if there is none. */
function exported(name: string | undefined): string {
  if (name === undefined) return "";
  const whole = name.startsWith("_") ? `X${name}` : name;
  return /^\p{Lu}/u.test(whole) ? whole : "";
}
