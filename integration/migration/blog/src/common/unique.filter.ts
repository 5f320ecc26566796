import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import { QueryFailedError } from 'typeorm';

/** A unique constraint that is violated is a conflict. */
@Catch(QueryFailedError)
export class UniqueFilter implements ExceptionFilter {
  catch(error: QueryFailedError, host: ArgumentsHost): void {
    host.switchToHttp().getResponse().status(409).json({ statusCode: 409, message: error.message });
  }
}
