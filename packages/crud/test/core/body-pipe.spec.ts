/** Bodies without HTTP: copying, scoping and validating as pure steps, with whatever JSON can say. */
import { describe, expect, test } from '@jest/globals';
import { type ArgumentMetadata, type PipeTransform, type Type as Class } from '@nestjs/common';
import { ForbiddenException, HttpException, ValidationPipe, type ValidationPipeOptions } from '@nestjs/common';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import { IsBoolean, IsOptional, IsString, ValidateNested } from 'class-validator';
import fc from 'fast-check';
import type { Catalog } from '../../src/plan/catalog.js';
import { type BodyRules, makeBodyRules } from '../../src/validation/body-rules.js';
import { applyScope, type BodyScope } from '../../src/plan/body-scope.js';
import { BodyReader } from '../../src/validation/body-reader.js';
import { rulesWithPipes } from '../../src/validation/body-pipes.js';
import { toInstance, toPlainBody } from '../../src/validation/body-instance.js';
import { dropUndeclared, knowsProperty } from '../../src/validation/declared-properties.js';
import { copyBody } from '../../src/validation/plain-body.js';
import { copyForeignKeys } from '../../src/validation/scoped-record.js';
import { bareDefinition } from '../../src/definition/resource-definition.js';
import { catalog, column, relation } from '../plan/catalogs.js';
import { rulesOf } from './rules-of.js';

class City {
  @IsString({ always: true }) name = 'nowhere';
}

class Person {
  @IsOptional({ always: true }) @IsString({ always: true }) name?: string;
  @IsOptional({ always: true }) @ValidateNested({ always: true }) @Type(() => City) city?: City;
  @IsOptional({ always: true }) @Type(() => City) @ValidateNested({ always: true, each: true }) cities?: City[];
  @Exclude() secret?: unknown;
  @IsOptional({ always: true }) @Type(() => Date) born?: Date;

  born2 = new Date();
  token = Math.random();
}

class Anything {}

const rules = rulesOf(Person, { isModel: true, mode: 'update' });
const read = (body: object, more: Partial<BodyRules> = {}) => new BodyReader({ ...rules, ...more }).read(body);

describe('a body', () => {
  test('of a class that describes all of it has what a condition sets read by its columns', async () => {
    class Setting {
      @IsOptional() set?: unknown;
    }

    const validation = { transformOptions: { enableImplicitConversion: true } };
    const reader = new BodyReader(rulesOf(Setting, { bulk: true, wholeBulk: true, byCondition: 'set', validation }));
    const scope: BodyScope = { values: [], catalog: catalog('Task', [column('done', 'boolean')]) };
    expect(await reader.read({ set: { done: 'false' } }, scope, 'some')).toEqual({ set: { done: false } });
  });

  test('is read by its columns before anything is converted, in embedded objects, too', async () => {
    class Part {
      @IsBoolean() done!: boolean;
    }

    class Task {
      @IsBoolean() @Transform(({ value }: { value: unknown }) => value ?? false) done!: boolean;
      @ValidateNested() @Type(() => Part) part!: Part;
      @IsOptional() coded?: unknown;
    }

    const columns = [column('done', 'boolean'), column('part.done', 'boolean')];
    const tasks = catalog('Task', [...columns, column('coded', 'boolean', { transformed: true })]);
    const reader = new BodyReader(
      rulesOf(Task, { validation: { transformOptions: { enableImplicitConversion: true } } }),
    );
    const body = { done: null, part: { done: 'false' }, coded: 'false' };
    const kept = { done: false, part: { done: false }, coded: 'false' };
    expect(await reader.read(body, { values: [], catalog: tasks })).toEqual(kept);
  });

  test('of a route for keys has nothing but the key and the version of each record', async () => {
    const keyedBy = { id: { field: 'id', type: 'number', primary: true } } as const;
    const reader = new BodyReader(rulesOf(Anything, { bulk: true, keysAlone: true, needsVersion: true, keyedBy }));
    const [key, version] = [column('id', 'integer', { primary: true }), column('version', 'integer')];
    const bulk = [{ id: 1, version: 2, name: 'a', undefined: 3 }];
    const readBy = (target: Catalog) => reader.read({ bulk }, { values: [], catalog: target });
    expect(await readBy({ ...catalog('Note', [key, version]), version })).toEqual({ bulk: [{ id: 1, version: 2 }] });
    expect(await readBy(catalog('Note', [key]))).toEqual({ bulk: [{ id: 1 }] });
  });

  test('keeps names of methods in lists of lists', async () => {
    const body = { list: [[{ valueOf: null, toString: 1 }], [[{ hasOwnProperty: [] }]]] };
    expect(await read(body, { type: Anything })).toEqual(body);
  });
});

describe('any JSON', () => {
  const value = fc.jsonValue();
  const personal = { name: value, city: value, cities: value, secret: value, born: value, token: value };
  const body = fc.oneof(fc.jsonValue({ maxDepth: 6 }), fc.record(personal, { requiredKeys: [] }));

  test('is copied equal, save for keys that reach prototypes', () => {
    const check = (value: unknown) => {
      const text = JSON.stringify(value);
      if (!/"(__proto__|constructor|prototype)"/.test(text)) expect(JSON.stringify(copyBody(value))).toBe(text);
    };
    fc.assert(fc.property(value, check));
    const hostile = JSON.parse('{"a":[{"__proto__":{"x":1},"constructor":1,"b":2}]}') as object;
    expect(copyBody(hostile)).toEqual({ a: [{ b: 2 }] });
  });

  test.each([false, true])('is validated or refused as a client error, in bulk %s', async (bulk) => {
    const check = async (value: unknown) => {
      const refusal: unknown = await read(copyBody(value) as object, { bulk }).then(undefined, (error) => error);
      if (refusal instanceof HttpException) expect(refusal.getStatus()).toBe(400);
      else expect(refusal).not.toBeInstanceOf(Error);
    };
    const values = bulk ? fc.record({ bulk: fc.oneof(fc.array(body), body) }) : body;
    await fc.assert(fc.asyncProperty(values, check), { numRuns: 500 });
  });

  test('loses and gains nothing where nothing is declared', async () => {
    const name = fc.string().filter((name) => !(name in Object.prototype));
    const check = async (value: object) => {
      const body = copyBody(value) as object;
      expect(await read(body, { type: Anything })).toEqual(body);
    };
    await fc.assert(fc.asyncProperty(fc.dictionary(name, value), check));
  });
});

describe('instances', () => {
  const inbound = { transformOptions: undefined, partial: true, keepExcluded: true };

  test('carry only what was sent, whatever initialisers return', () => {
    const body = { city: {}, cities: [{}, { name: 'Ulm' }], secret: { a: 1 }, born: '2000-01-01' };
    expect(toPlainBody(toInstance(Person, body, inbound), body)).toEqual({ ...body, born: new Date('2000-01-01') });
  });

  test('lack what an initialiser takes from the request, though it gave nothing before', () => {
    const context: { user?: string } = {};

    class Signed {
      title?: string;
      by = context.user;
    }

    for (const user of [{}, { user: 'Ada' }]) {
      Object.assign(context, user);
      expect(toPlainBody(toInstance(Signed, { title: 'x' }, inbound), { title: 'x' })).toEqual({ title: 'x' });
    }
  });

  test('keep what a transform computes from other properties, and lack what one leaves out', () => {
    class Slugged {
      title?: string;
      @Transform(({ obj }) => `slug-${(obj as { title: string }).title}`) @Expose() slug?: string;
    }

    class Noted {
      @Transform(({ value }: { value: string }) => value || undefined) note?: string;
      empty: unknown = undefined;
    }

    const body = { title: 'x' };
    const unset = { ...inbound, transformOptions: { exposeUnsetFields: false } };
    expect(toPlainBody(toInstance(Slugged, body, inbound), body)).toEqual({ title: 'x', slug: 'slug-x' });
    for (const options of [inbound, unset]) expect(Object.keys(toInstance(Noted, { note: '' }, options))).toEqual([]);
    expect(toInstance(Noted, { note: 'x' }, unset)).toEqual({ note: 'x' });
  });

  test('keep what a transform computes for a property that responses alone hide', () => {
    class Account {
      name?: string;
      @Exclude({ toPlainOnly: true }) @Transform(({ obj }) => `hash for ${(obj as Account).name}`) password?: string;
    }

    const made = toInstance(Account, { name: 'a', password: 'x' }, inbound);
    expect(made).toEqual({ name: 'a', password: 'hash for a' });
  });

  test('keep what @Exclude() hides from responses, also where decorators are ignored', () => {
    @Exclude()
    class Closed {
      @Expose() open?: string;
      shut?: string;
      @Exclude({ toClassOnly: true }) never?: string;
      @Exclude({ toPlainOnly: true }) later?: string;
      @Expose({ name: 'full_name' }) name?: string;
    }
    const body = { open: 'a', shut: 'b', later: 'd' };
    const ignoring = { ...inbound, transformOptions: { ignoreDecorators: true } };
    expect(toInstance(Closed, body, inbound)).toEqual(body);
    expect(toInstance(Closed, { full_name: 'a' }, inbound)).toEqual({ name: 'a' });
    expect(toInstance(Closed, body, { ...inbound, keepExcluded: false })).toEqual({ open: 'a' });
    expect(toInstance(Closed, { open: 'a' }, ignoring)).toEqual({ open: 'a' });
  });
});

describe('a record behind pipes', () => {
  const run = (pipe: PipeTransform, record: object, added = {}, type: Class<unknown> = Person) =>
    rulesWithPipes(rulesOf(type), [pipe]).run!(record, added);

  class Fragile {
    @Transform(({ value }: { value: unknown }) => (value === 'fails' ? JSON.parse('') : value)) name?: string;
  }

  type Own = (value: Record<string, unknown>, next: (value: object) => Promise<object>) => unknown;

  test.each<[string, Class<unknown>, ValidationPipeOptions, Own, record: object, value: object]>([
    [
      'has what a pipe makes of an object in it',
      Person,
      { transform: true },
      async (value, next) => Object.assign(await next(value), { city: 'Ulm' }),
      { name: 'a', city: { name: 'Bonn' } },
      { name: 'a', city: 'Ulm' },
    ],
    [
      'keeps what its class excludes, whatever else a pipe changes',
      Person,
      { transform: true },
      async (value, next) => Object.assign(await next(value), { name: 'b' }),
      { name: 'a', secret: 's' },
      { name: 'b', secret: 's' },
    ],
    [
      'lacks what the class of a pipe initialises, also where the pipe makes a plain object',
      Person,
      { expectedType: City },
      async (value, next) => ({ ...(await next(value)) }),
      { zip: 1 },
      { zip: 1 },
    ],
    [
      'lacks what a pipe takes out, also where its class could not be made of what was sent',
      Fragile,
      { transform: true },
      async (_, next) => next({ name: 'cut' }),
      { name: 'fails', stranger: 1 },
      { name: 'cut' },
    ],
  ])('%s', async (_title, type, options, own, record, value) => {
    class Changing extends ValidationPipe {
      override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
        return own(value as never, (given) => super.transform(given, metadata) as Promise<object>);
      }
    }

    expect(await run(new Changing(options), record, {}, type)).toEqual({ value });
  });

  test('that a pipe refuses with and without what the path adds is refused as the one with it', async () => {
    const transform = (value: object): never => {
      throw new ForbiddenException(Object.keys(value).join());
    };
    await expect(run({ transform }, { name: 'a' }, { id: 1 })).rejects.toThrow('name,id');
  });

  test('is given to what extends the ValidationPipe of another copy of Nest', async () => {
    const copied = Object.create(
      Object.prototype,
      Object.getOwnPropertyDescriptors(ValidationPipe.prototype),
    ) as object;
    const extending = Object.create(copied, { transform: { value: async () => ({ name: 'own' }) } }) as PipeTransform;
    const pipe = Object.assign(Object.create(extending) as PipeTransform, new ValidationPipe());
    expect(await run(pipe, { name: 'a' })).toEqual({ value: { name: 'own' } });
  });

  test.each([{ validatorOptions: {} }, { createExceptionFactory: () => undefined }])(
    'is given to a pipe that has a member of the ValidationPipe by chance: %j',
    async (member) => {
      const pipe = { ...member, transform: () => ({ name: 'own' }) };
      expect(await run(pipe, { name: 'a' })).toEqual({ value: { name: 'own' } });
    },
  );

  test.each<[ValidationPipeOptions[], ValidationPipeOptions]>([
    [[{ forbidUnknownValues: true, groups: ['a'] }], { forbidUnknownValues: true }],
    [[{ disableErrorMessages: true }], { disableErrorMessages: true }],
    [[{ skipNullProperties: true, whitelist: true }, {}], { skipNullProperties: false, whitelist: true }],
    [[{ expectedType: City, whitelist: true, errorHttpStatusCode: 422 }, {}], { errorHttpStatusCode: 422 }],
  ])('is validated by pipes with %j as by %j', (options, validation) => {
    const validatedBy = (given: ValidationPipeOptions[]) => {
      const pipes = given.map((each) => new ValidationPipe(each));

      return rulesWithPipes(rulesOf(Person), pipes).rules.validation;
    };
    expect(validatedBy(options)).toEqual({ ...validatedBy([{}]), ...validation });
  });
});

describe('rules', () => {
  class Model {}

  class Create {}

  class Update {}

  class Replace {}

  const of = (dto: object, routes: object = {}) => {
    const bare = bareDefinition();

    return { ...bare, model: Model, dto, options: { ...bare.options, routes } };
  };
  const pick = (found: BodyRules | undefined) => found && [found.type, found.group, found.mode];

  test.each([
    ['createOneBase', {}, [Model, 'CRUD-CREATE', 'insert']],
    ['createManyBase', {}, [Model, 'CRUD-CREATE', 'insert']],
    ['updateOneBase', {}, [Model, 'CRUD-UPDATE', 'update']],
    ['replaceOneBase', {}, [Model, 'CRUD-CREATE', 'replace']],
    ['createOneBase', { create: Create }, [Create, undefined, 'insert']],
    ['updateOneBase', { create: Create }, [Model, 'CRUD-UPDATE', 'update']],
    ['updateOneBase', { update: Update }, [Update, undefined, 'update']],
    ['replaceOneBase', { create: Create, update: Update }, [Create, undefined, 'replace']],
    ['replaceOneBase', { create: Create, replace: Replace }, [Replace, undefined, 'replace']],
    ['getManyBase', { create: Create }, undefined],
    ['deleteOneBase', {}, undefined],
    ['recoverOneBase', {}, undefined],
  ] as const)('of %s with %j', (route, dto, expected) => {
    expect(pick(makeBodyRules(of(dto), route))).toEqual(expected);
  });

  test('of PUT with merge are those of a change', () => {
    const routes = { replaceOneBase: { merge: true } };
    const dto = { create: Create, update: Update };
    expect(pick(makeBodyRules(of({}, routes), 'replaceOneBase'))).toEqual([Model, 'CRUD-UPDATE', 'update']);
    expect(pick(makeBodyRules(of(dto, routes), 'replaceOneBase'))).toEqual([Update, undefined, 'update']);
    const replaced = makeBodyRules(of({ ...dto, replace: Replace }, routes), 'replaceOneBase');
    expect(pick(replaced)).toEqual([Replace, undefined, 'update']);
  });

  test.each([[Object], [Array], [String], [undefined], [Model]])('do not follow the declared class %p', (declared) => {
    expect(makeBodyRules(of({ create: Create }), 'createOneBase', declared)?.type).toBe(Create);
  });
});

describe('scope', () => {
  const keys = [column('id', 'integer', { primary: true }), column('region', 'text', { primary: true })] as const;
  const company = catalog('Company', [...keys]);
  const own = [column('companyId', 'integer'), column('companyRegion', 'text')] as const;
  const references = () => keys.map((references, index) => ({ column: own[index]!, references }));
  const toCompany = relation('company', 'many-to-one', () => company, { references });
  const users = catalog('User', [...own, column('address.street', 'text')], [toCompany]);
  const scope = (...values: [string, unknown][]): BodyScope => ({
    values: values.map(([field, value]) => ({ field, value, origin: 'persist', forced: true })),
    catalog: users,
  });

  test.each([
    [{ id: 1, region: 'EU' }, [1, 'EU']],
    [null, [null, null]],
    [[], []],
    ['x', []],
    [{}, []],
  ])('a composite foreign key is copied part by part from the relation %j', (given, parts) => {
    const copied = Object.fromEntries(parts.map((part, index) => [own[index]!.path, part]));
    const body: Record<string, unknown> = { company: given };
    copyForeignKeys(body, scope());
    expect(body).toStrictEqual({ company: given, ...copied });
  });

  test('decides one part of a composite key, columns of a relation, and a nested path', () => {
    const body: Record<string, unknown> = { company: { id: 1, region: 'EU' }, companyId: 1, companyRegion: 'EU' };
    applyScope(body, scope(['companyRegion', 'US']));
    expect(body).toEqual({ company: { id: 1, region: 'US' }, companyId: 1, companyRegion: 'US' });
    const other: Record<string, unknown> = { companyId: 9, address: { street: 'x', zip: 1 } };
    const company = { id: 2, region: 'EU' };
    const added = applyScope(other, scope(['company', company], ['address.street', 'y']), { sent: { ...other } });
    expect(other).toEqual({ company, companyId: 2, companyRegion: 'EU', address: { street: 'y', zip: 1 } });
    expect([...added]).toEqual(['company']);
  });
});

test('a class knows properties by decorator, rule or initialiser', () => {
  class Known {
    @IsString() ruled?: string;
    initialised = 1;

    declared?: string;
  }

  const names = ['ruled', 'initialised', 'declared', 'constructor', 'toString'];
  expect(names.filter((name) => knowsProperty(Known, name))).toEqual(['ruled', 'initialised']);
});

test('what a class does not declare is dropped, in objects whose class its properties name, too', () => {
  class Holder {
    @IsOptional() city?: City;
    @IsOptional() anything?: object;
    @Type(() => Object) map?: object;
  }

  const city = () => Object.assign(new City(), { name: 'Ulm', zip: 1 });
  const map = Object.assign(Object.create(null) as object, { zip: 1 });
  const made = Object.assign(new Holder(), { city: city(), anything: city(), map, extra: 1 });
  dropUndeclared(made, undefined);
  expect(made).toEqual({ city: { name: 'Ulm' }, anything: { name: 'Ulm', zip: 1 }, map: { zip: 1 } });
});
