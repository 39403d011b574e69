// The part of @xmtp/node-sdk 5.5.0 that svc uses. The package is installed on demand, so its types are declared here and
// the compiler never needs it.
declare module '@xmtp/node-sdk' {
  export type ContentTypeId = {
    readonly authorityId: string;
    readonly typeId: string;
    readonly versionMajor: number;
    readonly versionMinor: number;
  };

  export type EncodedContent = {
    readonly type?: ContentTypeId;
    readonly parameters: Record<string, string>;
    readonly fallback?: string;
    readonly content: Uint8Array;
  };

  export type ContentCodec = {
    readonly contentType: ContentTypeId;
    readonly encode: (content: string) => EncodedContent;
    readonly decode: (content: EncodedContent) => string;
    readonly fallback: (content: string) => string | undefined;
    readonly shouldPush: (content: string) => boolean;
  };

  export type Identifier = { readonly identifier: string; readonly identifierKind: number };

  export type Signer = {
    readonly type: 'EOA';
    readonly getIdentifier: () => Identifier;
    readonly signMessage: (message: string) => Promise<Uint8Array>;
  };

  export type Dm = {
    readonly send: (content: EncodedContent, options: { readonly shouldPush: boolean }) => Promise<string>;
    readonly messages: (options: {
      readonly insertedAfterNs: bigint;
    }) => Promise<{ readonly contentType?: ContentTypeId; readonly content?: unknown }[]>;
  };

  export type Client = {
    readonly installationId: string;
    readonly conversations: {
      readonly createDmWithIdentifier: (identifier: Identifier) => Promise<Dm>;
      readonly syncAll: () => Promise<unknown>;
      readonly listDms: () => Dm[];
    };
  };

  export const Client: {
    readonly create: (
      signer: Signer,
      options: {
        readonly env: 'production' | 'dev' | 'local';
        readonly dbPath: string;
        readonly dbEncryptionKey: Uint8Array;
        readonly codecs: readonly ContentCodec[];
      },
    ) => Promise<Client>;
  };
}
