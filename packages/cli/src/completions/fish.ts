import { allCommands, type CompletedCommand, type CompletedOption, isList, type Values } from "./tree.js";

/** Returns the script for fish. */
export function fishScript(program: CompletedCommand): string {
  const lines = allCommands(program).flatMap((command) => {
    const condition = quoted(conditionOf(command));
    const start = `complete -c moonpack -n ${condition}`;
    return [
      ...command.commands.map(({ path, summary }) => `${start} -f -a ${quoted(path.at(-1)!)} -d ${quoted(summary)}`),
      ...command.options.map((option) => `${start} ${optionText(option)}`),
      ...command.arguments.slice(0, 1).flatMap(({ values }) => {
        const words = action(values);
        return words === "" ? [] : [`${start} ${words}`];
      }),
    ];
  });
  return `# Completions of moonpack for fish. To keep them:
# moonpack completions fish > ~/.config/fish/completions/moonpack.fish
complete -c moonpack -e
${lines.join("\n")}
`;
}

/** The command line names the command, and none of the commands below it. */
function conditionOf({ path, commands }: CompletedCommand): string {
  const seen = path.map((word) => `__fish_seen_subcommand_from ${word}`);
  const names = commands.map((one) => one.path.at(-1)!).join(" ");
  return [...seen, ...(names === "" ? [] : [`not __fish_seen_subcommand_from ${names}`])].join("; and ");
}

function optionText({ flags, summary, values }: CompletedOption): string {
  const names = flags.map((flag) => (flag.startsWith("--") ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  const value = values === undefined ? "" : ` -r ${action(values)}`.trimEnd();
  return `${names.join(" ")}${value} -d ${quoted(summary)}`;
}

/** Files are completed where nothing else is. */
function action(values: Values): string {
  if (isList(values)) return `-f -a ${quoted(values.join(" "))}`;
  return values === "folder" ? "-f -a '(__fish_complete_directories)'" : values === "other" ? "-f" : "";
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, "\\$&")}'`;
}
