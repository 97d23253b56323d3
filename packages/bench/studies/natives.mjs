// V8's own answers about values, for processes started with --allow-natives-syntax. The syntax is not JavaScript's, so it
// stands in texts, compiled when first asked: who only reads a study's description has no such flag.

function native(body) {
  let ask;
  return (a, b) => (ask ??= new Function("a", "b", `return ${body};`))(a, b);
}

export const hasFastProperties = native("%HasFastProperties(a)");
export const haveSameMap = native("%HaveSameMap(a, b)");
export const isInternalized = native("%IsInternalizedString(a)");

const KINDS = [
  ["dictionary", native("%HasDictionaryElements(a)")],
  ["integers", native("%HasSmiElements(a)")],
  ["doubles", native("%HasDoubleElements(a)")],
  ["anything", native("%HasObjectElements(a)")],
];
const isHoley = native("%HasHoleyElements(a)");

/** What an array's elements are to V8, as "packed integers". */
export function elementsKind(array) {
  const [name] = KINDS.find(([, holds]) => holds(array));
  return name === "dictionary" ? name : `${isHoley(array) ? "holey" : "packed"} ${name}`;
}
