/** Bodies without HTTP: copying, scoping and validating as pure steps, with whatever JSON can say. */
import { describe, expect, test } from '@jest/globals';
import { HttpException } from '@nestjs/common';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import { IsOptional, IsString, ValidateNested } from 'class-validator';
import fc from 'fast-check';
import { type BodyRules, makeBodyRules } from '../../src/validation/body-rules.js';
import { applyScope, type BodyScope } from '../../src/plan/body-scope.js';
import { BodyReader } from '../../src/validation/body-reader.js';
import { toInstance, toPlainBody } from '../../src/validation/body-instance.js';
import { knowsProperty } from '../../src/validation/declared-properties.js';
import { copyBody } from '../../src/validation/plain-body.js';
import { copyForeignKeys } from '../../src/validation/scoped-record.js';
import { bareDefinition } from '../../src/definition/resource-definition.js';
import { catalog, column, relation } from '../plan/catalogs.js';

class City {
  @IsString({ always: true })
  name = 'nowhere';
}

class Person {
  @IsOptional({ always: true })
  @IsString({ always: true })
  name?: string;

  @IsOptional({ always: true })
  @ValidateNested({ always: true })
  @Type(() => City)
  city?: City;

  @IsOptional({ always: true })
  @Type(() => City)
  @ValidateNested({ always: true, each: true })
  cities?: City[];

  @Exclude()
  secret?: unknown;

  @IsOptional({ always: true })
  @Type(() => Date)
  born?: Date;

  born2 = new Date();
  token = Math.random();
}

const rules: BodyRules = {
  type: Person,
  group: undefined,
  bulk: false,
  wholeBulk: false,
  isModel: true,
  isDto: false,
  resource: 'PeopleController',
  mode: 'update',
  acceptsGeneratedKey: false,
  validation: {},
};

test.each([
  ['frozen', (body: object) => Object.freeze(body)],
  ['an instance', (body: object) => Object.assign(new City(), body)],
])('a body that a pipe of the application made %s is read like any other', async (_title, made) => {
  const read = await new BodyReader(rules).read(made({ name: 'a', token: 'b' }));

  expect(read).toEqual({ name: 'a', token: 'b' });
});

test('what a condition sets is read by a class that describes the whole body, with implicit conversion, too', async () => {
  class Setting {
    @IsOptional()
    set?: unknown;
  }
  const reader = new BodyReader({
    ...rules,
    type: Setting,
    bulk: true,
    wholeBulk: true,
    byCondition: 'set',
    validation: { transformOptions: { enableImplicitConversion: true } },
  });
  const scope: BodyScope = { values: [], catalog: catalog('Task', [column('done', 'boolean')]) };

  expect(await reader.read({ set: { done: 'false' } }, scope, 'some')).toEqual({ set: { done: false } });
});

describe('any JSON', () => {
  const json = fc.json({ maxDepth: 6 });
  const personal = fc.record(
    {
      name: fc.jsonValue(),
      city: fc.jsonValue(),
      cities: fc.jsonValue(),
      secret: fc.jsonValue(),
      born: fc.jsonValue(),
      token: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );

  test('is copied equal, save for keys that reach prototypes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const copy = copyBody(value);
        const text = JSON.stringify(value);
        if (!/"(__proto__|constructor|prototype)"/.test(text)) expect(JSON.stringify(copy)).toBe(text);
      }),
    );
    const copy = copyBody(JSON.parse('{"a":[{"__proto__":{"x":1},"constructor":1,"b":2}]}')) as object;
    expect(copy).toEqual({ a: [{ b: 2 }] });
  });

  test.each([false, true])('is validated or refused as a client error, in bulk %s', async (bulk) => {
    const reader = new BodyReader({ ...rules, bulk });
    const body = fc.oneof(
      json.map((text) => JSON.parse(text) as unknown),
      personal,
    );

    await fc.assert(
      fc.asyncProperty(bulk ? fc.record({ bulk: fc.oneof(fc.array(body), body) }) : body, async (value) => {
        try {
          await reader.read(copyBody(value));
        } catch (error) {
          expect(error).toBeInstanceOf(HttpException);
          expect((error as HttpException).getStatus()).toBe(400);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('keeps names of methods in lists of lists', async () => {
    class Anything {}
    const body = { list: [[{ valueOf: null, toString: 1 }], [[{ hasOwnProperty: [] }]]] };

    expect(await new BodyReader({ ...rules, type: Anything }).read(body)).toEqual(body);
  });

  test('loses and gains nothing where nothing is declared', async () => {
    class Anything {}
    const reader = new BodyReader({ ...rules, type: Anything });

    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(
          fc.string().filter((name) => !(name in Object.prototype)),
          fc.jsonValue(),
        ),
        async (value) => {
          const body = copyBody(value);
          expect(await reader.read(body)).toEqual(body);
        },
      ),
    );
  });
});

describe('instances', () => {
  const inbound = { transformOptions: undefined, partial: true, keepExcluded: true };

  test('carry only what was sent, whatever initialisers return', () => {
    const body = { city: {}, cities: [{}, { name: 'Ulm' }], secret: { a: 1 }, born: '2000-01-01' };
    const made = toPlainBody(toInstance(Person, body, inbound), body);

    expect(made).toEqual({ city: {}, cities: [{}, { name: 'Ulm' }], secret: { a: 1 }, born: new Date('2000-01-01') });
  });

  test('lack what an initialiser takes from the request, though it gave nothing before', () => {
    const context: { user?: string } = {};
    class Signed {
      title?: string;
      by = context.user;
    }
    const read = () => toPlainBody(toInstance(Signed, { title: 'x' }, inbound), { title: 'x' });

    expect(read()).toEqual({ title: 'x' });
    context.user = 'Ada';
    expect(read()).toEqual({ title: 'x' });
  });

  test('keep what a transform computes from other properties', () => {
    class Slugged {
      title?: string;

      @Transform(({ obj }) => `slug-${(obj as { title: string }).title}`)
      @Expose()
      slug?: string;
    }

    expect(toPlainBody(toInstance(Slugged, { title: 'x' }, inbound), { title: 'x' })).toEqual({
      title: 'x',
      slug: 'slug-x',
    });
  });

  test('lack what a transform leaves out, also where unset fields are not exposed', () => {
    class Noted {
      @Transform(({ value }: { value: string }) => value || undefined)
      note?: string;
    }
    const unset = { ...inbound, transformOptions: { exposeUnsetFields: false } };

    expect(toInstance(Noted, { note: '' }, unset)).toEqual({});
    expect(toInstance(Noted, { note: 'x' }, unset)).toEqual({ note: 'x' });
  });

  test('have what an excluded class is sent, also where decorators are ignored', () => {
    @Exclude()
    class Closed {
      @Expose()
      open?: string;
    }
    const ignoring = { ...inbound, transformOptions: { ignoreDecorators: true } };

    expect(toInstance(Closed, { open: 'a' }, ignoring)).toEqual({ open: 'a' });
  });

  test('keep what @Exclude() hides from responses', () => {
    @Exclude()
    class Closed {
      @Expose()
      open?: string;

      shut?: string;

      @Exclude({ toClassOnly: true })
      never?: string;

      @Exclude({ toPlainOnly: true })
      later?: string;
    }

    const body = { open: 'a', shut: 'b', later: 'd' };
    expect(toInstance(Closed, body, inbound)).toEqual(body);
    expect(toInstance(Closed, body, { ...inbound, keepExcluded: false })).toEqual({ open: 'a' });
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
    ['createManyBase', { create: Create }, [Create, undefined, 'insert']],
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
    expect(pick(makeBodyRules(of({}, routes), 'replaceOneBase'))).toEqual([Model, 'CRUD-UPDATE', 'update']);
    expect(pick(makeBodyRules(of({ create: Create, update: Update }, routes), 'replaceOneBase'))).toEqual([
      Update,
      undefined,
      'update',
    ]);
  });

  test.each([[Object], [Array], [String], [undefined], [Model]])('do not follow the declared class %p', (declared) => {
    expect(makeBodyRules(of({ create: Create }), 'createOneBase', declared)?.type).toBe(Create);
  });
});

describe('scope', () => {
  const company = catalog('Company', [
    column('id', 'integer', { primary: true }),
    column('region', 'text', { primary: true }),
  ]);
  const users = catalog(
    'User',
    [column('companyId', 'integer'), column('companyRegion', 'text'), column('address.street', 'text')],
    [
      relation('company', 'many-to-one', () => company, {
        references: () => [
          { column: column('companyId', 'integer'), references: column('id', 'integer') },
          { column: column('companyRegion', 'text'), references: column('region', 'text') },
        ],
      }),
    ],
  );
  const scope = (...values: [string, unknown][]): BodyScope => ({
    values: values.map(([field, value]) => ({ field, value, origin: 'persist', forced: true })),
    catalog: users,
  });

  test('composite foreign keys are copied part by part, and kept apart from what a relation says', () => {
    const body: Record<string, unknown> = { company: { id: 1, region: 'EU' } };
    copyForeignKeys(body, scope());
    expect(body).toEqual({ company: { id: 1, region: 'EU' }, companyId: 1, companyRegion: 'EU' });

    applyScope(body, scope(['companyRegion', 'US']));
    expect(body).toEqual({ company: { id: 1, region: 'US' }, companyId: 1, companyRegion: 'US' });
  });

  test('a list, a text and null as relation', () => {
    for (const [given, expected] of [
      [[], { company: [] }],
      ['x', { company: 'x' }],
      [null, { company: null, companyId: null, companyRegion: null }],
      [{}, { company: {} }],
    ] as const) {
      const body: Record<string, unknown> = { company: given };
      copyForeignKeys(body, scope());
      expect(body).toEqual(expected);
    }
  });

  test('a relation in the scope decides its columns, a nested path its object', () => {
    const body: Record<string, unknown> = { companyId: 9, address: { street: 'x', zip: 1 } };
    const added = applyScope(body, scope(['company', { id: 2, region: 'EU' }], ['address.street', 'y']), {
      sent: { ...body },
    });

    expect(body).toEqual({
      company: { id: 2, region: 'EU' },
      companyId: 2,
      companyRegion: 'EU',
      address: { street: 'y', zip: 1 },
    });
    expect([...added]).toEqual(['company']);
  });
});

test('a class knows properties by decorator, rule or initialiser', () => {
  class Known {
    @IsString()
    ruled?: string;

    initialised = 1;

    declared?: string;
  }

  expect(
    ['ruled', 'initialised', 'declared', 'constructor', 'toString'].filter((name) => knowsProperty(Known, name)),
  ).toEqual(['ruled', 'initialised']);
});
