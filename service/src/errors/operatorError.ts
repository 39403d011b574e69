// An error that only an operator or a command meets. It is an SvcError, so that one handler reports both.

import { type ErrorCode, SvcError } from '@svc/sdk/domain';
import type { DetailsOf } from '@svc/sdk/internal/domain/errors';
import { operatorErrors } from './operatorCodes.ts';

type Messages = typeof operatorErrors;
export type OperatorCode = keyof Messages;
/** Every code of svc. */
export type AnyCode = ErrorCode | OperatorCode;

/** As SvcError, with the codes of operatorCodes.ts. */
export class OperatorError<Code extends OperatorCode = OperatorCode> extends SvcError<Code> {
  constructor(code: Code, details: DetailsOf<Messages[Code]>, cause?: unknown) {
    super(code, details as never, cause, operatorErrors);
  }
}

/** Whether it is an error with one of these codes. */
export function isOperatorError(error: unknown, ...codes: readonly OperatorCode[]): error is OperatorError {
  return error instanceof OperatorError && codes.includes(error.code);
}
