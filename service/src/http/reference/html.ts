// HTML from templates: every value is escaped unless it is HTML already.

export type Html = { readonly html: string };
type Value = string | number | Html | readonly Value[] | null;

export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  const text = parts.map(
    (part, index) => part + (index < values.length ? render(values[index] as Value) : ''),
  );
  return { html: text.join('') };
}

function render(value: Value): string {
  if (value === null) return '';
  if (typeof value === 'string' || typeof value === 'number') return escapeText(String(value));
  return 'html' in value ? value.html : value.map(render).join('');
}

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Paragraphs, lists of «- » lines and `code`: as much of Markdown as the contract uses. */
export function renderText(text: string): Html[] {
  return text.split('\n\n').map((block) => {
    if (!block.startsWith('- ')) return html`<p>${renderLine(block)}</p>`;
    const items = block.split('\n').map((line) => html`<li>${renderLine(line.slice(2))}</li>`);
    return html`<ul>${items}</ul>`;
  });
}

export function renderLine(text: string): Html[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}
