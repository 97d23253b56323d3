// What a module of the library may do when it is imported, and how classes of all that is shipped hide their members.
import ts from "typescript";
import { sourceOf } from "./specifiers.mjs";

/** Constructors of memory. What is larger than a scratch cell for numbers is made when it is needed. */
const MEMORY =
  /^(?:ArrayBuffer|SharedArrayBuffer|DataView|(?:Big)?(?:Ui|I)nt\w+Array|Float\d+Array|Slab|GrowingBuffer)$/;

/** V8 keeps typed arrays of up to so many bytes on its own heap (docs/studies/buffers.md). */
const MAX_SCRATCH_BYTES = 64;

/** Modules that are imported for what they do: `sideEffects` in the package's package.json. */
const EFFECTS = ["packages/moonpack/src/node/register.ts"];

/** Returns what is wrong with a file's work at import time. */
export function moduleFaults(path, root) {
  if (EFFECTS.includes(path)) return [];
  const source = sourceOf(path, root);
  const { faults, report } = reporter(path, source);
  for (const statement of source.statements) lookAtStatement(statement, source, report);
  return faults;
}

/** Returns what is wrong with how a file's classes hide their members. */
export function memberFaults(path, root) {
  const source = sourceOf(path, root);
  const { faults, report } = reporter(path, source);
  const visit = (node) => {
    if (node.kind === ts.SyntaxKind.PrivateKeyword)
      report(node, ts.isConstructorDeclaration(node.parent) ? PRIVATE_CONSTRUCTOR : PRIVATE);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return faults;
}

const PRIVATE =
  "TypeScript's `private` is only a comment at run time. Use a #field, or @internal where speed needs it.";
const PRIVATE_CONSTRUCTOR =
  "TypeScript's `private` is only a comment at run time. Mark the constructor @internal instead.";

/** Collects faults, each with the line of its node. */
function reporter(path, source) {
  const faults = [];
  const report = (node, text) => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    faults.push(`${path}:${line + 1}: ${text}`);
  };
  return { faults, report };
}

function lookAtStatement(statement, source, report) {
  if (ts.isVariableStatement(statement)) {
    if (statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.DeclareKeyword)) return;
    for (const { initializer } of statement.declarationList.declarations)
      if (initializer !== undefined) lookAtValue(initializer, source, report);
  } else if (ts.isClassDeclaration(statement)) {
    for (const member of statement.members) {
      if (ts.isClassStaticBlockDeclaration(member)) report(member, WORK);
      const isStatic = member.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword);
      if (isStatic && ts.isPropertyDeclaration(member) && member.initializer !== undefined)
        lookAtValue(member.initializer, source, report);
    }
  } else if (ts.isExpressionStatement(statement) || ts.isIfStatement(statement) || ts.isForOfStatement(statement)) {
    report(statement, WORK);
  }
}

const WORK = "This runs when the module is imported. Do it at the first use, in a function.";

function lookAtValue(node, source, report) {
  if (ts.isFunctionLike(node) || ts.isClassExpression(node)) return;
  if (ts.isTypeOfExpression(node)) report(node, "Probes a global when the module is imported. Do it at the first use.");
  if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
    const [callee] = node.expression.getText().split("\n");
    const isPure = isMarkedPure(node, source);
    if (MEMORY.test(callee)) {
      if (!isScratch(node) || (!isPure && sizeOf(node) !== 0))
        report(node, `Makes memory (${callee}) when the module is imported. Make it at the first use.`);
    } else if (!isPure && !/^(?:Symbol|Symbol\.for)$/.test(callee)) {
      report(
        node,
        `Calls ${callee} when the module is imported. Do it at the first use, or mark a small table /* @__PURE__ */.`,
      );
    }
  }
  ts.forEachChild(node, (child) => lookAtValue(child, source, report));
}

/** A few bytes, or a view of such. */
function isScratch(node) {
  const size = sizeOf(node);
  return size === null ? !/Slab|Growing/.test(node.expression.getText()) : size <= MAX_SCRATCH_BYTES;
}

/** The number that a constructor of memory is given; null for anything else. */
function sizeOf({ arguments: list }) {
  const [first] = list ?? [];
  return first !== undefined && ts.isNumericLiteral(first) ? Number(first.text) : null;
}

/** Is it, or what it is a part of, marked as free of effects? Bundlers then drop it where it is not used. */
function isMarkedPure(node, source) {
  for (let one = node; one !== undefined && !ts.isVariableStatement(one); one = one.parent) {
    if (source.text.slice(one.getFullStart(), one.getStart()).includes("__PURE__")) return true;
  }
  return false;
}
