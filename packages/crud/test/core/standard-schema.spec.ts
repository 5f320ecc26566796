/** Bodies validated by Standard Schemas, as zod and valibot make them, in place of classes with decorators. */
import { expect, jest, test } from '@jest/globals';
import type { HttpException, ValidationError } from '@nestjs/common';
import * as v from 'valibot';
import { z } from 'zod';
import type { ResourceDefinition } from '../../src/definition/resource-definition.js';
import { bodyScope, type BodyScopeSource } from '../../src/plan/body-scope.js';
import type { BaseRouteName } from '../../src/routes/route-table.js';
import { BodyReader } from '../../src/validation/body-reader.js';
import { users } from '../plan/catalogs.js';
import { outcome, rulesOfRoute } from './rules-of.js';

const fields = z.object({
  name: z.string().trim().min(2),
  role: z.enum(['guest', 'owner']).default('guest'),
  tags: z.array(z.object({ label: z.string() })).optional(),
  address: z.object({ street: z.string(), city: z.string().default('Turin') }).optional(),
});

const named = z.object({ name: z.string() });
const strict = z.strictObject({ name: z.string() });
const free = z.object({ name: z.string().refine((name) => Promise.resolve(name !== 'Ada'), 'is taken') });
const whole = named.refine(({ name }) => name !== 'Ada', 'must not be Ada');
const telling = z.object({ name: z.string(), role: z.string() }).superRefine(({ role }, context) => {
  context.addIssue({ code: 'custom', path: ['role'], message: `is ${role}` });
  context.addIssue({ code: 'custom', path: ['name'], message: 'is taken' });
});
const computing = z
  .object({ first: z.string().optional(), role: z.string().default('guest') })
  .transform(({ first, role }) => ({ ...(first && { name: first.toUpperCase() }), role }));

/** Its paths are made of objects. */
const byValibot = v.object({ name: v.string(), tags: v.optional(v.array(v.object({ label: v.string() }))) });

const [POST, BULK, PATCH, PUT] = ['createOneBase', 'createManyBase', 'updateOneBase', 'replaceOneBase'] as const;

/** What is made of a body, or the response of its refusal. */
const read = (route: BaseRouteName, definition: Partial<ResourceDefinition>, body: object): Promise<unknown> =>
  new BodyReader(rulesOfRoute(route, definition)).read(body).catch((error: HttpException) => error.getResponse());

const both = { create: fields, update: fields.partial() };
const [BEA, ADA] = [{ name: 'Bea' }, { name: 'Ada' }];
const GUEST = { ...BEA, role: 'guest' };
const address = { street: 'Via Po' };
const odd = { name: 'B', tags: [{ label: 'a' }, { label: 7 }] };
const SHORT = 'name Too small: expected string to have >=2 characters';
const LABEL = 'tags.1.label Invalid input: expected string, received number';

test.each<[BaseRouteName, create: z.ZodType | typeof byValibot, body: object, read: unknown]>([
  [POST, fields, { name: ' Bea ', hacker: 1, tags: [{ label: 'a', hacker: 1 }] }, { ...GUEST, tags: [{ label: 'a' }] }],
  [POST, fields, { ...BEA, address }, { ...GUEST, address: { ...address, city: 'Turin' } }],
  [PUT, fields, BEA, GUEST],
  [BULK, fields, { bulk: [BEA, { name: ' Cid ', role: 'owner' }] }, { bulk: [GUEST, { name: 'Cid', role: 'owner' }] }],
  [POST, free, BEA, BEA],
  [POST, fields, odd, [SHORT, LABEL]],
  [PUT, fields, { name: '' }, [SHORT]],
  [BULK, fields, { bulk: [BEA, odd] }, [`bulk.1.${SHORT}`, `bulk.1.${LABEL}`]],
  [POST, free, ADA, ['name is taken']],
  [POST, whole, ADA, ['must not be Ada']],
  [BULK, whole, { bulk: [ADA] }, ['bulk.0 must not be Ada']],
  [POST, byValibot, odd, ['tags.1.label Invalid type: Expected string but received 7']],
])('by the schema of %s %#: %j is read as %j', async (route, create, body, expected) => {
  expect(await outcome(rulesOfRoute(route, { dto: { create } }), body, bodyScope({ path: [] }, users))).toEqual(
    expected,
  );
});

test.each<[what: string, update: z.ZodType, body: object, read: object]>([
  ['trims', fields.partial(), { name: ' Cid ' }, { name: 'Cid' }],
  ['writes no default', fields.partial(), {}, {}],
  ['writes no default of a part', fields.partial(), { address }, { address }],
  ['may compute', computing, { first: 'Bea' }, { name: 'BEA' }],
])('a schema of a change %s', async (_what, update, body, expected) =>
  expect(await read(PATCH, { dto: { ...both, update } }, body)).toEqual(expected),
);

const ofCompany = z.object({ name: z.string(), companyId: z.number() });
const [path, persist] = [[['companyId', 4]] as const, { role: 'guest' }];
const [STRING, STRANGER] = ['name Invalid input: expected string, received undefined', 'Unrecognized key: "hacker"'];

test.each<[what: string, create: z.ZodType, Partial<BodyScopeSource>, body: object, read: unknown]>([
  ['is strict, and not held against the path', strict, { path }, BEA, { ...BEA, companyId: 4 }],
  ['is strict', strict, { path }, { ...BEA, hacker: 1 }, [STRANGER]],
  ['is given a value of the path', ofCompany, { path }, BEA, { ...BEA, companyId: 4 }],
  ['requires a value of the path', ofCompany, { path }, { ...BEA, companyId: 9 }, { ...BEA, companyId: 4 }],
  ['is told what is wrong beside the path', ofCompany, { path }, {}, [STRING]],
  ['does not know what is persisted', named, { persist }, { ...BEA, role: 'owner' }, GUEST],
  ['speaks of what is persisted', telling, { persist }, BEA, ['name is taken']],
])('a schema that %s', async (_what, create, source, body, expected) => {
  const scope = bodyScope({ path: [], ...source }, users);
  expect(await outcome(rulesOfRoute(POST, { dto: { create } }), body, scope)).toEqual(expected);
});

const code = 'CRUD_INVALID_BODY';
const exceptionFactory = (errors: ValidationError[]) => ({ getResponse: () => errors });

const told = { message: [STRING], code, field: 'name' };

test.each<[ResourceDefinition['validation'], read: unknown]>([
  [{}, { statusCode: 400, error: 'Bad Request', ...told }],
  [{ errorHttpStatusCode: 422 }, { statusCode: 422, error: 'Unprocessable Entity', ...told }],
  [{ disableErrorMessages: true }, { statusCode: 400, message: 'Bad Request', code }],
  [{ exceptionFactory }, [{ property: 'name', constraints: { schema: STRING } }]],
  [false, {}],
])('with validation %j a schema answers a wrong body with %j', async (validation, expected) =>
  expect(await read(POST, { dto: { create: named }, validation }, {})).toEqual(expected),
);

test('a schema is asked once about a change to which it adds nothing', async () => {
  const asked = jest.fn();
  const adding = ({ name }: { name?: string | undefined }) => ({ name, role: asked() });
  expect(await read(PATCH, { dto: { update: named.partial().transform(adding) } }, BEA)).toEqual(BEA);
  expect(asked).toHaveBeenCalledTimes(1);
});

test('a class may carry a schema, as model and in an overriding handler', async () => {
  class Named {
    static readonly '~standard' = z.object({ name: z.string().trim() })['~standard'];
  }

  const byModel = rulesOfRoute(POST, { model: Named });
  const byHandler = rulesOfRoute(PUT, { dto: { create: whole } }, Named);
  for (const rules of [byModel, byHandler])
    expect(await outcome(rules, { name: ' Ada ', hacker: 1 })).toEqual({ name: 'Ada' });
});
