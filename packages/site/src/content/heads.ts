// The title and the description of each page.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { PageData } from "vitepress";
import { GENERATED, root } from "../repository.ts";

/** Search engines show about as many characters. */
const LONGEST = 180;

/** Sets the title and the description of a page that has none of its own in its first lines. */
export function describe(page: PageData): void {
  const { filePath, frontmatter } = page;
  const [, source] = new RegExp(`^${GENERATED}/source/(.+)\\.md$`).exec(filePath) ?? [];
  const [, entry] = new RegExp(`^${GENERATED}/api/(.+)\\.md$`).exec(filePath) ?? [];
  if (source !== undefined) {
    page.title = source;
    page.description = `The file ${source} of moonpack's repository`;
  } else if (entry !== undefined) {
    const name = entry === "index" ? "every package" : entry.replace(/\/index$/, "");
    page.title = `${name}: every export`;
    page.description = `The API reference of ${name}: functions, classes, types and options`;
  } else if (/^docs\/benchmarks\//.test(filePath)) {
    page.description = `${page.title}: how moonpack compares with other libraries, as measured, and where others win`;
    page.title = `Benchmark: ${page.title}`;
  } else if (page.description === "" && existsSync(join(root, filePath))) {
    page.description = descriptionOf(readFileSync(join(root, filePath), "utf8"));
  }
  if (frontmatter.title !== undefined) page.title = frontmatter.title;
}

/** The first sentences of a page below its heading, as plain text. */
export function descriptionOf(markdown: string): string {
  const paragraphs = markdown
    .replace(/^---\n[\s\S]*?\n---\n/, "")
    .replace(/<!--[\s\S]*?-->/g, "")
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => /^(?:\*\*|\[|`)?[A-Z"@`\p{L}]/u.test(paragraph) && !paragraph.startsWith("```"));
  return shortened(plain(paragraphs[0] ?? ""));
}

function plain(markdown: string): string {
  return markdown
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[`*]/g, "")
    .replace(/\s+/g, " ")
    .replace(/\s*\([^()]*\.md\)/g, "")
    .trim();
}

/** Whole sentences as long as they fit, or the beginning of the first one. */
function shortened(text: string): string {
  if (text.length <= LONGEST) return text;
  const end = text.slice(0, LONGEST).search(/[.!?](?=\s)(?!.*[.!?]\s)/);
  return end > LONGEST / 3 ? text.slice(0, end + 1) : `${text.slice(0, LONGEST).replace(/\s\S*$/, "")} …`;
}
