// What a task's page says before its script runs: title and description for previews of shared links, and the first words
// of the brief. Private tasks have none.

import { formatTok, parseTaskId } from '@svc/sdk/domain';
import { offeredAmount } from '@svc/sdk/internal/domain/task';
import { toPlain } from '@svc/sdk/internal/domain/text';
import type { MarketService } from '#market/taskLists.ts';
import { html } from './reference/document.ts';

export type TaskHead = { readonly title: string; readonly description: string; readonly brief: string };

const maxTitle = 120;
const maxDescription = 200;
/** More than fits above the fold. */
const maxBrief = 1_000;

/** Null for what has no public words: private, withheld and unknown tasks all look the same. */
export async function readTaskHead(
  market: Pick<MarketService, 'getTask'>,
  id: unknown,
): Promise<TaskHead | null> {
  if (typeof id !== 'string' || id.length > 100) return null;
  try {
    const { task } = await market.getTask(parseTaskId(id));
    if (task.scope !== 'open' || task.title === undefined) return null;
    const amount = `${formatTok(offeredAmount(task))} TOK`;
    return {
      title: shorten(task.title, maxTitle),
      description: shorten(`${amount}. ${task.description || task.criteria || ''}`, maxDescription),
      // The page renders Markdown; its marks would only flash here.
      brief: shorten((task.description || task.criteria || '').replaceAll(/[*`#]+/g, ''), maxBrief),
    };
  } catch {
    // The page says what is wrong with the id.
    return null;
  }
}

/** On one line, without control characters, and cut between two characters. */
export function shorten(text: string, length: number): string {
  const characters = [...toPlain(text).trim()];
  return characters.length <= length ? characters.join('') : `${characters.slice(0, length - 1).join('')}…`;
}

/** The document with this head in place of its general one. */
export function fillHead(page: string, { title, description, brief }: TaskHead): string {
  const tags = html`<meta name="description" content="${description}" />
    <meta property="og:site_name" content="svc" />
    <meta property="og:type" content="website" />
    <meta property="og:title" content="${title}" />
    <meta property="og:description" content="${description}" />
    <meta name="twitter:card" content="summary" />
    <title>${title} · svc</title>`;
  const words = html`<header class="taskhead"><h1 dir="auto">${title}</h1></header>
<section class="sheet"><header><h2>What is needed</h2></header><div class="body"><div class="untrusted"><p dir="auto">${brief}</p></div></div></section>`;
  // Functions, because a text would be searched for patterns such as $&.
  return page
    .replace(/<meta name="description"[^>]*>\s*/, () => '')
    .replace(/<title>[^<]*<\/title>/, () => tags.html)
    .replace('<!--task-->', () => words.html);
}
