// How guides become pages: anchors as GitHub gives them, links that lead somewhere or are none, diagrams as lists.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { builtFileOf, urlOf } from '../../web/docs/guideLinks.ts';
import { renderDiagram, renderGuide } from '../../web/docs/renderGuide.ts';

const surroundings = {
  isServed: (file: string) => ['agents.md', 'operations/README.md', 'images/task.png'].includes(file),
  sizeOf: () => ({ width: 1_080, height: 700 }),
};
const render = (text: string, file = 'quick-start.md') => renderGuide(file, text, surroundings);

test('headings get anchors, the same one twice gets a number, and those of level two are the sections', () => {
  const { title, sections, html } = render('# One `svc`\n\n## Who may?\n\n## Who may?\n\n### Deeper\n');
  assert.equal(title, 'One svc');
  assert.deepEqual(
    sections.map(({ anchor }) => anchor),
    ['who-may', 'who-may-1'],
  );
  assert.match(html, /<h3 id="deeper">/);
});

test('a link leads to the served page; to a source it is no link; to the pages it keeps the reader’s server', () => {
  const { html } = render(
    '[a](agents.md#wallets) [b](operations/README.md) [c](../src/main.ts) [d](http://localhost:4020/market.html)',
  );
  assert.match(html, /<a href="\/docs\/agents#wallets">a<\/a>/);
  assert.match(html, /<a href="\/docs\/operations">b<\/a>/);
  assert.match(html, /<span class="source" title="In the sources: \.\.\/src\/main\.ts">c<\/span>/);
  assert.match(html, /<a href="\/market\.html">d<\/a>/);
  assert.match(render('[up](README.md)', 'operations/stake.md').html, /<a href="\/docs\/operations">up<\/a>/);
});

test('code is shown as it is written, and a picture has its size', () => {
  const { html } = render('```sh\necho "<b>" && $HOME\n```\n\n![A task](images/task.png)\n');
  assert.match(html, /echo &#34;&#60;b&#62;&#34; &#38;&#38; \$HOME/);
  assert.match(html, /<img src="\/docs\/images\/task\.png" alt="A task" width="1080" height="700"/);
});

test('a diagram is a list of its arrows, with the names that its boxes show', () => {
  const states = renderDiagram('stateDiagram-v2\n  [*] --> POSTED: postTask\n  POSTED --> [*]\n');
  assert.match(states, /<b>start<\/b> .* <b>POSTED<\/b> <span class="quiet">postTask<\/span>/);
  assert.match(states, /<b>POSTED<\/b> .* <b>end<\/b>/);
  const boxes = renderDiagram('flowchart LR\n  a[First] -- pays --> b & c[(Third)]\n');
  assert.match(boxes, /<b>First<\/b> .* <b>b<\/b>, <b>Third<\/b> <span class="quiet">pays<\/span>/);
});

test('an overview is served at its folder', () => {
  assert.deepEqual(['README.md', 'operations/README.md', 'agents.md'].map(urlOf), [
    '/docs',
    '/docs/operations',
    '/docs/agents',
  ]);
  assert.equal(builtFileOf('operations/README.md'), 'docs/operations/index.html');
});

test('the summary is plain text, whatever its paragraph is made of', () => {
  const { summary } = render(
    '# Commands\n\n`svc <command> --help` & "more" of *it*, &amp;lt; too.\n\nNot this.\n',
  );
  assert.equal(summary, 'svc <command> --help & "more" of it, &lt; too.');
});
