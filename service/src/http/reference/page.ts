// The API contract as an HTML page: routes, headers and schemas. Ours instead of Redoc or Swagger UI, which load a megabyte of
// script that our content security policy forbids.

import { siteRoutes } from '@svc/sdk/internal/schemas/site';
import {
  type CodeSample,
  listOperations,
  type OpenApiDocument,
  type OpenApiRequestBody,
  type Operation,
  type RoutedOperation,
} from '../../contract/openapi.ts';
import type { Parameter } from '../../contract/openapiParameters.ts';
import type { MediaType, Response } from '../../contract/openapiResponses.ts';
import type { JsonSchema } from '../../contract/openapiSchemas.ts';
import { type Html, html, renderDocument, renderLine, renderText } from './document.ts';

export function renderReference(contract: OpenApiDocument): string {
  const { info, tags, components } = contract;
  const operations = listOperations(contract);
  const schemas = Object.entries(components.schemas);
  const groups = tags.map((tag) => ({
    ...tag,
    members: operations.filter(({ operation }) => operation.tags.includes(tag.name)),
  }));
  return renderDocument(
    `${info.title} API`,
    html`<div class="page">
<nav aria-label="Routes"><details><summary>Routes and schemas</summary>
<a href="#content"><strong>${info.title} API</strong> ${info.version}</a>
${groups.map(({ name, members }) =>
  renderLinks(
    name,
    members.map(({ operation }) => [operation.operationId, operation.summary]),
  ),
)}
${renderLinks(
  'Schemas',
  schemas.map(([name]) => [schemaAnchor(name), name]),
)}
</details></nav><main id="content"><h1>${info.title} API</h1>
<p class="lead">${info.summary} The contract itself: <a href="${siteRoutes.openapi.path}">${siteRoutes.openapi.path}</a></p>
${renderText(info.description)}
${groups.map(
  ({ name, description, members }) =>
    html`<section><h2>${name}</h2><p class="lead">${renderLine(description)}</p>
${members.map(renderOperation)}</section>
`,
)}
<section><h2>Headers</h2>${renderHeaders(components.headers)}</section>
<section><h2>Schemas</h2>
${schemas.map(([name, schema]) => renderSchema(name, schema))}</section>
</main></div>`,
    { current: '/docs' },
  );
}

function renderLinks(title: string, links: readonly (readonly [string, string])[]): Html {
  const items = links.map(([anchor, text]) => html`<li><a href="#${anchor}">${text}</a></li>`);
  return html`<h2>${title}</h2><ul>${items}</ul>`;
}

type Cell = Parameters<typeof html>[1];

function renderTable(heads: readonly string[], rows: readonly (readonly Cell[])[]): Html {
  const cells = rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell ?? null}</td>`)}</tr>\n`);
  return html`<div class="scroll"><table><thead><tr>${heads.map((head) => html`<th>${head}</th>`)}</tr></thead>
<tbody>${cells}</tbody></table></div>`;
}

function renderHeaders(headers: OpenApiDocument['components']['headers']): Html {
  const rows = Object.entries(headers).map(([name, { description }]) => [
    html`<code>${name}</code>`,
    renderLine(description),
  ]);
  return html`<article>${renderTable(['Name', 'Meaning'], rows)}</article>`;
}

function renderOperation({ path, method, operation }: RoutedOperation): Html {
  const { summary, description, parameters, requestBody, responses } = operation;
  const samples = operation['x-codeSamples'];
  return html`<article id="${operation.operationId}"><h3>${summary}</h3>
<p class="route"><span class="method">${method.toUpperCase()}</span> <code>${path}</code></p>
<p>${renderLine(description)}</p>
${parameters.length > 0 ? renderParameters(parameters) : null}
${requestBody ? renderRequestBody(requestBody) : null}
<h4>Ask</h4>${samples.map(renderSample)}
<h4>Answers</h4>${renderResponses(responses)}
</article>
`;
}

function renderParameters(parameters: readonly Parameter[]): Html {
  const rows = parameters.map(({ name, in: place, required, description, schema }) => [
    html`<code>${name}</code>${place === 'header' ? note('soft', 'header') : null}${required ? note('need', 'required') : null}`,
    html`${renderType(schema)}${schema.default === undefined ? null : note('soft', `default ${schema.default}`)}`,
    renderLine(description),
  ]);
  return html`<h4>Parameters</h4>${renderTable(['Name', 'Type', 'Meaning'], rows)}`;
}

function note(style: 'soft' | 'need', words: string): Html {
  return html`<br><span class="${style}">${words}</span>`;
}

function renderRequestBody({ description, content }: OpenApiRequestBody): Html {
  const media = content['application/json'];
  if (media === undefined)
    return html`<h4>Body</h4><p>${Object.keys(content).map((type) => html`<code>${type}</code>`)} ${renderLine(description)}</p>`;
  return html`<h4>Body</h4><p>${renderType(media.schema)} ${renderLine(description)}</p>${renderExample(media)}`;
}

function renderSample({ label, source }: CodeSample): Html {
  return html`<pre tabindex="0" aria-label="${label}"><code># ${label}
${source}</code></pre>`;
}

function renderResponses(responses: Operation['responses']): Html {
  const entries = Object.entries(responses).sort(([left], [right]) => (left < right ? -1 : 1));
  const rows = entries.map(([status, response]) => [
    html`<code>${status}</code>`,
    renderBodies(response),
    renderMeaning(response),
  ]);
  const [example] = Object.values(responses[200]?.content ?? {});
  return html`${renderTable(['Status', 'Body', 'Meaning'], rows)}${example ? renderExample(example) : null}`;
}

function renderBodies({ content = {} }: Response): Html {
  const [first] = Object.entries(content);
  if (first === undefined) return html`<span class="soft">none</span>`;
  const [contentType, { schema }] = first;
  return contentType === 'application/json' ? renderType(schema) : html`<code>${contentType}</code>`;
}

/** One line for each error message of a status. */
function renderMeaning({ description, content = {} }: Response): Html {
  const sentences = Object.values(content['application/json']?.examples ?? {}).map(
    ({ value }) => (value as { readonly error: string }).error,
  );
  if (sentences.length < 2) return html`${renderLine(description)}`;
  return html`${sentences.map((sentence, index) => html`${index === 0 ? null : html`<br>`}${sentence}`)}`;
}

function renderExample({ example }: MediaType): Html {
  const text = typeof example === 'string' ? example : JSON.stringify(example, null, 2);
  return html`<details><summary>Example</summary><pre tabindex="0"><code>${text}</code></pre></details>`;
}

function schemaAnchor(name: string): string {
  return `schema-${name}`;
}

/** JSON Schema: a type in a few words, an object as a table of its fields. */
function renderSchema(name: string, schema: JsonSchema): Html {
  return html`<article id="${schemaAnchor(name)}"><h3>${name}</h3>
${schema.description ? html`<p>${renderLine(String(schema.description))}</p>` : null}
${schema.properties ? renderFields(schema) : html`<p>${renderType(schema)}</p>`}</article>
`;
}

function renderFields(schema: JsonSchema): Html {
  const required = (schema.required ?? []) as readonly string[];
  const fields = Object.entries(schema.properties as Record<string, JsonSchema>);
  const rows = fields.map(([name, field]) => [
    html`<code>${name}</code>`,
    html`${renderType(field)}${required.includes(name) ? null : note('soft', 'optional')}`,
    renderLine(String(field.description ?? '')),
  ]);
  return renderTable(['Field', 'Type', 'Meaning'], rows);
}

/** «string», «one of …», «list of Task», «Address or null». */
function renderType(schema: JsonSchema): Html {
  const { $ref, type, items, pattern, enum: choices, const: constant } = schema;
  if (typeof $ref === 'string') return renderSchemaLink($ref);
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

function renderSchemaLink(reference: string): Html {
  const name = reference.split('/').at(-1) as string;
  return html`<a href="#${schemaAnchor(name)}">${name}</a>`;
}

function joinTypes(types: readonly Html[], separator: string): Html {
  return html`${types.map((one, index) => (index === 0 ? one : html`${separator}${one}`))}`;
}

/** A small object inside another is described in place. */
function describeMembers({ properties }: JsonSchema): Html | null {
  if (properties === undefined) return null;
  const members = Object.entries(properties as Record<string, JsonSchema>);
  const parts = members.map(([name, member]) => html`<code>${name}</code> ${renderType(member)}`);
  return html` of ${joinTypes(parts, ', ')}`;
}

/** zod bounds every integer by the safe integers; such a bound is left out. */
function describeRange({ minimum, maximum }: JsonSchema): string {
  const low = typeof minimum === 'number' && minimum > Number.MIN_SAFE_INTEGER ? minimum : null;
  const high = typeof maximum === 'number' && maximum < Number.MAX_SAFE_INTEGER ? maximum : null;
  if (low !== null && high !== null) return `, ${low} to ${high}`;
  if (low !== null) return `, at least ${low}`;
  return high === null ? '' : `, at most ${high}`;
}
