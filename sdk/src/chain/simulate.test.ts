// What a node says about calls that are only tried: with eth_simulateV1, and without the override of code.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SvcError } from '../domain/errors.ts';
import type { Asker } from './rpc.ts';
import type { RpcRequest } from './rpcRequests.ts';
import { simulateCalls, simulateTransfers } from './simulate.ts';

const me = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';
const other = '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc';
const token = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const topicOf = (address: string) => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;
const transfer = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

function answering(result: unknown): { rpc: Asker; asked: RpcRequest<unknown>[] } {
  const asked: RpcRequest<unknown>[] = [];
  const ask = async <T>(request: RpcRequest<T>): Promise<T> => {
    asked.push(request);
    if (result instanceof Error) throw result;
    return request.parse(result);
  };
  return { rpc: { ask } as Asker, asked };
}

const calls = [{ to: token, value: '0x0', data: '0x4e71d92d' }] as const;

test('transfers of any token and of ether that touch the wallet are listed, others are not', async () => {
  const log = (address: string, from: string, to: string, amount: number) => ({
    address,
    topics: [transfer, topicOf(from), topicOf(to)],
    data: `0x${amount.toString(16).padStart(64, '0')}`,
  });
  const logs = [
    log(token, me, other, 7),
    log(`0x${'ee'.repeat(20)}`, me, token, 5),
    log(token, other, token, 9),
    { address: token, topics: [transfer], data: '0x' },
  ];
  const { rpc, asked } = answering([{ calls: [{ status: '0x1', logs }] }]);
  const found = await simulateTransfers(rpc, me, calls);
  assert.deepEqual(found, [
    { token, from: me.toLowerCase(), to: other.toLowerCase(), amount: 7n },
    { token: null, from: me.toLowerCase(), to: token.toLowerCase(), amount: 5n },
  ]);
  assert.equal(asked[0]?.method, 'eth_simulateV1');
  assert.match(JSON.stringify(asked[0]?.params), /"traceTransfers":true/);
});

test('a call that fails, a node without the method and an answer of another shape all say nothing', async () => {
  for (const result of [
    [{ calls: [{ status: '0x0', logs: [] }] }],
    [],
    new Error('the method does not exist'),
    { nothing: true },
  ])
    assert.equal(await simulateTransfers(answering(result).rpc, me, calls), null);
});

test('a node that ignores or refuses the override tries the first call alone', async () => {
  const refused = (data?: string) => new SvcError('CHAIN_REFUSED', { reason: 'no', data });
  const [one, two] = [
    [{ to: token, data: '0x4e71d92d' }],
    [1, 2].map(() => ({ to: token, data: '0x' })),
  ] as const;
  const cases = [
    ['0x', [], '0x', { status: 'success', gas: 0n }],
    ['0x', one, '0x', { status: 'success', gas: null }],
    [refused(), two, '0x', { status: 'partial', at: 1 }],
    ['0x', one, refused('0x'), { status: 'reverted', at: 0 }],
    ['0x', one, refused(), 'CHAIN_REFUSED'],
    ['0x', one, new TypeError('lost'), 'lost'],
    [new TypeError('lost'), one, '0x', 'lost'],
  ] as const;
  for (const [together, sent, alone, expected] of cases) {
    const ask = async <T>(request: RpcRequest<T>): Promise<T> => {
      const answer = request.params.length === 3 ? together : alone;
      if (answer instanceof Error) throw answer;
      return request.parse(answer);
    };
    const found = await simulateCalls({ ask } as Asker, me, sent as never).catch((error) => error);
    if (typeof expected === 'string') assert.ok([found.code, found.message].includes(expected), expected);
    else assert.partialDeepStrictEqual(found, expected);
  }
});
