// Errors of signing in, with the names and the body that clients know from RFC 6749 and its extensions.
export type OAuthErrorName =
  | 'access_denied'
  | 'invalid_client'
  | 'invalid_client_metadata'
  | 'invalid_grant'
  | 'invalid_redirect_uri'
  | 'invalid_request'
  | 'invalid_scope'
  | 'invalid_target'
  | 'temporarily_unavailable'
  | 'unsupported_grant_type'
  | 'unsupported_response_type';

export class OAuthError extends Error {
  readonly error: OAuthErrorName;

  constructor(error: OAuthErrorName, description: string) {
    super(description);
    this.error = error;
  }
}
