/** In a bundle, @nestjs/mapped-types may not find class-validator, or find another copy of class-transformer: its classes then lose their decorators. */
import type { CrudResource } from './find-resources.js';
import { PartialType } from '@nestjs/swagger';
import { Exclude, instanceToPlain } from 'class-transformer';
import { Allow } from 'class-validator';
import { isStandardSchema } from '../definition/standard-schema.js';
import { ancestryOf } from '../nest/metadata.js';

/** Names of mapped types; these survive minification. */
const MAPPED_NAME = /^(?:DeepPartial|Partial|Pick|Omit|Intersection)./;

const LOST = {
  'class-validator': 'the rules of class-validator, so that bodies would not be checked',
  'class-transformer': 'the decorators of class-transformer, so that @Exclude() would hide nothing',
};

type Peer = keyof typeof LOST;

let lost: readonly Peer[] | undefined;

/** Mapped types of @nestjs/swagger inherit what decorators say, or the start is refused. */
export function* inheritsByMappedTypes({ definition }: CrudResource): Generator<string> {
  const { model, dto, serialize, validation } = definition;
  const bodies = [model, dto.create, dto.update, dto.replace];

  for (const type of new Set<unknown>([...bodies, ...Object.values(serialize)])) {
    const mapped = typeof type === 'function' && !isStandardSchema(type) ? mappedTypeOf(type) : undefined;
    if (!mapped) continue;

    for (const peer of (lost ??= lostByMappedTypes())) {
      const isAsked = validation !== false && bodies.includes(type as typeof model) && !hasRules(mapped);
      if (peer === 'class-validator' && !isAsked) continue;

      yield `${(type as { name: string }).name} is a mapped type (${mapped.name}), but mapped types of @nestjs/swagger do not inherit ${LOST[peer]}: bundle @nestjs/mapped-types with the same ${peer} as the application (docs/bundling.md#mapped-types)`;
    }
  }
}

/** The mapped type itself, at the root of the classes that extend it. */
function mappedTypeOf(type: { readonly name: string }): { readonly name: string } | undefined {
  const root = ancestryOf(type).at(-1) as { readonly name: string };

  return MAPPED_NAME.test(root.name) ? root : undefined;
}

function lostByMappedTypes(): Peer[] {
  class Probe {}
  Allow()(Probe.prototype, 'probed');
  Exclude()(Probe.prototype, 'probed');
  const Mapped = PartialType(Probe);

  const inherited: Record<Peer, boolean> = {
    'class-validator': hasRules(Mapped),
    'class-transformer': !('probed' in instanceToPlain(Object.assign(new Mapped(), { probed: 1 }))),
  };

  return (Object.keys(inherited) as Peer[]).filter((peer) => !inherited[peer]);
}

/** class-validator stores all rules on `globalThis`, whichever copy of it the decorators come from. */
interface GlobalStorage {
  classValidatorMetadataStorage?: {
    getTargetValidationMetadatas(type: unknown, schema: string, always: boolean, strict: boolean): readonly unknown[];
  };
}

/** Whether class-validator knows rules of a class. */
function hasRules(type: unknown): boolean {
  const storage = (globalThis as GlobalStorage).classValidatorMetadataStorage;

  return (storage?.getTargetValidationMetadatas(type, '', true, false).length ?? 0) > 0;
}
