// The contract as a page for people: complete in itself, without script and without anything from outside.
import { createHash } from 'node:crypto';
import { listOperations, type OpenApiDocument } from '#schemas/openapiDocument.ts';
import { siteRoutes } from '#schemas/routes/site.ts';
import { type Html, html, renderLine, renderText } from './html.ts';
import { renderOperation } from './operation.ts';
import { renderSchema, schemaAnchor } from './schema.ts';
import { style } from './style.ts';

const styleHash = createHash('sha256').update(style).digest('base64');

/** Nothing may be loaded but the one style sheet that the page brings along. */
export const referencePolicy =
  `default-src 'none'; style-src 'sha256-${styleHash}'; img-src data:; base-uri 'none'; form-action 'none'; ` +
  `frame-ancestors 'none'`;

export function renderReference(contract: OpenApiDocument): string {
  const { info, tags, components } = contract;
  const operations = listOperations(contract);
  const schemas = Object.entries(components.schemas);
  const groups = tags.map((tag) => ({
    ...tag,
    members: operations.filter(({ operation }) => operation.tags.includes(tag.name)),
  }));
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${info.title} API</title><link rel="icon" href="data:,"><style>${{ html: style }}</style></head>
<body><a class="skip" href="#content">Skip to the content</a><div class="page">
<nav aria-label="Routes"><a href="#content"><strong>${info.title} API</strong> ${info.version}</a>
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
</nav><main id="content"><h1>${info.title} API</h1>
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
</main></div></body></html>
`;
  return page.html;
}

function renderLinks(title: string, links: readonly (readonly [string, string])[]): Html {
  const items = links.map(([anchor, text]) => html`<li><a href="#${anchor}">${text}</a></li>`);
  return html`<h2>${title}</h2><ul>${items}</ul>`;
}

function renderHeaders(headers: OpenApiDocument['components']['headers']): Html {
  const rows = Object.entries(headers).map(
    ([name, { description }]) =>
      html`<tr><td><code>${name}</code></td><td>${renderLine(description)}</td></tr>`,
  );
  return html`<article><div class="scroll"><table><thead><tr><th>Name</th><th>Meaning</th></tr></thead>
<tbody>${rows}</tbody></table></div></article>`;
}
