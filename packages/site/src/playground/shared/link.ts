// Links with the whole input of a tab in the fragment, which browsers do not send to servers.
import { fromBase64, toBase64 } from "./base64.ts";

/** The longest address. Mail programs and chats shorten longer ones. */
export const MAX_LINK_CHARACTERS = 32_000;
/** The most text that a link may unfold to. */
const MAX_UNFOLDED = 4 * 1024 * 1024;
/** The version of the format. The text after it may change. */
const VERSION = "1.";

/** The links of a tab, whose input is texts by their names. */
export interface LinkForm<Content> {
  /** The tab, whose name begins the fragment. */
  readonly tab: string;
  /** The names of the texts, in their order. */
  readonly parts: readonly (keyof Content & string)[];
  /** The advice on an input that is too long. */
  readonly advice: string;
}

/** True for a fragment that holds an input of the tab, whole or not. */
export function isLink({ tab }: { readonly tab: string }, fragment: string): boolean {
  return fragment.startsWith(`#${tab}=`);
}

/** Returns the fragment for an input. Throws an Error that says what to do if it is too long. */
export async function fragmentOf<Content>(form: LinkForm<Content>, content: Content): Promise<string> {
  const values = form.parts.map((part) => content[part] ?? "");
  // The last parts are seldom used, and a link should be short.
  while (values.length > 1 && values.at(-1) === "") values.pop();
  const text = JSON.stringify(values);
  const bytes = new TextEncoder().encode(text);
  const packed = await through(bytes, new CompressionStream("deflate-raw"), Infinity);
  const digits = toBase64(packed).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  const fragment = `#${form.tab}=${VERSION}${checkOf(bytes)}.${digits}`;
  if (fragment.length > MAX_LINK_CHARACTERS)
    throw new Error(
      `This link would have ${fragment.length.toLocaleString("en")} characters, and many programs cut links after ` +
        `${MAX_LINK_CHARACTERS.toLocaleString("en")}. ${form.advice}`,
    );
  return fragment;
}

/** Reads a fragment. Throws an Error if a part of it is missing or has changed. */
export async function contentIn<Content>(form: LinkForm<Content>, fragment: string): Promise<Content> {
  const [, version, check, digits] = /^#[a-z]+=(\d+\.)([0-9a-z]+)\.([\w-]*)$/.exec(fragment) ?? [];
  if (version !== undefined && version !== VERSION)
    throw new Error("This link was made by a newer version of the page. Load the page again.");
  try {
    if (!isLink(form, fragment)) throw new Error("the link is of another tab");
    const bytes = await through(fromBase64(digits!)!, new DecompressionStream("deflate-raw"), MAX_UNFOLDED);
    if (checkOf(bytes) !== check) throw new Error("the check differs");
    return contentOf(form.parts, JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)));
  } catch (cause) {
    throw new Error("This link is not complete: a part of it was cut off or changed on its way. Copy it again.", {
      cause,
    });
  }
}

/** The content whose texts are in a list; last parts that are missing are "". Throws an Error if the list is another one. */
export function contentOf<Content>(parts: LinkForm<Content>["parts"], values: unknown): Content {
  const isWhole =
    Array.isArray(values) &&
    values.length > 0 &&
    values.length <= parts.length &&
    values.every((one) => typeof one === "string");
  if (!isWhole) throw new Error("the content is another one");
  return Object.fromEntries(parts.map((part, index) => [part, values[index] ?? ""])) as Content;
}

/** A short text that is another one when the bytes are (FNV-1a, 32 bits). */
function checkOf(bytes: Uint8Array): string {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0).toString(36);
}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  transform: GenericTransformStream,
  most: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let size = 0;
  const reader = (new Blob([bytes]).stream().pipeThrough(transform) as ReadableStream<Uint8Array>).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value);
    size += part.value.length;
    if (size <= most) continue;
    await reader.cancel();
    throw new Error("the content is too large");
  }
  const all = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
