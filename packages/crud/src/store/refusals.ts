import { CATALOG } from '../constants.js';
import { crudError, ERRORS } from '../errors.js';
import type { Catalog } from '../plan/catalog.js';
import type { CrudService } from '../service/crud.service.js';

type RefusingService = Pick<CrudService<unknown>, 'throwNotFoundException'> & { readonly [CATALOG]: Catalog };

/** Refuses none as unknown (404), several as a conflict (409). */
export function requireSole(service: RefusingService, found: { readonly length: number }): void {
  if (found.length > 1)
    throw crudError('CRUD_CONFLICT', { message: `Several records of ${service[CATALOG].model} match` });

  if (found.length === 0) refuseUnknown(service);
}

/** Refuses a request whose record does not exist (404). */
export function refuseUnknown(service: RefusingService): never {
  throw service.throwNotFoundException(service[CATALOG].model);
}

/** Refuses a request without values to write (400). */
export function refuseEmpty(service: Pick<CrudService<unknown>, 'throwBadRequestException'>): never {
  throw service.throwBadRequestException(ERRORS.CRUD_EMPTY_BODY.message, 'CRUD_EMPTY_BODY');
}
