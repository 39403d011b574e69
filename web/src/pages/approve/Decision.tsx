// The buttons that approve or reject a request, and the error if that failed. Without the secret of the approval link the
// wallet signs in first: the gateway takes a decision from nobody else.

import { useState } from 'react';
import { Button } from '#components/Button.tsx';
import { Failure } from '#components/QueryView.tsx';
import { queries } from '#data/client.ts';
import { queryKeys } from '#data/queryKeys.ts';
import { readApprovalToken, sendResult } from '#data/walletRequests.ts';
import { SignInButton, useSession } from '#wallet/useSession.tsx';

export function Decision({
  id,
  owner,
  isBusy,
  isReady,
  isDoubtful = false,
  error,
  busyLabel,
  approveLabel,
  rejectLabel = 'Reject',
  onApprove,
}: {
  id: string;
  /** The wallet that the request asks. */
  owner: string;
  isBusy: boolean;
  /** False while it can only be rejected; the page says what is missing. */
  isReady: boolean;
  /** The page warns of it, so approving is not the way that it proposes. */
  isDoubtful?: boolean;
  error: string | null;
  busyLabel: string;
  approveLabel: string;
  rejectLabel?: string;
  onApprove: () => Promise<void>;
}) {
  const [rejectError, setRejectError] = useState<string | null>(null);
  const reject = async () => {
    try {
      queries.setQueryData(queryKeys.request(id), await sendResult(id, owner, { status: 'rejected' }));
    } catch (reason) {
      setRejectError((reason as Error).message);
    }
  };
  const session = useSession();
  const shown = rejectError ?? error;
  if (readApprovalToken(id) === null && session.token === null)
    return (
      <SignInButton session={session}>
        This page was opened without the secret of the approval link. Sign in to show that the request is
        yours.
      </SignInButton>
    );
  return (
    <div className="stack">
      <Failure text={shown} />
      <div className="row">
        <Button is={isDoubtful ? undefined : 'main'} disabled={isBusy || !isReady} onClick={onApprove}>
          {isBusy ? busyLabel : approveLabel}
        </Button>
        <Button is="risk" disabled={isBusy} onClick={reject}>
          {rejectLabel}
        </Button>
      </div>
    </div>
  );
}
