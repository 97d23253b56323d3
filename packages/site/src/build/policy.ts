// The Content-Security-Policy of a page: scripts are files of the site. No scripts in the page, no eval.

/** A script in the page itself. */
const INLINE = /<script(?![^>]*\ssrc=)[^>]*>/;

/**
 * The page with its policy, as the first element after the character set, so that it holds for all that follows. Styles may be inline:
 * the highlighting of code is a style of each word. Throws an Error if the page has a script of its own, which the policy forbids.
 */
export function withPolicy(html: string): string {
  const [inline] = INLINE.exec(html) ?? [];
  if (inline !== undefined) throw new Error(`The page has a script in it, which its policy forbids: ${inline}`);
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const charset = '<meta charset="utf-8">';
  if (!html.includes(charset)) throw new Error("The page has no character set, behind which its policy stands.");
  return html.replace(charset, `${charset}\n    <meta http-equiv="Content-Security-Policy" content="${policy}">`);
}
