import { Argument, Command } from "commander";
import { Output } from "../shared/output.js";
import { addCommonOptions } from "./common-options.js";
import { COMMANDS } from "./index.js";

const SHELLS = ["bash", "zsh", "fish"] as const;

/** Adds `moonpack completions` to the program. */
export function addCompletions(program: Command): void {
  program
    .command("completions")
    .description(
      "Prints a script with which a shell completes the commands, their options, and the values of options. It is made from the " +
        "definitions of the commands: print it again after an update.",
    )
    .addArgument(new Argument("<shell>", "which shell").choices(SHELLS))
    .addHelpText("after", HELP)
    .action(async (shell: (typeof SHELLS)[number]) => {
      const { completed } = await import("../completions/tree.js");
      const output = Output.open("-");
      output.writeText((await scriptOf(shell))(completed(await wholeProgram())));
      await output.finish();
    });
}

/** Returns the program with all of its commands. */
async function wholeProgram(): Promise<Command> {
  const program = new Command("moonpack").option("-V, --version", "print the version");
  for (const { load } of COMMANDS.values()) (await load())(program);
  for (const command of program.commands) command.summary(COMMANDS.get(command.name())!.summary);
  addCommonOptions(program);
  return program;
}

async function scriptOf(shell: (typeof SHELLS)[number]) {
  if (shell === "bash") return (await import("../completions/bash.js")).bashScript;
  if (shell === "zsh") return (await import("../completions/zsh.js")).zshScript;
  return (await import("../completions/fish.js")).fishScript;
}

const HELP = `
The script completes the command moonpack, of a global install.

Exit codes: 0 done; 2 bad usage.

Examples:
  source <(moonpack completions bash)         # in ~/.bashrc
  source <(moonpack completions zsh)          # in ~/.zshrc, after compinit
  moonpack completions fish > ~/.config/fish/completions/moonpack.fish
`;
