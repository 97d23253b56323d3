/** Shows what is being measured, on a terminal only; an empty text clears the line. */
export function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
}
