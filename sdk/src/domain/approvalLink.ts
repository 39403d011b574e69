// The link to the approval page of a wallet request. Its fragment holds the secret that decides the request: browsers send
// fragments to no server, so it is in no log and no Referer.

/** Carries the secret to the gateway. */
export const approvalTokenHeader = 'Svc-Approval-Token';

const tokenField = '#token=';

export function addApprovalToken(approvalUrl: string, token: string): string {
  return `${approvalUrl}${tokenField}${token}`;
}

/** The link without its secret, and the secret; null in a link that only shows the request. */
export function splitApprovalUrl(link: string) {
  const [approvalUrl = '', token = null] = link.split(tokenField);
  return { approvalUrl, token };
}
