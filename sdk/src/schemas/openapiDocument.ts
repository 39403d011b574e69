// Types of the parts of an OpenAPI 3.1 document that this package writes.

export type JsonSchema = Readonly<Record<string, unknown>>;
export type Reference = { readonly $ref: string };

export type Example = { readonly summary?: string; readonly value: unknown };

export type MediaType = {
  readonly schema: JsonSchema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, Example>>;
};

export type Response = {
  readonly description: string;
  readonly headers: Readonly<Record<string, Reference>>;
  readonly content?: Readonly<Record<string, MediaType>>;
};

export type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
};

export type OpenApiRequestBody = {
  readonly description: string;
  readonly required: true;
  readonly content: Readonly<Record<string, MediaType>>;
};

export type CodeSample = { readonly lang: string; readonly label: string; readonly source: string };

export type Operation = {
  readonly operationId: string;
  readonly tags: readonly [string];
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly security?: readonly Readonly<Record<string, readonly []>>[];
  readonly requestBody?: OpenApiRequestBody;
  readonly responses: Readonly<Record<string, Response>>;
  readonly 'x-codeSamples': readonly CodeSample[];
};

export type Method = 'get' | 'post' | 'put' | 'delete';
export type PathItem = Readonly<Partial<Record<Method, Operation>>>;

export type OpenApiDocument = {
  readonly openapi: '3.1.0';
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly summary: string;
    readonly description: string;
    readonly license: { readonly name: string; readonly identifier: string };
  };
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly security: readonly [];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly headers: Readonly<Record<string, { readonly description: string; readonly schema: JsonSchema }>>;
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly securitySchemes?: Readonly<Record<string, JsonSchema>>;
  };
};

export type RoutedOperation = {
  readonly path: string;
  readonly method: Method;
  readonly operation: Operation;
};

/** Every operation with its path and method, in the order of the document. */
export function listOperations({ paths }: Pick<OpenApiDocument, 'paths'>): readonly RoutedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    (Object.entries(item) as [Method, Operation][]).map(([method, operation]) => ({
      path,
      method,
      operation,
    })),
  );
}
