// Checks the work that a module does when it is imported, and how shipped classes hide their members.
import ts from "typescript";
import { isStatic, sourceOf } from "./specifiers.mjs";

/** Constructors of memory. What is larger than a scratch cell for numbers is made when it is needed. */
const MEMORY =
  /^(?:ArrayBuffer|SharedArrayBuffer|DataView|(?:Big)?(?:Ui|I)nt\w+Array|Float\d+Array|Slab|GrowingBuffer)$/;

/** V8 keeps typed arrays of up to 64 bytes on its own heap (docs/performance-notes.md). */
const MAX_SCRATCH_BYTES = 64;

/** Modules that are imported for what they do: `sideEffects` in the package's package.json. */
const EFFECTS = ["packages/protobuf/src/node/register.ts"];

/** Returns what is wrong with a file's work at import time. */
export function moduleFaults(path, root) {
  if (EFFECTS.includes(path)) return [];
  const source = sourceOf(path, root);
  const { faults, report } = reporter(path, source);
  const look = { source, report, names: namesOf(source), at: (node) => lookAtValue(node, look) };
  for (const statement of source.statements) lookAtStatement(statement, look);
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

/** Statements that only declare; their types are erased. */
const DECLARATIONS = new Set([
  ts.SyntaxKind.ImportDeclaration,
  ts.SyntaxKind.ExportDeclaration,
  ts.SyntaxKind.InterfaceDeclaration,
  ts.SyntaxKind.TypeAliasDeclaration,
  ts.SyntaxKind.FunctionDeclaration,
]);

function lookAtStatement(statement, look) {
  const isAmbient = statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.DeclareKeyword);
  if (DECLARATIONS.has(statement.kind) || isAmbient) return;
  if (ts.isVariableStatement(statement) || ts.isClassDeclaration(statement)) ts.forEachChild(statement, look.at);
  else if (ts.isExportAssignment(statement)) look.at(statement.expression);
  else look.report(statement, WORK);
}

const WORK = "This runs when the module is imported. Do it at the first use, in a function.";

/** Looks at all that a value evaluates at import: not into functions, nor into the fields of instances. */
function lookAtValue(node, look) {
  const { report } = look;
  if (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) return;
  if (ts.isHeritageClause(node) && node.token === ts.SyntaxKind.ImplementsKeyword) return;
  if (ts.isTypeOfExpression(node)) report(node, "Probes a global when the module is imported. Do it at the first use.");
  else if (ts.isIdentifier(node)) lookAtName(node, look);
  else if (ts.isCallExpression(node) || ts.isNewExpression(node)) lookAtCall(node, look);
  else if (ts.isTaggedTemplateExpression(node)) report(node, "Calls a template's tag when the module is imported.");
  else if (isWork(node)) report(node, WORK);
  ts.forEachChild(node, (child) => {
    const isLater = ts.isFunctionLike(node) || (ts.isPropertyDeclaration(node) && !isStatic(node));
    // Computed names are evaluated with the class or the object, and so are decorators.
    if (!isLater || ts.isComputedPropertyName(child) || ts.isDecorator(child)) look.at(child);
  });
}

function isWork(node) {
  if (ts.isClassStaticBlockDeclaration(node) || ts.isAwaitExpression(node) || ts.isDeleteExpression(node)) return true;
  if (ts.isDecorator(node) || ts.isPostfixUnaryExpression(node)) return true;
  if (ts.isPrefixUnaryExpression(node))
    return node.operator === ts.SyntaxKind.PlusPlusToken || node.operator === ts.SyntaxKind.MinusMinusToken;
  return ts.isBinaryExpression(node) && ts.isAssignmentOperator(node.operatorToken.kind);
}

function lookAtCall(node, { source, report }) {
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

/** A global that is read: neither a name of the file, nor a part of the language, which every engine has. */
function lookAtName(node, { names, report }) {
  const { parent, text } = node;
  const isProperty = "name" in parent && parent.name === node && !ts.isShorthandPropertyAssignment(parent);
  const isKey = (ts.isBindingElement(parent) && parent.propertyName === node) || ts.isMetaProperty(parent);
  if (isProperty || isKey || names.has(text) || LANGUAGE.has(text)) return;
  report(node, `Reads the global ${text} when the module is imported. Read it at the first use.`);
}

/**
 * Globals of ECMAScript 2022 and the Encoding Standard, which every engine has. SharedArrayBuffer is not one of these: pages that
 * are not isolated lack it.
 */
const LANGUAGE = new Set(
  (
    "undefined NaN Infinity Object Function Array Map Set WeakMap WeakSet WeakRef Symbol Number Math BigInt String " +
    "Boolean RegExp Date JSON Reflect Proxy Promise Error AggregateError EvalError RangeError ReferenceError SyntaxError " +
    "TypeError URIError ArrayBuffer DataView Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array " +
    "Uint32Array Float32Array Float64Array BigInt64Array BigUint64Array TextDecoder TextEncoder"
  ).split(" "),
);

/** The names that a file imports, or declares outside of functions. */
function namesOf(source) {
  const names = new Set();
  const add = ({ name }) => {
    if (ts.isIdentifier(name)) names.add(name.text);
    else for (const element of name.elements) if (!ts.isOmittedExpression(element)) add(element);
  };
  for (const statement of source.statements) {
    if (ts.isVariableStatement(statement)) for (const one of statement.declarationList.declarations) add(one);
    else if (ts.isImportDeclaration(statement)) {
      const { name, namedBindings } = statement.importClause ?? {};
      if (name !== undefined) names.add(name.text);
      for (const one of namedBindings?.elements ?? (namedBindings === undefined ? [] : [namedBindings])) add(one);
    } else if (statement.name !== undefined) add(statement);
  }
  return names;
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
