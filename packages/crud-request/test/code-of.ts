/** With which code a call is refused. */
import { RequestQueryException } from '@nestwright/crud-request';

export function codeOf(run: () => unknown): string | undefined {
  try {
    run();
  } catch (error) {
    return RequestQueryException.isRequestQueryException(error) ? error.code : String(error);
  }
  return undefined;
}
