/**
 * The cases in which two runs of the suite differ: only one failed, or the responses are not the same bytes. The texts of
 * errors may differ. The suite itself requires less: messages with equal values.
 */
export function differences(run, baseline) {
  const found = [];
  for (const [name, { request, response }] of run.cases) {
    const other = baseline.cases.get(name);
    if (other === undefined) continue; // an incomplete run is reported elsewhere
    const isSame =
      run.failed.has(name) === baseline.failed.has(name) && withoutWords(response) === withoutWords(other.response);
    if (!isSame) found.push({ name, request, response, expected: other.response });
  }
  return found;
}

function withoutWords(response) {
  return response.replace(/^(parse_error|serialize_error): .*$/, "$1");
}
