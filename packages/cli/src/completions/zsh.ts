import { type CompletedArgument, type CompletedCommand, type CompletedOption, isList, type Values } from "./tree.js";

/** Returns the script for zsh: a file of a folder in fpath, or a text for `source`. */
export function zshScript(program: CompletedCommand): string {
  return `#compdef moonpack
# Completions of moonpack for zsh. To load them: source <(moonpack completions zsh)
${functionsOf(program).join("\n")}
if [[ $funcstack[1] == _moonpack ]]; then
  _moonpack "$@"
else
  compdef _moonpack moonpack
fi
`;
}

/** Returns the function of a command, after the functions of the commands below it. */
function functionsOf(command: CompletedCommand): readonly string[] {
  const { path, options, commands, arguments: all } = command;
  const name = nameOf(path);
  const specs = options.map(optionSpec);
  const inner = commands.flatMap(functionsOf);
  if (commands.length === 0)
    return [`${name}() {\n  _arguments -s ${[...specs, ...all.map(argumentSpec)].join(" \\\n    ")}\n}\n`];
  const described = commands.map((one) => quoted(`${escaped(one.path.at(-1)!)}:${escaped(one.summary)}`));
  const calls = commands.map((one) => `        ${one.path.at(-1)}) ${nameOf(one.path)} ;;`);
  return [
    ...inner,
    `${name}() {
  local curcontext="$curcontext" context state line
  local -a commands
  typeset -A opt_args
  _arguments -C ${[...specs, "'1: :->command'", "'*:: :->rest'"].join(" \\\n    ")}
  case $state in
    command)
      commands=(
        ${described.join("\n        ")}
      )
      _describe -t commands command commands
      ;;
    rest)
      case $line[1] in
${calls.join("\n")}
      esac
      ;;
  esac
}
`,
  ];
}

function nameOf(path: readonly string[]): string {
  return ["_moonpack", ...path].join("_");
}

/** `'(-f --from)'{-f,--from}'[input format]:value:(json ndjson)'` */
function optionSpec({ flags, summary, values, isRepeatable }: CompletedOption): string {
  const text = `[${escaped(summary)}]${values === undefined ? "" : `:value:${action(values)}`}`;
  const [only, other] = flags;
  if (isRepeatable) return flags.map((flag) => quoted(`*${flag}${text}`)).join(" ");
  return other === undefined ? quoted(`${only}${text}`) : `'(${flags.join(" ")})'{${flags.join(",")}}${quoted(text)}`;
}

function argumentSpec({ name, values, isVariadic }: CompletedArgument): string {
  return quoted(`${isVariadic ? "*" : ""}:${escaped(name)}:${action(values)}`);
}

function action(values: Values): string {
  if (isList(values)) return `(${values.join(" ")})`;
  return values === "file" ? "_files" : values === "folder" ? "_files -/" : " ";
}

/** Escapes the characters that separate the parts of a specification. */
function escaped(text: string): string {
  return text.replace(/[\\[\]:]/g, "\\$&");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
