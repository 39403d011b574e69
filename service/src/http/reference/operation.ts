// One route for people: what it takes, how to ask, what comes back.
import type {
  CodeSample,
  MediaType,
  OpenApiRequestBody,
  Operation,
  Parameter,
  Response,
  RoutedOperation,
} from '@svc/sdk/schemas';
import { type Html, html, renderLine } from './html.ts';
import { renderType } from './schema.ts';

export function renderOperation({ path, method, operation }: RoutedOperation): Html {
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
  const rows = parameters.map(
    ({ name, in: place, required, description, schema }) =>
      html`<tr><td><code>${name}</code>${place === 'header' ? html`<br><span class="soft">header</span>` : null}${required ? html`<br><span class="need">required</span>` : null}</td>
<td>${renderType(schema)}${schema.default === undefined ? null : html`<br><span class="soft">default ${String(schema.default)}</span>`}</td><td>${renderLine(description)}</td></tr>
`,
  );
  return html`<h4>Parameters</h4><div class="scroll"><table><thead><tr><th>Name</th><th>Type</th><th>Meaning</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

function renderRequestBody({ description, content }: OpenApiRequestBody): Html {
  const media = content['application/json'];
  return html`<h4>Body</h4><p>${renderType(media.schema)} ${renderLine(description)}</p>${renderExample(media)}`;
}

function renderSample({ label, source }: CodeSample): Html {
  return html`<pre tabindex="0" aria-label="${label}"><code># ${label}
${source}</code></pre>`;
}

function renderResponses(responses: Operation['responses']): Html {
  const entries = Object.entries(responses).sort(([left], [right]) => (left < right ? -1 : 1));
  const rows = entries.map(
    ([status, response]) =>
      html`<tr><td><code>${status}</code></td><td>${renderBodies(response)}</td><td>${renderMeaning(response)}</td></tr>
`,
  );
  const [example] = Object.values(responses[200]?.content ?? {});
  return html`<div class="scroll"><table><thead><tr><th>Status</th><th>Body</th><th>Meaning</th></tr></thead>
<tbody>${rows}</tbody></table></div>${example ? renderExample(example) : null}`;
}

function renderBodies({ content = {} }: Response): Html {
  const [first] = Object.entries(content);
  if (first === undefined) return html`<span class="soft">none</span>`;
  const [contentType, { schema }] = first;
  return contentType === 'application/json' ? renderType(schema) : html`<code>${contentType}</code>`;
}

/** A refusal's sentences one by one; what may come together in one status need not be read as one text. */
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
