// The buttons that approve or reject a request, and the error if that failed. Without the secret of the approval link the
// wallet signs in first: the gateway takes a decision from nobody else.
import { useState } from 'react';
import { Button, Failure, TextField } from '../../components/Form.tsx';
import { decideRequest, readApprovalToken } from '../../data/walletRequests.ts';
import { type Attempt, useAttempt } from '../../wallet/useAttempt.ts';
import { SignInButton, useSession } from '../../wallet/useSession.tsx';

type DecisionProps = {
  id: string;
  /** The wallet that the request asks. */
  owner: string;
  /** Null where it can only be rejected. */
  approving: Attempt<[], void> | null;
  /** False while it can only be rejected; the page says what is missing. */
  isReady?: boolean;
  /** The page warns of it, so approving is not the way that it proposes. */
  isDoubtful?: boolean;
  error?: string | null;
  busyLabel?: string;
  approveLabel?: string;
  rejectLabel?: string;
};

export function Decision(props: DecisionProps) {
  const { id, owner, approving, isReady = false, isDoubtful = false, error = null } = props;
  const { approveLabel, rejectLabel = 'Reject', busyLabel } = props;
  const [reason, setReason] = useState('');
  const rejecting = useAttempt(() =>
    decideRequest(id, owner, { status: 'rejected', ...(reason.trim() !== '' && { reason: reason.trim() }) }),
  );
  const session = useSession();
  if (readApprovalToken(id) === null && session.token === null)
    return (
      <SignInButton session={session}>
        This page was opened without the secret of the approval link. Sign in to show that the request is
        yours.
      </SignInButton>
    );
  return (
    <div className="stack">
      <TextField
        label="Your reason, if you reject it"
        note="The tool that asked reads it."
        maxLength={300}
        value={reason}
        onChange={setReason}
      />
      <Failure text={rejecting.failure ?? approving?.failure ?? error} />
      <div className="row">
        {approving !== null && (
          <Button
            is={isDoubtful ? undefined : 'main'}
            disabled={!isReady || rejecting.isBusy}
            run={approving}
            busyLabel={busyLabel}
          >
            {approveLabel}
          </Button>
        )}
        <Button is="risk" disabled={approving?.isBusy === true} run={rejecting} busyLabel="Rejecting…">
          {rejectLabel}
        </Button>
      </div>
    </div>
  );
}
