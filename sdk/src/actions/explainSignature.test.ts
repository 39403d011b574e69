// Typed data that a wallet is asked to sign is explained by its own fields; what cannot be read is called dangerous.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MarketContracts } from '../chain/contracts.ts';
import { marketParameters } from '../domain/parameters.ts';
import { listMoneyLines, unlimited } from './explainCalls.ts';
import { explainSignature } from './explainSignature.ts';

const address = (digit: number) => `0x${String(digit).repeat(40)}` as const;
const contracts = { tokToken: address(1), taskRegistry: address(2), usdc: address(3) } as MarketContracts;
const [poster, worker, other] = [address(4), address(5), address(6)];
const figures = { ...marketParameters.standard, entriesPaused: false, taskCount: 0n };
const reads = { readTask: async () => null, readFigures: async () => figures };
const access = { chainId: 8_453, contracts: { standard: contracts }, reads };

async function explain(
  verifyingContract: string | undefined,
  primaryType: string,
  message: object,
  chainId = 8_453,
  name?: string,
) {
  const typedData = { domain: { name, chainId, verifyingContract }, primaryType, message };
  const explained = await explainSignature(typedData, poster, access);
  const { action, allowance, dangers } = explained;
  return { action: action?.name, allowance, dangers, lines: listMoneyLines([explained], poster).join('\n') };
}

test('a payment of USDC names its payer, its receiver and its amount', async () => {
  for (const type of ['TransferWithAuthorization', 'ReceiveWithAuthorization']) {
    const { lines, dangers } = await explain(contracts.usdc, type, {
      from: poster,
      to: other,
      value: '2500000',
    });
    assert.match(lines, new RegExp(`2\\.5 USDC.*${other}`));
    assert.match(dangers.join(), new RegExp(`whoever has it can move 2\\.5 USDC of this wallet to ${other}`));
  }
});

test('a permit says who may take how much of which token, and that nobody asks for one', async () => {
  const cases = [
    [contracts.usdc, '7', 'your USDC', false],
    [contracts.tokToken, String(unlimited), 'all TOK', true],
  ] as const;
  for (const [token, value, what, isUnlimited] of cases) {
    const { allowance, dangers } = await explain(token, 'Permit', { spender: other, value });
    assert.deepEqual([allowance?.spender, allowance?.amount], [other, BigInt(value)]);
    assert.equal(allowance?.isUnlimited, isUnlimited);
    assert.match(dangers.join(), new RegExp(`A permit: it lets ${other} take ${what}\\.`));
  }
});

test('terms and splits are explained for a party, and warned of for anybody else', async () => {
  const signed = { totalAmount: '5000', held: '1000', workerBps: '2500' };
  for (const [type, name] of [
    ['TaskTerms', 'create-task'],
    ['MutualSettlement', 'mutual-settle'],
  ] as const)
    for (const [first, isParty] of [
      [poster, true],
      [other, false],
    ] as const) {
      const message = { ...signed, poster: first, worker };
      const { action, dangers } = await explain(contracts.taskRegistry, type, message);
      assert.equal(action, name);
      assert.equal(/neither poster nor worker/.test(dangers.join()), !isParty);
    }
});

test('what moves nothing says so and is no danger, unless it is of another program', async () => {
  for (const [type, name, contract] of [
    ['Session', 'svc gateway', undefined],
    ['NegotiationEnvelope', 'svc negotiation', undefined],
    ['Profile', 'svc profile', undefined],
    ['Listing', 'svc listing', contracts.taskRegistry],
  ] as const) {
    const { dangers, lines } = await explain(contract, type, {}, 8_453, name);
    assert.deepEqual(dangers, [], type);
    assert.match(lines, /^No money moves\./);
    for (const [place, domain] of [
      [contract, 'Other'],
      [other, name],
    ] as const)
      assert.match(
        (await explain(place, type, {}, 8_453, domain)).dangers.join(),
        /not for a contract/,
        type,
      );
  }
});

test('other chains, other contracts and unreadable fields are a danger', async () => {
  const payment = { from: poster, to: other, value: '1' };
  for (const [contract, type, message, chainId, danger] of [
    [contracts.usdc, 'TransferWithAuthorization', payment, 1, /not for a contract of the market/],
    [other, 'TransferWithAuthorization', payment, 8_453, /not for a contract of the market/],
    [other, 'Session', {}, 8_453, /not for a contract of the market/],
    [contracts.taskRegistry, 'Permit', { spender: other, value: '1' }, 8_453, /not for a contract/],
    [contracts.usdc, 'TransferWithAuthorization', { to: other }, 8_453, /cannot be read/],
    [contracts.usdc, 'Permit', { spender: 'all', value: '1' }, 8_453, /cannot be read/],
    [contracts.taskRegistry, 'TaskTerms', {}, 8_453, /cannot be read/],
  ] as const) {
    const { action, lines, dangers } = await explain(contract, type, message, chainId);
    assert.equal(action, undefined);
    assert.match([lines, ...dangers].join(), danger, `${contract} ${type}`);
  }
});
