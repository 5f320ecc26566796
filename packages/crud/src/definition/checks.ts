/** A resource of a starting application in, what is wrong with its options out: one text for each mistake, naming controller, option and value. */
import type { Catalog } from '../plan/catalog.js';
import type { CrudResource } from '../nest/application.js';
import { CHECK_START } from '../constants.js';
import { authOptionsOf, declaredOptionsOf } from './definitions.js';
import { CATALOG_CHECKS } from './catalog-checks.js';
import { authMistakes, shapeMistakes } from './option-shape.js';
import { RESOURCE_CHECKS } from './resource-checks.js';
import { labelOf } from './resource-labels.js';

/** Every mistake of one resource. Names of fields are only looked at where the options have the right shape, and where there is a catalog. */
export function startupMistakes(resource: CrudResource, catalog: Catalog | undefined): string[] {
  const { definition, controller, service } = resource;
  const shape = [...shapeMistakes(declaredOptionsOf(controller)), ...authMistakes(authOptionsOf(controller) ?? {})];
  const mistakes = shape.length > 0 ? shape : RESOURCE_CHECKS.flatMap((check) => [...check(resource)]);

  if (shape.length === 0) {
    if (catalog) mistakes.push(...CATALOG_CHECKS.flatMap((check) => [...check(definition, catalog)]));
    mistakes.push(...(service?.[CHECK_START]?.(definition) ?? []));
  }

  return mistakes.map((mistake) => `${labelOf(controller, definition)}: ${mistake}`);
}
