// Mutual settlement: one party signs a split and sends the text to the other, who submits it with its own wallet.

import { mutualSettle, parseArguments, planAction } from '@svc/sdk/actions';
import { isSameAddress } from '@svc/sdk/domain';
import { useState } from 'react';
import { signTypedData } from 'viem/actions';
import { NumberField, TextArea } from '#components/Field.tsx';
import type { Task } from '#data/market.ts';
import type { FormInput } from './ActionFields.tsx';
import { notReady, useMarketAccess } from './marketAccess.ts';
import { explainError } from './send.ts';
import { parseOffer, parsePercent, type SettlementOffer } from './settlement.ts';
import { requireClient, useWallet } from './useWallet.tsx';

const offerDays = 3;

export function SettleForm({
  task,
  input,
  onInput,
}: {
  readonly task: Task;
  readonly input: FormInput;
  readonly onInput: (input: FormInput) => void;
}) {
  const wallet = useWallet();
  const access = useMarketAccess();
  const [signed, setSigned] = useState('');
  const [error, setError] = useState('');
  const [isBusy, setBusy] = useState(false);
  const offer = parseOffer(input.offer ?? '');
  const sign = async () => {
    setBusy(true);
    try {
      const client = requireClient(wallet);
      if (access === null) throw new Error(notReady);
      const from = client.account.address;
      const workerBps = parsePercent(input.workerBps);
      const args = { taskId: task.id, from, workerBps, validUntil: `+${offerDays}d`, sign: true };
      const context = { ...access, market: task.market, contracts: access.contracts[task.market], from };
      const draft = await planAction(mutualSettle, parseArguments(mutualSettle, args), context);
      if (!('typedData' in draft)) throw new Error('the catalog built calls instead of typed data');
      const signature = await signTypedData(client, draft.typedData as never);
      const by = isSameAddress(from, task.poster as `0x${string}`) ? 'poster' : 'worker';
      const validUntil = Number(draft.result?.validUntil);
      setSigned(
        JSON.stringify({ task: task.id, workerBps, validUntil, by, signature } satisfies SettlementOffer),
      );
      setError('');
    } catch (reason) {
      setError(explainError(reason));
    }
    setBusy(false);
  };
  const [share] = mutualSettle.fields ?? [];
  return (
    <>
      <NumberField
        label={share?.label ?? ''}
        note={`${share?.note} Your offer is valid for ${offerDays} days.`}
        value={input.workerBps ?? ''}
        onChange={(workerBps) => onInput({ ...input, workerBps })}
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
        value={input.offer ?? ''}
        onChange={(text) => onInput({ ...input, offer: text })}
      />
    </>
  );
}
