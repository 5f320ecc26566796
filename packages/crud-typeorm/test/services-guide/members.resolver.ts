/** An example of `docs/own-routes.md`: a service that is called without an HTTP request. */
import { Injectable } from '@nestjs/common';
import type { CrudRequest } from '@nestwright/crud';
import { RequestQueryParser, type SCondition } from '@nestwright/crud-request';
import { MembersService } from './members.service.js';

function requestFor(scope: SCondition, query: { limit?: number; page?: number } = {}): CrudRequest {
  const parsed = RequestQueryParser.create().parseQuery(query).getParsed();

  return { parsed: { ...parsed, search: scope }, options: { query: { maxLimit: 100 } }, scope };
}

@Injectable()
export class MembersResolver {
  constructor(private readonly members: MembersService) {}

  list(companyId: number, limit: number, page: number) {
    return this.members.getMany(requestFor({ companyId }, { limit, page }));
  }

  // A member of another company is not found.
  note(companyId: number, id: number, note: string) {
    return this.members.updateOne(requestFor({ companyId, id }), { note });
  }
}
