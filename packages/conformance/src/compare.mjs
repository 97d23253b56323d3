/**
 * The cases in which two runs of the suite differ: one failed and the other did not, or the answers are not the same bytes.
 * Errors may have other words. The suite itself is content with less: messages that are equal by value.
 */
export function differences(run, baseline) {
  const found = [];
  for (const [name, { request, response }] of run.cases) {
    const other = baseline.cases.get(name);
    if (other === undefined) continue; // one run was not complete, which it tells itself
    const isSame =
      run.failed.has(name) === baseline.failed.has(name) && withoutWords(response) === withoutWords(other.response);
    if (!isSame) found.push({ name, request, response, expected: other.response });
  }
  return found;
}

function withoutWords(response) {
  return response.replace(/^(parse_error|serialize_error): .*$/, "$1");
}
