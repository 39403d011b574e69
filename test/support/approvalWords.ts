// The money of an action as its owner meets it: in the question of a client, in the answer of the tool, on the page of a request
// and in the dialog of a page. All four are compared with the movements that the bytes of the calls declare.
import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/client';
import { requireAction } from '#sdk/actions/catalog.ts';
import { explainCalls, listMoneyLines } from '#sdk/actions/explainCalls.ts';
import { describeAmount, type Movement, nameAccount } from '#sdk/actions/movements.ts';
import { planAction } from '#sdk/actions/planAction.ts';
import { buildContext, type PreparedCalls, parseArguments } from '#sdk/actions/prepareAction.ts';
import type { MarketAccess } from '#sdk/actions/reads.ts';
import type { Address } from '#sdk/domain/address.ts';
import { type CostLine, listMoney, listPlanLines } from '../../web/src/wallet/costLines.ts';
import { callTool, connectTools } from './tools.ts';

type Args = Readonly<Record<string, unknown>>;

/** Checks the first request of each action. */
export function createWordsCheck() {
  const checked = new Set<string>();
  return async (prepared: PreparedCalls, args: Args, access: MarketAccess): Promise<void> => {
    const { action, from, calls, money } = prepared;
    if (checked.has(action)) return;
    checked.add(action);
    const explained = await explainCalls(calls, from, access);
    const lines = listMoneyLines(explained, from);
    const movements = explained.flatMap((one) => one.movements);
    assert.deepEqual(money, lines, action);
    for (const one of movements)
      assert.ok(
        lines.some((line) => line.startsWith(describeAmount(one))),
        `${action}: ${describeAmount(one)}`,
      );
    const { question, answered } = await askClient(action, { ...args, from }, access, from);
    assert.deepEqual(answered, lines, `${action}: the answer of the tool`);
    for (const line of lines)
      assert.ok(question.includes(`\n- ${line}\n`), `${action}: ${line}\n${question}`);
    assert.equal(/No money moves/.test(question), lines.length === 0, `${action}\n${question}`);
    for (const { task, ...one } of explained) {
      const reader = { me: from, task };
      const page = listMoney(one, reader);
      for (const move of one.movements) assertShown(page, move, reader, `${action}: the page`);
      assert.equal(page.length, one.movements.length + Number(one.allowance !== null), action);
    }
    const write = requireAction(action);
    assert.equal(write.kind, 'write');
    if (write.kind !== 'write') return;
    const parsed = parseArguments(write, { ...args, from });
    const plan = await planAction(
      write,
      parsed,
      { ...buildContext(parsed, access), from },
      { coversCollateral: true },
    );
    assert.ok('explained' in plan);
    const dialog = listPlanLines(plan, from);
    const reader = { me: from, task: plan.task };
    for (const move of plan.explained.at(-1)?.movements ?? [])
      assertShown(dialog, move, reader, `${action}: the dialog`, isCost(move));
  };
}

/** Costs have names of their own in a dialog, such as `Access fee`. */
function isCost({ from, to }: Movement): boolean {
  return from.place === 'wallet' || from.place === 'credits' || to.place === 'bond';
}

function assertShown(
  lines: readonly CostLine[],
  move: Movement,
  reader: Parameters<typeof nameAccount>[1],
  where: string,
  isNamed = false,
): void {
  const amount = describeAmount(move);
  const [source, target] = [nameAccount(move.from, reader), nameAccount(move.to, reader)];
  const found = lines.some((line) => {
    if (line.amount.replaceAll(',', '') !== amount) return false;
    if (isNamed) return true;
    const text = `${line.what} ${line.note ?? ''}`;
    const isFreed = text.includes('free again') && source.address === target.address;
    const words = isFreed ? [source.name.slice(1)] : [target.name, source.name];
    return [...words, source.address, target.address].every((word) => word === null || text.includes(word));
  });
  assert.ok(found, `${where}: ${amount} to ${target.name}\n${JSON.stringify(lines, toText)}`);
}

const toText = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

/** A stock client whose person declines: what it was asked, and what the tool answers where nothing is signed. */
async function askClient(action: string, args: Args, access: MarketAccess, own: Address) {
  const needs = {
    connectPrepare: async () => access,
    readOwnAddress: async () => own,
    market: { task: async () => ({ task: {} }) },
  };
  const client = new Client({ name: 'stock', version: '1' }, { capabilities: { elicitation: { form: {} } } });
  let question = '';
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    question = params.message;
    return { action: 'decline' };
  });
  await connectTools(needs, { signsAtOnce: true }, client);
  const call = (wallet: string) => callTool(client, 'svc_prepare', { action, arguments: args, wallet });
  assert.match((await call('server')).text, /did not confirm it/, action);
  const { data } = await call('none');
  await client.close();
  return { question, answered: data.money };
}
