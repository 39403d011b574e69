// An instant task from the claim to the pay in three blocks, one after the other.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Hex, keccak256, parseEther } from 'viem';
import { markets } from '../../../../sdk/src/domain/market.ts';
import * as on from './chain.ts';

const hash: Hex = keccak256('0x01');
const [id, total, secondsPerBlock] = [1n, parseEther('6000'), 2];

for (const market of markets)
  test(`${market}: an instant task is claimed, delivered and accepted in consecutive blocks`, async () => {
    const chain = await on.createChain(market, 80_000_000n, total);
    const { registry, tok } = chain.contracts;
    const params = { totalAmount: total, deadline: BigInt(chain.clock + 3_600), reviewPeriod: 86_400 };
    const texts = { criteriaHash: hash, milestones: [], uri: '', fundNow: total };
    await chain.must(on.poster, registry, 'postTask', [{ ...params, ...texts, instant: true }]);
    const digest = await chain.one(registry, 'openDigest', [id, on.worker.address]);
    const before = (await chain.one(tok, 'balanceOf', [on.worker.address])) as bigint;
    const first = Number(await chain.ask('eth_blockNumber'));
    async function inNextBlock(from: on.Wallet, name: string, args: readonly unknown[]) {
      chain.skip(secondsPerBlock);
      await chain.must(from, registry, name, args);
    }
    await inNextBlock(on.worker, 'claimTask', [id, digest]);
    await inNextBlock(on.worker, 'submitProof', [id, 0, hash, '']);
    await inNextBlock(on.poster, 'acceptMilestone', [id, 0, BigInt(chain.clock)]);
    assert.equal(Number(await chain.ask('eth_blockNumber')) - first, 3);
    const task = (await chain.one(registry, 'taskOf', [id])) as { state: number; released: bigint };
    assert.deepEqual([task.state, task.released], [6, total]);
    const after = (await chain.one(tok, 'balanceOf', [on.worker.address])) as bigint;
    assert.equal(after - before, total - on.fee);
  });
