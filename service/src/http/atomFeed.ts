// The board of a market as an Atom feed (RFC 4287). Unknown senders write the titles, texts and tags.

import { describeFunding, formatTok, type Market, toText as sayText } from '@svc/sdk/domain';
import { formatMoment } from '@svc/sdk/internal/domain/amount';
import { offeredAmount } from '@svc/sdk/internal/domain/task';
import type { MarketService } from '../market/taskLists.ts';
import { html } from './reference/document.ts';
import { shorten } from './taskHead.ts';

type FeedPlace = {
  /** Where the pages and the API are reached. */
  readonly url: string;
  readonly chainId: number;
  /** The registry of the market. */
  readonly registry: string;
  readonly market: Market;
  readonly tags: readonly string[];
};

export type FeedTask = Awaited<ReturnType<MarketService['listOpenInFull']>>['tasks'][number];

export const feedLength = 50;

const maxTitle = 120;
const maxTag = 60;
const maxDescription = 300;

/** Reads as XML in every parser: the template escapes, and `toText` leaves no character that XML forbids. */
export function writeFeed(tasks: readonly FeedTask[], place: FeedPlace): string {
  const { url, market, tags } = place;
  const query = new URLSearchParams({ market, ...(tags.length > 0 && { tag: tags.join() }) }).toString();
  const about = tags.length === 0 ? '' : ` with ${tags.map((tag) => toText(tag, maxTag)).join(' and ')}`;
  // The same bytes for as long as the tasks are the same; an empty board has no time.
  const updated = Math.max(0, ...tasks.map((task) => task.updatedAt));
  const feed = html`<feed xmlns="http://www.w3.org/2005/Atom">
<id>${nameOf(place, `open${tags.map((tag) => `:${encodeURIComponent(tag.toWellFormed())}`).join('')}`)}</id>
<title>Open tasks${about}, ${market} market</title>
<updated>${formatMoment(updated)}</updated>
<link rel="self" type="application/atom+xml" href="${`${url}/api/market/feed?${query}`}"/>
<link rel="alternate" type="text/html" href="${`${url}/market.html?${query}`}"/>
${tasks.map((task) => writeEntry(task, place))}</feed>
`;
  return `<?xml version="1.0" encoding="utf-8"?>\n${feed.html}`;
}

/** A task whose words are withheld or elsewhere. */
const unnamed = { title: '', description: '', criteria: '', tags: [] };

function writeEntry(task: FeedTask, place: FeedPlace) {
  const number = task.id.split(':').at(-1) as string;
  const { title, description, criteria, tags } = 'title' in task ? task : unnamed;
  const amount = `${formatTok(offeredAmount(task))} TOK, ${fundingOf(task)}.`;
  const summary = `${amount} Deadline ${formatMoment(task.deadline)}. ${toText(description || criteria, maxDescription)}`;
  return html`<entry>
<id>${nameOf(place, number)}</id>
<title>${toText(title, maxTitle) || `Task ${number}, ${task.market} market`}</title>
<link rel="alternate" type="text/html" href="${`${place.url}/market.html?task=${task.id}`}"/>
<published>${formatMoment(task.createdAt)}</published>
<updated>${formatMoment(task.updatedAt)}</updated>
<author><name>${task.poster}</name></author>
${tags.map((tag) => html`<category term="${toText(tag, maxTag)}"/>\n`)}<summary>${summary.trim()}</summary>
</entry>
`;
}

/** In the middle of a sentence. */
function fundingOf({ fullyFunded, fundedTokWei }: FeedTask): string {
  const text = sayText(describeFunding({ fullyFunded, fundedTokWei }));
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}

/** Independent of the server's address, so that a reader knows an entry again. */
function nameOf({ chainId, registry }: FeedPlace, what: string): string {
  return `urn:svc:${chainId}:${registry.toLowerCase()}:${what}`;
}

/** On one line, without control characters, lone surrogates and the two noncharacters that XML forbids. */
function toText(text: string, length: number): string {
  return shorten(text.toWellFormed().replaceAll(/[\uFFFE\uFFFF]/g, ' '), length);
}
