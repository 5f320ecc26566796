/** A request's body in, the body to store out: copied, put into the request's scope, validated, and put into the scope again; refuses bodies that are no records and what the rules refuse. */
import { createParamDecorator, type ExecutionContext, type PipeTransform, type ValidationError } from '@nestjs/common';
import { isPlainObject } from '../definition/freeze.js';
import { crudError } from '../errors/errors.js';
import { arrivalOf } from '../interceptors/arrival.js';
import { contextOf, type HttpRequest, httpRequestOf, requestOf } from '../interceptors/request-context.js';
import type { BaseRouteName } from '../routes/route-table.js';
import type { BodyRules } from './body-rules.js';
import { applyScope, type BodyScope, bodyScopeOf, copyForeignKeys } from './body-scope.js';
import { bodyValidatorOf, type BodyValidator } from './body-validator.js';
import { knowsProperty } from './known-properties.js';
import { copyBody, isRecordBody } from './plain-body.js';
import { exceptionFactoryOf } from './validation-error.js';

type Body = Record<string, unknown>;

/** One record of a body, on its way. */
interface Draft {
  readonly body: Body;
  readonly sent: Body;
  readonly added: ReadonlySet<string>;
}

// What the pipe must know of the request travels on the copy of the body, through pipes of the application that come before.
const TRAVELLING = Symbol('nestwright: scope of this body');

interface Travelling {
  readonly scope: BodyScope;
  /** What the client sent, record by record. */
  readonly sent: readonly Body[];
  readonly added: readonly ReadonlySet<string>[];
}

const NOTHING: ReadonlySet<string> = new Set();
const NO_SCOPE: BodyScope = { values: [], catalog: undefined };

/**
 * The body parameter of generated handlers. It is a parameter of Nest's `custom` kind, which a ValidationPipe of the application leaves alone; other pipes see
 * the scoped copy of the body.
 */
export const crudBody = createParamDecorator(
  (rules: BodyRules & { route: BaseRouteName }, context: ExecutionContext) => {
    const http = httpRequestOf(context);
    const draft = (): unknown => draftOf(copyBody(bodyOf(http)), rules, scopeOf(http, rules.route));

    return arrivalOf(http)?.then(draft) ?? draft();
  },
);

function scopeOf(http: HttpRequest, route: BaseRouteName): BodyScope {
  const request = requestOf(http);
  const noted = contextOf(http);

  return request && noted ? bodyScopeOf(request, noted.definition, route, noted.catalog) : NO_SCOPE;
}

// A body that no parser of the application knew (text on Express) is not an empty one.
function bodyOf({ body, headers = {} }: HttpRequest): unknown {
  if (body !== undefined) return body;

  return headers['transfer-encoding'] === undefined && !Number(headers['content-length'] ?? 0) ? {} : null;
}

function draftOf(body: unknown, rules: BodyRules, scope: BodyScope): unknown {
  if (!isRecordBody(body)) return body;

  const records: unknown[] = rules.bulk ? (Array.isArray(body['bulk']) ? (body['bulk'] as unknown[]) : []) : [body];
  const drafts = records.map((record) => (isRecordBody(record) ? scoped(record, rules, scope) : undefined));
  const travelling: Travelling = {
    scope,
    sent: drafts.map((draft) => draft?.sent ?? {}),
    added: drafts.map((draft) => draft?.added ?? NOTHING),
  };
  if (!rules.bulk) return Object.assign(drafts[0]!.body, { [TRAVELLING]: travelling });

  return { ...body, bulk: drafts.map((draft, index) => draft?.body ?? records[index]), [TRAVELLING]: travelling };
}

// Only what the class knows is put in before validation; the rest would look unknown there, and is set afterwards.
function scoped(record: Body, rules: BodyRules, scope: BodyScope): Draft {
  if (scope.values.length === 0 && !rules.schema && isPlainObject(record)) {
    copyForeignKeys(record, scope);

    return { body: record, sent: record, added: NOTHING };
  }

  const sent = { ...record };
  const body = { ...record };

  copyForeignKeys(body, scope);
  const added = applyScope(body, scope, sent, (property) => !!rules.schema || knowsProperty(rules.type, property));

  // A schema may do without anything that the client did not send.
  return {
    body,
    sent,
    added: rules.schema ? new Set(Object.keys(body).filter((property) => !Object.hasOwn(sent, property))) : added,
  };
}

/** Validates what {@link crudBody} yields. One for each route, made when the routes are. */
export class CrudBodyPipe implements PipeTransform {
  private readonly validate: BodyValidator;
  private readonly exceptionOf: (errors: ValidationError[]) => unknown;

  constructor(private readonly rules: BodyRules) {
    this.validate = bodyValidatorOf(rules);
    this.exceptionOf = exceptionFactoryOf(rules.validation || {});
  }

  async transform(value: unknown): Promise<unknown> {
    const { travelling, body } = unpacked(isRecordBody(value) ? value : {});

    if (this.rules.bulk) return this.transformBulk(body['bulk'], travelling);
    if (!isRecordBody(value)) throw crudError('CRUD_INVALID_BODY', { message: ['The body must be an object'] });

    const { value: validated, errors } = await this.validate(body, travelling?.added[0] ?? NOTHING);
    await this.refuse(errors);

    return finish(validated, travelling, 0);
  }

  private async transformBulk(bulk: unknown, travelling: Travelling | undefined): Promise<{ bulk: unknown[] }> {
    if (!Array.isArray(bulk) || bulk.length === 0) throw crudError('CRUD_EMPTY_BODY', { field: 'bulk' });

    const stray = bulk.findIndex((item) => !isRecordBody(item));
    if (stray >= 0) {
      const field = `bulk.${stray}`;
      throw crudError('CRUD_INVALID_BODY', { message: [`${field} must be an object`], field });
    }

    const items = this.rules.wholeBulk
      ? await this.validateWhole(bulk as Body[])
      : await this.validateEach(bulk as Body[], travelling);

    return { bulk: items.map((item, index) => finish(item, travelling, index)) };
  }

  private async validateEach(bulk: readonly Body[], travelling: Travelling | undefined): Promise<Body[]> {
    const results = await Promise.all(
      bulk.map(async (item, index) => this.validate(item, travelling?.added[index] ?? NOTHING)),
    );
    const children = results.flatMap(({ errors }, index) =>
      errors.length > 0 ? [{ property: String(index), children: [...errors] } as ValidationError] : [],
    );
    await this.refuse(children.length > 0 ? [{ property: 'bulk', children } as ValidationError] : []);

    return results.map(({ value }) => value);
  }

  private async validateWhole(bulk: readonly Body[]): Promise<Body[]> {
    const { value, errors } = await this.validate({ bulk }, NOTHING);
    await this.refuse(errors);

    return value['bulk'] as Body[];
  }

  private async refuse(errors: readonly ValidationError[]): Promise<void> {
    if (errors.length > 0) throw await this.exceptionOf([...errors]);
  }
}

function unpacked(value: Body & { readonly [TRAVELLING]?: Travelling }): { travelling?: Travelling; body: Body } {
  const { [TRAVELLING]: travelling } = value;

  // A copy costs more than all else here, and what a pipe of the application made may be an instance, or frozen.
  if (isPlainObject(value) && Reflect.deleteProperty(value, TRAVELLING)) return { travelling, body: value };

  const { [TRAVELLING]: _, ...body } = value;

  return { travelling, body };
}

// Whatever validation made of them, path values and `persist` are what is stored.
function finish(body: Body, travelling: Travelling | undefined, index: number): Body {
  if (travelling && travelling.scope.values.length > 0)
    applyScope(body, travelling.scope, travelling.sent[index] ?? {});

  return body;
}
