// The documents of data/, as files beside the page. The bundler needs their full addresses here.
const addresses: Readonly<Record<string, URL>> = {
  "small-mixed": new URL("../../../../../../data/small-mixed.json", import.meta.url),
  clinical: new URL("../../../../../../data/clinical.json", import.meta.url),
  hn: new URL("../../../../../../data/hn-top-stories.json", import.meta.url),
};

/** The document of that name; undefined if it is missing. */
export async function documentOf(name: string): Promise<unknown> {
  if (!Object.hasOwn(addresses, name)) return undefined;
  const response = await fetch(addresses[name]!);
  if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
  return response.json();
}
