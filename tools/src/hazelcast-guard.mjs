// Starts a program and kills it when the process that started this one is gone, whatever ended it: the pipe to stdin closes
// then. Arguments: the program and its own. Prints its id in the first line, then what it prints.
import { spawn } from "node:child_process";

const [program, ...args] = process.argv.slice(2);
const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
child.on("error", (error) => {
  console.log(error.message);
  process.exit(1);
});
child.on("exit", (code) => process.exit(code ?? 1));
if (child.pid !== undefined) console.log(child.pid);
child.stdout.pipe(process.stdout);
child.stderr.pipe(process.stdout);

const end = () => {
  child.kill("SIGKILL");
  process.exit(1);
};
process.stdin.resume();
process.stdin.on("end", end);
process.stdin.on("error", end);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, end);
