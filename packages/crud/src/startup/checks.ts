import type { Catalog } from '../plan/catalog.js';
import type { CrudResource } from './find-resources.js';
import { CHECK_START } from '../constants.js';
import { authOptionsOf, declaredOptionsOf } from '../definition/definitions.js';
import { CATALOG_CHECKS } from '../plan/catalog-checks.js';
import { aggregatesWhatIsShown } from './aggregate-checks.js';
import { authMistakes, shapeMistakes } from '../definition/option-mistakes.js';
import { RESOURCE_CHECKS } from './resource-checks.js';
import { labelOf } from './resource-labels.js';

/** Every mistake of one resource. Names of fields are only looked at if the options have the right shape, and if there is a catalog. */
export function startupMistakes(resource: CrudResource, catalog: Catalog | undefined): string[] {
  const { definition, controller, service } = resource;
  const shape = [...shapeMistakes(declaredOptionsOf(controller)), ...authMistakes(authOptionsOf(controller) ?? {})];
  const mistakes = shape.length > 0 ? shape : RESOURCE_CHECKS.flatMap((check) => [...check(resource)]);

  if (shape.length === 0) {
    if (catalog)
      mistakes.push(...[...CATALOG_CHECKS, aggregatesWhatIsShown].flatMap((check) => [...check(definition, catalog)]));
    mistakes.push(...(service?.[CHECK_START]?.(definition) ?? []));
  }

  return mistakes.map((mistake) => `${labelOf(controller, definition)}: ${mistake}`);
}
