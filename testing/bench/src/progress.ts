/** Shows the current measurement, on a terminal only. An empty text clears the line. */
export function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
}
