import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { CrudRequest } from '@nestjsx/crud';
import { isNil } from '@nestjsx/util';
import type { Observable } from 'rxjs';

/** Tells the client which page size it was given. */
@Injectable()
export class PageSizeInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const parsed: CrudRequest | undefined = http.getRequest()['NESTJSX_PARSED_CRUD_REQUEST_KEY'];
    const limit = parsed?.parsed.limit;
    if (!isNil(limit)) http.getResponse().setHeader('x-page-size', String(limit));

    return next.handle();
  }
}
