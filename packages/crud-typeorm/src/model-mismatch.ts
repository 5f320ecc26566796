import { getMetadataArgsStorage, type ObjectLiteral, type Repository } from 'typeorm';

/** The mistake; undefined where the model is the entity, a class that it extends, or no entity at all (the class of a response). */
export function modelMismatch(model: unknown, { metadata }: Repository<ObjectLiteral>): string | undefined {
  const { target, name } = metadata;
  if (typeof model !== 'function' || model === target || !isEntity(model) || isBaseOf(model, target)) return undefined;

  return `model.type is ${model.name}, but its service stores ${name}: hand the service of ${model.name} to the controller, or name ${name} in model.type`;
}

function isEntity(model: object): boolean {
  return getMetadataArgsStorage().tables.some(({ target }) => target === model);
}

function isBaseOf(model: object, target: unknown): boolean {
  return typeof target === 'function' && Object.prototype.isPrototypeOf.call(model, target);
}
