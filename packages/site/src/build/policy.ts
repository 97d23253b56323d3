// The Content-Security-Policy of a page: scripts of the site alone, and those in the page by their hashes. No eval.
import { createHash } from "node:crypto";

/** Scripts in the page itself. */
const INLINE = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g;

/**
 * The page with its policy, as the first element after the character set, so that it holds for all that follows. Styles may be inline:
 * the highlighting of code is a style of each word.
 */
export function withPolicy(html: string): string {
  const hashes = [...html.matchAll(INLINE)].map(
    ([, script = ""]) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`,
  );
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${[...new Set(hashes)].join(" ")}`,
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
