import type { Catalog } from '../plan/catalog.js';
import type { CrudResource } from './find-resources.js';
import { CHECK_START } from '../constants.js';
import { authOptionsOf, declaredOptionsOf } from '../definition/definitions.js';
import { aggregatesColumns } from '../aggregate/options.js';
import { CATALOG_CHECKS } from '../plan/catalog-checks.js';
import { aggregatesWhatIsShown, sortsCursorsByWhatIsShown } from './aggregate-checks.js';
import { authMistakes, type OptionMistake, shapeMistakes } from '../definition/option-mistakes.js';
import { RESOURCE_CHECKS } from './resource-checks.js';
import { labelOf } from './resource-labels.js';
import { formatsWhatIsTransformed } from '../visibility/index.js';

/** Checks against what answers show. */
const SHOWN_CHECKS = [formatsWhatIsTransformed, aggregatesWhatIsShown, sortsCursorsByWhatIsShown];

type Check = () => Iterable<string> | Promise<Iterable<string>>;

/** Every mistake of one resource. What a mistaken option takes part in is not checked. */
export async function startupMistakes(resource: CrudResource, catalog: Catalog | undefined): Promise<string[]> {
  const { definition, controller, service } = resource;
  const shape = [...shapeMistakes(declaredOptionsOf(controller)), ...authMistakes(authOptionsOf(controller) ?? {})];
  const checks: Check[] = [
    ...RESOURCE_CHECKS.map((check) => () => check(resource)),
    ...(catalog
      ? [...CATALOG_CHECKS, aggregatesColumns, ...SHOWN_CHECKS].map((check) => () => check(definition, catalog))
      : []),
    () => service?.[CHECK_START]?.(definition) ?? [],
  ];
  const found: string[] = [];
  for (const check of checks) found.push(...(await (shape.length === 0 ? check() : mistakesBeside(shape, check))));

  return [...shape.map(({ text }) => text), ...found].map((text) => `${labelOf(controller, definition)}: ${text}`);
}

/** The mistakes that a check finds in other options than the mistaken ones. */
async function mistakesBeside(mistaken: readonly OptionMistake[], check: Check): Promise<string[]> {
  try {
    return [...(await check())].filter((text) => !mistaken.some(({ option }) => text.includes(option)));
  } catch {
    // It reads a mistaken option, which is reported already.
    return [];
  }
}
