// Mutual settlement: one party signs a split and sends the text to the other, who submits it with its own wallet.

import { buildSettlementTypedData, isSameAddress, parseTaskId } from '@svc/sdk/domain';
import { useState } from 'react';
import { signTypedData } from 'viem/actions';
import { useNow } from '#components/Clock.tsx';
import { NumberField, TextArea } from '#components/Field.tsx';
import type { Task } from '#data/market.ts';
import { explainError } from './send.ts';
import { buildSettlement, parseOffer, parsePercent, type SettlementOffer } from './settlement.ts';
import type { ActionInput } from './taskNeeds.ts';
import { chainId, requireClient, useWallet } from './useWallet.tsx';

const offerDays = 3;

export function SettleForm({
  task,
  input,
  onInput,
}: {
  readonly task: Task;
  readonly input: ActionInput;
  readonly onInput: (input: ActionInput) => void;
}) {
  const wallet = useWallet();
  const [signed, setSigned] = useState('');
  const [error, setError] = useState('');
  const [isBusy, setBusy] = useState(false);
  const now = useNow();
  const offer = parseOffer(input.other ?? '');
  const sign = async () => {
    setBusy(true);
    try {
      const client = requireClient(wallet);
      const workerBps = parsePercent(input.percent);
      const validUntil = now + offerDays * 86_400;
      const { number } = parseTaskId(task.id);
      const settlement = buildSettlement(task, number, workerBps, validUntil);
      const typedData = buildSettlementTypedData(settlement, {
        chainId,
        registry: task.registryAddress as `0x${string}`,
      });
      const signature = await signTypedData(client, typedData);
      const by = isSameAddress(client.account.address, task.poster as `0x${string}`) ? 'poster' : 'worker';
      setSigned(
        JSON.stringify({ task: task.id, workerBps, validUntil, by, signature } satisfies SettlementOffer),
      );
      setError('');
    } catch (reason) {
      setError(explainError(reason));
    }
    setBusy(false);
  };
  return (
    <>
      <NumberField
        label="Share of the worker, %"
        note={`Of everything in escrow. Your offer is valid for ${offerDays} days.`}
        value={input.percent ?? ''}
        onChange={(percent) => onInput({ ...input, percent })}
      />
      <button type="button" className="button" disabled={isBusy} onClick={sign}>
        {isBusy ? 'Confirm in your wallet…' : 'Sign this offer'}
      </button>
      {error !== '' && (
        <p className="notice" data-is="risk" role="alert">
          {error}
        </p>
      )}
      {signed !== '' && (
        <TextArea
          label="Your signed offer: send this text to the other party"
          value={signed}
          onChange={setSigned}
        />
      )}
      <TextArea
        label="Or: the signed offer of the other party"
        note={
          offer === null
            ? 'Paste it here to accept it with your wallet.'
            : `${offer.workerBps / 100} % goes to the worker, the rest to the poster.`
        }
        value={input.other ?? ''}
        onChange={(other) => onInput({ ...input, other })}
      />
    </>
  );
}
