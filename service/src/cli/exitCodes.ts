// With what number svc ends, for all commands: the one table of them.

export const exitCodes = { ok: 0, failed: 1, wronglyCalled: 2, wouldRevert: 3, notSettled: 4 } as const;

export type ExitName = keyof typeof exitCodes;

export const exitMeanings: Readonly<Record<ExitName, string>> = {
  ok: 'all went well; a server or a watcher was told to end',
  failed:
    'it failed; or what was looked for was found: differences (audit), faults (doctor), failed calls (keeper --once); or a message lies in the outbox, kept and not delivered (send, send-proposal, inbox), or the transport or the chain could not be asked (inbox)',
  wronglyCalled:
    'wrongly called: an unknown command or option, a missing or malformed argument; nothing was done',
  wouldRevert: 'the calls would revert, and no wallet was asked (prepare)',
  notSettled:
    'the request to the wallet was rejected, failed or expired, or the wait was broken off (prepare, request)',
};
