import type { ResourceDefinition } from '../definition/resource-definition.js';
import { type BaseRouteName, ROUTES } from '../routes/route-table.js';
import { pluralOf, singularOf } from './resource-names.js';

/** Who chose an operation's id: the options of the resource, the document's `operationIdFactory`, or nobody. */
export type OperationIdStyle = 'short' | 'long' | 'factory' | 'default';

/** What a route is called in short ids. */
const SHORT_IDS = {
  getManyBase: (_one, many) => `getMany${many}`,
  getOneBase: (one) => `getOne${one}`,
  createOneBase: (one) => `createOne${one}`,
  createManyBase: (_one, many) => `createMany${many}`,
  updateOneBase: (one) => `updateOne${one}`,
  replaceOneBase: (one) => `replaceOne${one}`,
  deleteOneBase: (one) => `deleteOne${one}`,
  recoverOneBase: (one) => `recoverOne${one}`,
  countBase: (_one, many) => `count${many}`,
  aggregateBase: (_one, many) => `aggregate${many}`,
  updateManyBase: (_one, many) => `updateMany${many}`,
  replaceManyBase: (_one, many) => `replaceMany${many}`,
  deleteManyBase: (_one, many) => `deleteMany${many}`,
  recoverManyBase: (_one, many) => `recoverMany${many}`,
} as const satisfies Record<BaseRouteName, (one: string, many: string) => string>;

export function summaryOf({ modelName }: ResourceDefinition, route: BaseRouteName): string {
  return ROUTES[route].summary(modelName);
}

/** How the ids of a resource are chosen in a document that has an `operationIdFactory`, or none. */
export function idStyleOf({ openapi }: ResourceDefinition, hasFactory: boolean): OperationIdStyle {
  return openapi?.operationIds ?? (hasFactory ? 'factory' : 'default');
}

/** `getManyBaseUsersControllerUser`, or `getManyUsers`: the same wherever the handler stands; undefined where the document's factory makes it. */
export function operationIdOf(
  definition: ResourceDefinition,
  route: BaseRouteName,
  style: OperationIdStyle,
): string | undefined {
  const long = () => `${route}${definition.controller}${definition.modelName}`;
  const ids: Record<OperationIdStyle, () => string | undefined> = {
    short: () => SHORT_IDS[route](singularOf(definition), pluralOf(definition)),
    long,
    factory: () => undefined,
    default: long,
  };

  return ids[style]();
}
