// The front door of negotiation.
export * from '#negotiation/changes.ts';
export * from '#negotiation/envelope.ts';
export * from '#negotiation/judgeDisclosure.ts';
export * from '#negotiation/negotiation.ts';
export * from '#negotiation/nextMessages.ts';
export * from '#negotiation/terms.ts';
export * from '#negotiation/transcript.ts';
export * from '#negotiation/verifyEnvelope.ts';
export * from '#negotiation/verifyTranscript.ts';
