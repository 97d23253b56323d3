import { type Cut, DOCUMENTS, type Kind, LARGEST_DOCUMENT } from "./kind.js";
import { cuts } from "./kinds/index.js";
import { PackageFiles } from "./packages.js";
import { type Json, lists, select, slices, spread } from "./select.js";

/**
 * Every kind of document, cut from the installed packages: the same on every machine and in every run. Throws if a package,
 * a file or a path in it is missing, so that no kind is ever silently smaller.
 */
export function loadCorpus(): readonly Kind[] {
  const files = new PackageFiles();
  return cuts.map((cut) => {
    try {
      return { name: cut.name, class: cut.class, source: sourceOf(cut), documents: documentsOf(files, cut) };
    } catch (error) {
      throw new Error(`kind ${cut.name}: ${(error as Error).message}`, { cause: error });
    }
  });
}

function documentsOf(files: PackageFiles, cut: Cut): unknown[] {
  let values = cut.files.flatMap((file) => {
    const document = files.read(cut.package, file);
    return cut.path === undefined ? [document] : select(document, cut.path);
  });
  if (cut.slices !== undefined) values = values.flatMap((value) => slices(value, cut.slices!));
  if (cut.lists !== undefined) values = lists(values, cut.lists);
  return spread(different(values), cut.take ?? DOCUMENTS).map((text) => JSON.parse(text) as unknown);
}

/** The documents as JSON, each once. Empty ones, such as a field that is null in some element, are left out. */
function different(values: readonly Json[]): string[] {
  const texts = new Set<string>();
  for (const value of values) {
    const text = JSON.stringify(value);
    if (Buffer.byteLength(text) > LARGEST_DOCUMENT)
      throw new RangeError(`a document has more than ${LARGEST_DOCUMENT} bytes`);
    if (text.length > 2 && typeof value === "object" && value !== null) texts.add(text);
  }
  if (texts.size === 0) throw new RangeError("no documents");
  return [...texts];
}

function sourceOf(cut: Cut): string {
  const [first] = cut.files;
  const more = cut.files.length > 1 ? ` and ${cut.files.length - 1} more` : "";
  return `${cut.package}/${first}${more}${cut.path === undefined ? "" : ` ${cut.path}`}`;
}
