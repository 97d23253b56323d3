/** Returns the lines of a doc comment. Text from a schema cannot end the comment. */
export function docComment(text: string): readonly string[] {
  const lines = text.replaceAll("*/", "*\\/").split(/\r\n|[\n\r\u2028\u2029]/);
  if (lines.length === 1) return [`/** ${lines[0]} */`];
  return ["/**", ...lines.map((line) => (line === "" ? " *" : ` * ${line}`)), " */"];
}
