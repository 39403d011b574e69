// The front door of negotiation.
export * from '#negotiation/arrival.ts';
export * from '#negotiation/canonical.ts';
export * from '#negotiation/depth.ts';
export * from '#negotiation/envelope.ts';
export * from '#negotiation/loose.ts';
export * from '#negotiation/negotiation.ts';
export * from '#negotiation/next.ts';
export * from '#negotiation/parties.ts';
export * from '#negotiation/refusal.ts';
export * from '#negotiation/signature.ts';
export * from '#negotiation/terms.ts';
export * from '#negotiation/transcript.ts';
export * from '#negotiation/verifyTranscript.ts';
export * from '#negotiation/vetoes.ts';
