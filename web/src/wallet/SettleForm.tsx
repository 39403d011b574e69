// Settling together: one party signs a split and hands the text over, the other sends it with its own wallet.

import { buildSettlementTypedData, isSameAddress, parseTaskId } from '@svc/sdk/domain';
import { useState } from 'react';
import { signTypedData } from 'viem/actions';
import { Field, TextField } from '../components/Field.tsx';
import { useNow } from '../data/clock.ts';
import type { Task } from '../data/market.ts';
import { chainId } from './config.ts';
import { parsePercent } from './percent.ts';
import { explainFailure } from './send.ts';
import { buildSettlement, readOffer, type SettlementOffer } from './settlement.ts';
import type { ActionInput } from './taskNeeds.ts';
import { requireClient, useWallet } from './useWallet.ts';

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
  const [fault, setFault] = useState('');
  const [isBusy, setBusy] = useState(false);
  const now = useNow();
  const offer = readOffer(input.other ?? '');
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
      setFault('');
    } catch (error) {
      setFault(explainFailure(error));
    }
    setBusy(false);
  };
  return (
    <>
      <Field
        label="Share of the worker, %"
        note={`Of everything escrow holds; your offer stands for ${offerDays} days.`}
      >
        {(props) => (
          <input
            {...props}
            inputMode="decimal"
            value={input.percent ?? ''}
            onChange={(event) => onInput({ ...input, percent: event.target.value })}
          />
        )}
      </Field>
      <button type="button" className="button" disabled={isBusy} onClick={sign}>
        {isBusy ? 'Follow the wallet…' : 'Sign this offer'}
      </button>
      {fault !== '' && (
        <p className="notice" data-is="risk" role="alert">
          {fault}
        </p>
      )}
      {signed !== '' && (
        <TextField
          label="Your signed offer: send this text to the other party"
          value={signed}
          onChange={setSigned}
        />
      )}
      <TextField
        label="Or: the offer that the other party has signed"
        note={
          offer === null
            ? 'Paste it here to accept it with your wallet.'
            : `Gives ${offer.workerBps / 100} % to the worker and the rest to the poster.`
        }
        value={input.other ?? ''}
        onChange={(other) => onInput({ ...input, other })}
      />
    </>
  );
}
