import { allCommands, type CompletedCommand, isList } from "./tree.js";

/** Returns the script for bash, from version 3.2 on. Where it has no answer, bash completes names of files. */
export function bashScript(program: CompletedCommand): string {
  const commands = allCommands(program);
  const steps = commands.slice(1).map(({ path }) => quoted([path.slice(0, -1).join(" "), path.at(-1)!].join(" ")));
  const values = commands.flatMap(({ path, options }) =>
    options.flatMap(({ flags, values: known }) => {
      if (known === undefined) return [];
      const places = flags.map((flag) => quoted(`${path.join(" ")} ${flag}`)).join("|");
      const words = isList(known) ? `_moonpack_words ${known.map(quoted).join(" ")}` : ":";
      return [`    ${places}) ${words}; return ;;\n`];
    }),
  );
  const options = commands.map(({ path, options: all }) => {
    const flags = all.flatMap((option) => option.flags).map(quoted);
    return `      ${quoted(path.join(" "))}) _moonpack_words ${flags.join(" ")} ;;\n`;
  });
  const words = commands.flatMap(({ path, commands: inner, arguments: [first] }) => {
    const names = [...inner.map((one) => one.path.at(-1)!), ...(path.length === 0 ? ["help"] : [])];
    const list = names.length > 0 ? names : isList(first?.values) ? first.values : [];
    return list.length === 0
      ? []
      : [`    ${quoted(path.join(" "))}) _moonpack_words ${list.map(quoted).join(" ")} ;;\n`];
  });
  const helped = program.commands.map(({ path }) => quoted(path.join(" "))).join(" ");
  return `# Completions of moonpack for bash. To load them: source <(moonpack completions bash)
_moonpack_words() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(printf '%s\\n' "$@")" -- "\${COMP_WORDS[COMP_CWORD]}"))
}

_moonpack() {
  local command= i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$command \${COMP_WORDS[i]}" in
      ${steps.join("|")})
        command="\${command:+$command }\${COMP_WORDS[i]}" ;;
    esac
  done
  case "$command \${COMP_WORDS[COMP_CWORD - 1]}" in
${values.join("")}    ' help') _moonpack_words ${helped}; return ;;
  esac
  if [[ \${COMP_WORDS[COMP_CWORD]} == -* ]]; then
    case "$command" in
${options.join("")}    esac
    return
  fi
  case "$command" in
${words.join("")}  esac
}

complete -o default -F _moonpack moonpack
`;
}

/** Quotes a word for the shell. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
