/** Every member of nestjsx/crud's and @dataui/crud's classes that a subclass can override takes effect here, stops the start with what to use instead, or is listed with the reason why it may do neither. */
import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { CrudBaseInterceptor } from '../../src/exchange/interceptors.js';
import { CrudConfigService, CrudRequestInterceptor, CrudResponseInterceptor } from '../../src/index.js';
import { CrudRoutesFactory, CrudService } from '../../src/index.js';
import { REMOVED_STEPS } from '../../src/startup/resource-checks.js';

interface Declared {
  readonly members?: Record<string, string>;
  readonly statics?: Record<string, string>;
}

const declarations = JSON.parse(
  readFileSync(new URL('../../../../integration/upstream/declarations.json', import.meta.url), 'utf8'),
) as Record<string, { readonly public: Record<string, Declared>; readonly internal: Record<string, Declared> }>;

/** Members that subclasses see, of all versions. */
function membersOf(name: string, kind: keyof Declared = 'members'): string[] {
  const found = Object.values(declarations).flatMap(({ public: open, internal }) =>
    Object.entries((open[name] ?? internal[name])?.[kind] ?? {}).filter(([, what]) => !what.startsWith('private')),
  );
  return [...new Set(found.map(([member]) => member))].sort();
}

/** Members that an override need not change anything by, and why. */
const EXEMPT: Record<string, string> = {
  'CrudService.getPrimaryParam': 'only the services of TypeORM called it, where it stops the start',
  'CrudRoutesFactory.swaggerModels':
    'a field that steps of the OpenAPI description fill, each of which stops the start',
};

const INTERCEPTORS = { CrudBaseInterceptor, CrudRequestInterceptor, CrudResponseInterceptor };
const OURS: Record<string, { readonly prototype: object }> = { ...INTERCEPTORS, CrudRoutesFactory, CrudService };

/** Fields and abstract members, which no prototype has. */
const OF_INSTANCES = new Set([
  ...['CrudRoutesFactory.target', 'CrudRoutesFactory.options'],
  ...['getMany', 'getOne', 'createOne', 'createMany', 'updateOne', 'replaceOne', 'deleteOne', 'recoverOne'].map(
    (verb) => `CrudService.${verb}`,
  ),
]);

test.each(Object.keys(OURS))('%s', (name) => {
  const members = membersOf(name);
  const isKnown = (member: string, full = `${name}.${member}`) =>
    member in OURS[name]!.prototype || OF_INSTANCES.has(full) || REMOVED_STEPS.has(member) || full in EXEMPT;
  expect(members.length).toBeGreaterThan(0);
  expect(members.filter((member) => !isKnown(member))).toEqual([]);
});

test('static members', () => {
  expect(membersOf('CrudRoutesFactory', 'statics')).toEqual(['create']);
  expect(membersOf('CrudConfigService', 'statics')).toEqual(['config', 'load']);
  expect(CrudRoutesFactory).toHaveProperty('create');
  for (const name of ['load', 'config']) expect(CrudConfigService).toHaveProperty(name);
});

test('no step is called and said to be lost', () => {
  expect([...REMOVED_STEPS.keys()].filter((step) => step in CrudRoutesFactory.prototype)).toEqual([]);
});
