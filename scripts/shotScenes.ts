// Scenes of `npm run web:shots` for those who judge how the pages look (SVC_TEST_SHOTS): listings with their proposals, profiles,
// and the split of a task by both parties.
import type { Browser, Page } from 'playwright-core';
import { privateKeyToAccount } from 'viem/accounts';
import { joinMarket } from '#sdk/client/joinMarket.ts';
import { parseTok } from '#sdk/domain/amount.ts';
import { parseTaskId } from '#sdk/domain/taskId.ts';
import { type AccountName, accountOf } from '#service/devnet/accounts.ts';
import { steps } from '../test/pages/taskSteps.ts';
import { createCast, enter } from '../test/support/cast.ts';
import { postTask } from '../test/support/posting.ts';

export type Studio = {
  readonly url: string;
  readonly rpcUrl: string;
  readonly open: (from: Browser, path: string, theme: 'light' | 'dark', name?: AccountName) => Promise<Page>;
  readonly shoot: (page: Page, file: string) => Promise<void>;
};

/** The board with listings, one with two proposals as its poster sees it, profiles, and the preview of a shared link. */
export async function takeListing(from: Browser, { url, rpcUrl, open, shoot }: Studio): Promise<void> {
  const join = (name: AccountName) =>
    joinMarket({ url, account: privateKeyToAccount(accountOf(name).privateKey), rpcUrl });
  const [poster, dear, cheap] = await Promise.all([join('press'), join('linguist'), join('analyst')]);
  const { id } = await poster.matching.list({
    schema: 'svc-listing-v1',
    market: 'standard',
    task: {
      schema: 'svc-task-v1',
      title: 'Count the lighthouses between Brest and Bilbao',
      description: 'We print a map of the coast, and need every light that a sailor sees at night.',
      criteria: 'One number for each department, with its source.',
      milestones: [],
      tags: ['counting', 'maps'],
    },
    budget: { minTokWei: String(parseTok('1200')), maxTokWei: String(parseTok('3000')) },
    milestoneBps: [],
    deadline: Math.floor(Date.now() / 1_000) + 40 * 86_400,
    reviewPeriod: 3 * 86_400,
  });
  const listing = await cheap.matching.get(id);
  await dear.matching.propose(listing, {
    totalAmountTok: '1900',
    days: 3,
    rationale: 'I have counted the lights of the Baltic for a chart, and keep a list of sources.',
  });
  await cheap.do.approveTokRouter({ market: 'standard', amountTok: '1000' });
  const offer = { totalAmountTok: '1500', days: 2, rationale: 'I know the coast.', isBinding: true };
  await cheap.matching.propose(listing, offer);
  await Promise.all([poster, dear, cheap].map((one) => one.close()));

  const wanted = await open(from, '/market.html?market=standard&view=wanted', 'light');
  await wanted.getByRole('link', { name: /Count the lighthouses/ }).waitFor();
  await shoot(wanted, 'listings.png');
  const owner = await open(from, `/market.html?listing=${id}`, 'light', 'press');
  await owner.getByRole('button', { name: 'Sign in at this gateway' }).click();
  await owner.locator('.proposals > li').nth(1).waitFor();
  await shoot(owner, 'proposals.png');
  await owner.getByRole('button', { name: 'Accept: create and fund' }).first().click();
  await owner.locator('dialog .signbar button:enabled').waitFor();
  await shoot(owner, 'accept-proposal.png');
  const visitor = await open(from, `/market.html?listing=${id}`, 'light', 'coder');
  await shoot(visitor, 'propose.png');
  const shown = await open(from, `/agent.html?address=${accountOf('linguist').address}`, 'light');
  await shoot(shown, 'profile-visitor.png');
  const own = await open(from, `/agent.html?address=${accountOf('linguist').address}`, 'light', 'linguist');
  await shoot(own, 'profile-owner.png');
  const first = await open(from, '/market.html?market=standard&post=new', 'light', 'press');
  await first.getByRole('heading', { name: 'Who may take it?' }).waitFor();
  await shoot(first, 'who.png');
  const preview = await from.newPage();
  await preview.goto(`${url}/preview.png?listing=${id}`);
  await shoot(preview, 'preview.png');
}

/** One party signs a split, the other reads its figures. */
export async function takeSettle(from: Browser, { rpcUrl, open, shoot }: Studio): Promise<void> {
  const cast = await createCast(rpcUrl, 'standard');
  await enter(cast);
  const id = await postTask(cast, { dueIn: 10 * 86_400 });
  for (const step of ['claim', 'start'] as const) await steps[step](cast, parseTaskId(id).number);
  const poster = await open(from, `/market.html?task=${id}`, 'light', 'newcomer');
  await poster.getByRole('button', { name: 'Settle together' }).click();
  await poster.getByRole('button', { name: 'Sign in at this gateway' }).click();
  await poster.getByLabel('Share of the worker, %').fill('25');
  await poster.getByText('to the worker, ').first().waitFor();
  await shoot(poster, 'settle.png');
  await poster.getByRole('button', { name: 'Sign this offer and send it' }).click();
  await poster.getByText('Sent. The other party finds it in its messages').waitFor();
  await shoot(poster, 'settle-sent.png');
  const worker = await open(from, '/messages.html', 'light', 'visitor');
  await worker.getByRole('button', { name: 'Sign in at this gateway' }).click();
  await worker.getByRole('link', { name: `Task ${parseTaskId(id).number}, standard market` }).click();
  await worker.getByText('They have signed:').waitFor();
  await shoot(worker, 'settle-message.png');
  await worker.getByRole('button', { name: 'Agree and end the task' }).click();
  await worker.locator('dialog .signbar button:enabled').waitFor();
  await shoot(worker, 'settle-agree.png');
}
