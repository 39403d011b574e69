// Lists as people type them: tags between commas, links in lines.

/** Without empty entries, each once. */
export function splitList(text: string, separator: ',' | '\n' = ','): string[] {
  const entries = text.split(separator).map((entry) => entry.trim());
  return [...new Set(entries.filter(Boolean))];
}
