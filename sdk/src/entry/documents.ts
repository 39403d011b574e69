// The front door of documents.
export * from '#documents/buildDocument.ts';
export * from '#documents/viewDocument.ts';
