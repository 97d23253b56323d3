// Names of syntax, for messages on syntax that is not evaluated.

const NAMES: ReadonlyMap<string, string> = new Map([
  ["AssignmentExpression", "assignments"],
  ["AwaitExpression", "await"],
  ["BlockStatement", "blocks"],
  ["ChainExpression", "optional chaining"],
  ["ClassDeclaration", "classes"],
  ["ClassExpression", "classes"],
  ["DoWhileStatement", "loops"],
  ["ExportAllDeclaration", "exports of other files"],
  ["ExpressionStatement", "statements that make no constant"],
  ["ForInStatement", "loops"],
  ["ForOfStatement", "loops"],
  ["ForStatement", "loops"],
  ["FunctionDeclaration", "functions"],
  ["FunctionExpression", "functions"],
  ["IfStatement", "conditions"],
  ["ImportExpression", "imports by a call"],
  ["LogicalExpression", "logical operators"],
  ["MetaProperty", "properties of the module"],
  ["SequenceExpression", "sequences"],
  ["SwitchStatement", "conditions"],
  ["TSEnumDeclaration", "enums of TypeScript"],
  ["TSModuleDeclaration", "namespaces of TypeScript"],
  ["TaggedTemplateExpression", "tagged templates"],
  ["ThisExpression", "this"],
  ["ThrowStatement", "throw"],
  ["TryStatement", "try"],
  ["UpdateExpression", "assignments"],
  ["WhileStatement", "loops"],
  ["YieldExpression", "generators"],
]);

/** The words for a kind of node. */
export function nameOfSyntax(type: string): string {
  return NAMES.get(type) ?? "this syntax";
}
