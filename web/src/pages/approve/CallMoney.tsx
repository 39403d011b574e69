// The money of one call: who pays whom how much, what it allows, what state the task takes, what can be lost and what
// happens next. All of it comes from the bytes of the call and the chain.
import type { ExplainedCall } from '@svc/sdk/actions';
import { formatTaskId, isSameAddress } from '@svc/sdk/domain';
import { Notices } from '../../components/Money.tsx';
import { Link } from '../../components/navigation.tsx';
import { stateWord } from '../../components/StateBadge.tsx';
import { UntrustedText } from '../../components/UntrustedText.tsx';
import { nameTask } from '../../data/format.ts';
import { useTask } from '../../data/market.ts';
import { CostTable } from '../../wallet/CostTable.tsx';
import { listMoney } from '../../wallet/costLines.ts';
import { RiskNotes } from '../../wallet/PlanView.tsx';

type CallMoneyProps = { explained: ExplainedCall; owner: `0x${string}` };

export function CallMoney({ explained, owner }: CallMoneyProps) {
  const { movements, allowance, state, action, task, facts, dangers } = explained;
  const isGivenAway = dangers.length > 0 && movements.some((move) => isGift(move, owner));
  return (
    <>
      <Notices is="risk" texts={dangers} />
      {task !== null && <TaskTitle id={formatTaskId(task)} />}
      <MoneyLines {...explained} owner={owner} />
      {movements.length === 0 && allowance === null && action !== null && (
        <p>
          <b>No money moves</b>, except for gas.
        </p>
      )}
      {state !== null && state.from !== state.to && (
        <p>
          The task {state.from === null ? 'is created as' : `goes from ${stateWord(state.from)} to`}{' '}
          <b>{stateWord(state.to)}</b>.
        </p>
      )}
      {action !== null && (
        <RiskNotes
          risk={isGivenAway ? 'All that goes to the other wallet.' : action.risk(facts?.task)}
          undo={isGivenAway ? 'No. Only the other wallet could send it back.' : action.undo}
          next={action.next}
        />
      )}
    </>
  );
}

/** From the owner's own money to another wallet. */
function isGift({ from, to }: ExplainedCall['movements'][number], owner: `0x${string}`): boolean {
  const isOwn = (account: typeof from) => 'owner' in account && isSameAddress(account.owner, owner);
  return isOwn(from) && 'owner' in to && !isOwn(to);
}

type MoneyLinesProps = Pick<ExplainedCall, 'movements' | 'allowance'> & {
  task: Parameters<typeof listMoney>[1]['task'];
  owner: `0x${string}`;
};

export function MoneyLines({ task, owner, ...money }: MoneyLinesProps) {
  const lines = listMoney(money, { me: owner, task });
  return lines.length === 0 ? null : <CostTable costs={lines} />;
}

/** The title is the poster's text. */
function TaskTitle({ id }: { id: string }) {
  const { data } = useTask(id);
  return (
    <div>
      {data !== undefined && <UntrustedText label="The task" text={nameTask(data)} />}
      <Link href={`/market.html?task=${id}`} className="small">
        {id}
      </Link>
    </div>
  );
}
