/** The one place where planning speaks to a log: a trusted condition that compares with undefined is a mistake of the application, and matches nothing. */
import { Logger } from '@nestjs/common';

const logger = new Logger('Crud');

/** Logs which field was compared with undefined. */
export function reportUndefined(model: string, field: string): void {
  logger.error(
    `A condition on ${model} compares "${field}" with undefined: it matches nothing. Check what computes it (path parameters, @CrudAuth, query.filter).`,
  );
}
