import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeMailHtml } from './mailBody.ts';

test('words of others stay words in the HTML of a mail', () => {
  const words = `<img src=x onerror="alert(1)"> & so on`;
  const links = { publicUrl: 'https://market.example', unsubscribeUrl: `https://market.example/?"><b>` };
  const html = writeMailHtml(
    {
      id: '1',
      kind: 'turn',
      subject: words,
      about: words,
      facts: [[words, words]],
      link: { label: words, path: `/market.html?"><b>` },
      data: {},
    },
    links,
  );
  assert.doesNotMatch(html, /<img|<b>|"alert/);
  // In the title, the heading, the sentence, both sides of the fact, and the button.
  assert.equal(html.split('&lt;img src=x onerror=&quot;alert(1)&quot;&gt; &amp; so on').length - 1, 6);
});
