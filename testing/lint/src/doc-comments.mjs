// Doc comments of public functions and methods begin with a verb: "Returns ..", "Writes ..". Options and methods of public interfaces have one.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { sourceOf } from "./specifiers.mjs";

const VERB = /^[A-Z][a-z]+s\b(?! of)/;
const NOT_VERBS = /^(?:Always|Bytes|Its|Options|Rows|Statistics|This)\b/;
/** Interfaces of which every member needs a comment; elsewhere every method. */
const OPTIONS = /Options$/;
/** Interfaces that repeat a part of another library's: its documentation describes the members. */
const MIRROR = /Like$/;
const MIRRORS = /^packages\/moonpack\/src\/compat\//;

/** The doc comments of the package `owner` that are missing or do not begin with a verb. `sources` are its files. */
export function docCommentFaults(owner, sources, folder) {
  const known = publicNames(join(folder, owner, "api"));
  if (known.size === 0) return [];
  return sources
    .filter((path) => /\.[cm]?ts$/.test(path))
    .flatMap((path) => {
      const source = sourceOf(path, folder);
      const line = (node) => source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
      return source.statements
        .filter((statement) => known.has(`${kindOf(statement)} ${statement.name?.text}`))
        .flatMap((statement) => faultsIn(statement, path))
        .map(({ node, text }) => `${path}:${line(node)}: ${text}`);
    });
}

/** Returns true if a comment says what its function does. */
export function beginsWithVerb(text) {
  return VERB.test(text) && !NOT_VERBS.test(text);
}

function faultsIn(statement, path) {
  if (ts.isFunctionDeclaration(statement)) return verbFaults(statement, statement.name.text);
  const owner = statement.name.text;
  if (ts.isClassDeclaration(statement)) {
    return statement.members
      .filter(isPublicMethod)
      .flatMap((member) => verbFaults(member, `${owner}.${nameOf(member)}`));
  }
  if (!ts.isInterfaceDeclaration(statement) || MIRROR.test(owner) || MIRRORS.test(path)) return [];
  return statement.members
    .filter((member) => OPTIONS.test(owner) || ts.isMethodSignature(member))
    .filter((member) => member.name !== undefined && commentOf(member) === undefined)
    .map((node) => ({ node, text: `${owner}.${nameOf(node)} has no doc comment. Say what it is for.` }));
}

/** The fault of a comment that does not begin with a verb. Another declaration of the name may have the comment. */
function verbFaults(node, name) {
  const comment = commentOf(node);
  if (comment === undefined || beginsWithVerb(comment)) return [];
  const text = `the doc comment of ${name} begins "${comment.slice(0, 40)}". Begin with a verb: "Returns ..", "Writes ..".`;
  return [{ node, text }];
}

function kindOf(statement) {
  if (ts.isFunctionDeclaration(statement)) return "function";
  if (ts.isClassDeclaration(statement)) return "class";
  return ts.isInterfaceDeclaration(statement) ? "interface" : "";
}

function isPublicMethod(member) {
  const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;
  return (
    ts.isMethodDeclaration(member) &&
    !ts.isPrivateIdentifier(member.name) &&
    (ts.getCombinedModifierFlags(member) & hidden) === 0 &&
    ts.getJSDocTags(member).every((tag) => tag.tagName.text !== "internal")
  );
}

function nameOf({ name }) {
  return name.getText();
}

/** The first line of a node's doc comment; undefined if it has none. */
function commentOf(node) {
  return node.jsDoc
    ?.at(-1)
    ?.getText()
    .replace(/^\/\*\*|\*\/$|^\s*\*/gm, "")
    .trim()
    .split("\n")[0];
}

/** The exported functions, classes and interfaces of a package's API reports: `class Codec`. */
function publicNames(folder) {
  const reports = existsSync(folder) ? readdirSync(folder) : [];
  return new Set(
    reports.flatMap((report) =>
      [
        ...readFileSync(join(folder, report), "utf8").matchAll(
          /^export (?:abstract )?((?:function|class|interface) \w+)/gm,
        ),
      ].map(([, name]) => name),
    ),
  );
}
