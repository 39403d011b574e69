// JSON Schema for people: a type in a few words, an object as a table of its fields.
import type { JsonSchema } from '@svc/sdk/schemas';
import { type Html, html, renderLine } from './html.ts';

export function schemaAnchor(name: string): string {
  return `schema-${name}`;
}

export function renderSchema(name: string, schema: JsonSchema): Html {
  return html`<article id="${schemaAnchor(name)}"><h3>${name}</h3>
${schema.description ? html`<p>${renderLine(String(schema.description))}</p>` : null}
${schema.properties ? renderFields(schema) : html`<p>${renderType(schema)}</p>`}</article>
`;
}

function renderFields(schema: JsonSchema): Html {
  const required = (schema.required ?? []) as readonly string[];
  const fields = Object.entries(schema.properties as Record<string, JsonSchema>);
  const rows = fields.map(
    ([name, field]) =>
      html`<tr><td><code>${name}</code></td><td>${renderType(field)}${required.includes(name) ? null : html`<br><span class="soft">not always there</span>`}</td><td>${renderLine(String(field.description ?? ''))}</td></tr>
`,
  );
  return html`<div class="scroll"><table><thead><tr><th>Field</th><th>Type</th><th>Meaning</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

/** «string», «one of …», «list of Task», «Address or null». */
export function renderType(schema: JsonSchema): Html {
  const { $ref, type, items, pattern, enum: choices, const: constant } = schema;
  if (typeof $ref === 'string') return renderReference($ref);
  const options = (schema.anyOf ?? schema.oneOf ?? schema.allOf) as readonly JsonSchema[] | undefined;
  if (options !== undefined) return joinTypes(options.map(renderType), ' or ');
  if (constant !== undefined) return html`<code>${String(constant)}</code>`;
  if (Array.isArray(choices))
    return joinTypes(
      choices.map((one) => html`<code>${String(one)}</code>`),
      ', ',
    );
  if (type === 'array') return html`list of ${renderType((items ?? {}) as JsonSchema)}`;
  if (type === 'object') return html`object${describeMembers(schema)}`;
  if (type === 'integer' || type === 'number') return html`${type}${describeRange(schema)}`;
  return html`${String(type ?? 'anything')}${pattern ? html` like <code>${String(pattern)}</code>` : null}`;
}

function renderReference(reference: string): Html {
  const name = reference.split('/').at(-1) as string;
  return html`<a href="#${schemaAnchor(name)}">${name}</a>`;
}

function joinTypes(types: readonly Html[], separator: string): Html {
  return html`${types.map((one, index) => (index === 0 ? one : html`${separator}${one}`))}`;
}

/** A small object inside another is told in place. */
function describeMembers({ properties }: JsonSchema): Html | null {
  if (properties === undefined) return null;
  const members = Object.entries(properties as Record<string, JsonSchema>);
  const parts = members.map(([name, member]) => html`<code>${name}</code> ${renderType(member)}`);
  return html` of ${joinTypes(parts, ', ')}`;
}

/** zod bounds every integer by what a double holds exactly; that says nothing to a reader. */
function describeRange({ minimum, maximum }: JsonSchema): string {
  const low = typeof minimum === 'number' && minimum > Number.MIN_SAFE_INTEGER ? minimum : null;
  const high = typeof maximum === 'number' && maximum < Number.MAX_SAFE_INTEGER ? maximum : null;
  if (low !== null && high !== null) return `, ${low} to ${high}`;
  if (low !== null) return `, at least ${low}`;
  return high === null ? '' : `, at most ${high}`;
}
