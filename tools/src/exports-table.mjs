// The table of all exports of an entry, with the first sentence of each one's comment, for pages.
import ts from "typescript";

/** `declarations`: what TypeScript compiled of the entry. `paths`: what `#names` in it stand for. */
export function exportsTable(declarations, paths) {
  const options = { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext, paths };
  const program = ts.createProgram([declarations], { ...options, noEmit: true, types: [] });
  const checker = program.getTypeChecker();
  const module = checker.getSymbolAtLocation(program.getSourceFile(declarations));
  const rows = checker.getExportsOfModule(module).map((symbol) => {
    const real = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const text = ts.displayPartsToString(real.getDocumentationComment(checker));
    if (text === "") throw new Error(`${symbol.name} of ${declarations} has no comment`);
    return [symbol.name, firstSentence(text).replaceAll("|", "\\|")];
  });
  const lines = rows.sort(([a], [b]) => a.localeCompare(b, "en")).map(([name, text]) => `| \`${name}\` | ${text} |`);
  return ["| export | |", "| --- | --- |", ...lines].join("\n");
}

function firstSentence(text) {
  const line = text.replaceAll(/\{@link ([\w.]+)\}/g, "`$1`").replaceAll(/\s+/g, " ");
  return (/^.*?(?=[.:] (?=[A-Z`])|\.$|$)/.exec(line)?.[0] ?? line).trim();
}
