// One deposit that walks through ten wallets: it opens as many conversations as in one of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWalletClient, http } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import { createMarketClient } from '#sdk/client/createMarketClient.ts';
import type { Address } from '#sdk/domain/address.ts';
import { parseUsdc } from '#sdk/domain/amount.ts';
import type { SignedEnvelope } from '#sdk/negotiation/envelope.ts';
import type { AccountName } from '#service/devnet/accounts.ts';
import { mailLimits } from '#service/relay/mailLimits.ts';
import { type Cast, createParty } from '../support/cast.ts';
import type { TestGateway } from '../support/gateway.ts';
import { until } from '../support/until.ts';

export type WalkingNeeds = {
  readonly gateway: () => TestGateway;
  readonly cast: () => Cast;
  /** Has collateral for long, and gets an open task. */
  readonly poster: PrivateKeyAccount;
  /** Looks for nobody. */
  readonly bystander: PrivateKeyAccount;
  readonly note: (by: PrivateKeyAccount, text: string, to: Address) => Promise<SignedEnvelope>;
  readonly send: (
    signed: SignedEnvelope,
  ) => Promise<{ readonly status: number; readonly body: { code?: string } }>;
};

const wallets: readonly AccountName[] = [
  ...(['press', 'lab', 'studio', 'shop', 'archive'] as const),
  ...(['linguist', 'coder', 'analyst', 'painter', 'scribe'] as const),
];

export function testWalking({ gateway, cast, poster, bystander, note, send }: WalkingNeeds): void {
  test('one deposit walked through ten wallets opens no more conversations than in one', async () => {
    const { rpcUrl } = gateway().devnet;
    const client = createMarketClient({ baseUrl: gateway().url(), rpcUrl });
    const post = client.actions.postTask({
      title: 'Anybody',
      description: 'A task that anybody may claim.',
      criteriaText: 'Done.',
      totalAmountTok: '100',
      deadline: '+7d',
      market: 'standard',
    } as never);
    await post.send(createWalletClient({ account: poster, transport: http(rpcUrl), pollingInterval: 25 }));
    await post.wait();

    const { usdc, deposits } = cast().contracts;
    const entry = parseUsdc('25');
    const parties = wallets.map((name) => createParty(cast().client, rpcUrl, name));
    await cast().poster.write(usdc, 'mint', [parties[0]?.address ?? '0x', entry]);
    const opened = { poster: 0, bystander: 0 };
    const refused = new Set<string | undefined>();
    for (const [at, party] of parties.entries()) {
      const open = async (to: PrivateKeyAccount) => send(await note(party.account, 'Hello', to.address));
      await party.write(usdc, 'approve', [deposits.address, entry]);
      assert.equal((await open(bystander)).body.code, 'NO_STANDING');
      const { blockNumber } = await party.write(deposits, 'topUp', [entry]);
      await until(async () => (await client.health()).block >= blockNumber);
      // As soon as the market shows the money, its owner may write.
      assert.equal((await open(bystander)).body.code, 'STANDING_NEW');
      for (const [name, to] of [
        ['poster', poster],
        ['bystander', bystander],
      ] as const)
        for (let count = 0; count < 3; count++) {
          const { status, body } = await open(to);
          if (status === 202) opened[name]++;
          else refused.add(body.code);
        }
      const next = parties[at + 1]?.address ?? party.address;
      await party.write(deposits, 'withdraw', [entry, next]);
    }
    assert.deepEqual(opened, { poster: mailLimits.openings, bystander: 0 });
    assert.deepEqual([...refused].sort(), ['MAIL_LIMIT', 'STANDING_NEW']);
  });
}
