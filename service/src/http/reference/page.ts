// The contract as a page for people: complete in itself, but for the theme.
import { listOperations, type OpenApiDocument, siteRoutes } from '@svc/sdk/schemas';
import { documentPolicy, renderDocument } from './document.ts';
import { type Html, html, renderLine, renderText } from './html.ts';
import { renderOperation } from './operation.ts';
import { renderSchema, schemaAnchor } from './schema.ts';

/** The theme that was chosen on the pages holds here, too. */
const themeScript = html`<script src="/theme.js"></script>`;
export const referencePolicy = `${documentPolicy}; script-src 'self'`;

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
</main></div>`,
    themeScript,
  );
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
