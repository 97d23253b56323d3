// Texts and bytes that leave the page by the visitor's own hand: to the clipboard, or as a file.

/** Writes text to the clipboard. Returns false if the browser does not allow it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** Saves content as a file of the visitor. */
export function download(content: Blob | Uint8Array<ArrayBuffer> | string, name: string): void {
  const blob = content instanceof Blob ? content : new Blob([content], { type: "application/octet-stream" });
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser has begun to read it when the click has been handled.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
