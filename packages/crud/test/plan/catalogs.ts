/** Catalogs as literals, for tests of planning: a small company with users, profiles, projects and devices. */
import { type Catalog, type CatalogColumn, type CatalogReference, type RecordClass } from '../../src/plan/catalog.js';
import { type CatalogRelation, describeColumn as column } from '../../src/plan/catalog.js';

export { column };

type More = Partial<Omit<CatalogRelation, 'references'>> & { references?: () => CatalogReference[] };

export function relation(
  path: string,
  kind: CatalogRelation['kind'],
  target: () => Catalog,
  { references, ...more }: More = {},
): CatalogRelation {
  return {
    path,
    kind,
    toMany: kind === 'one-to-many' || kind === 'many-to-many',
    nullable: false,
    cascadeInsert: false,
    cascadeUpdate: false,
    get target() {
      return target();
    },
    get references() {
      return references?.() ?? [];
    },
    ...more,
  };
}

type Ends = [owner: Catalog, key: string, target: Catalog];

/** A relation to one record, by a foreign key of the owner. */
const owned = (path: string, ends: () => Ends, more: More = {}) => {
  const references = ([owner, key, target]: Ends) => [
    { column: owner.columns.get(key)!, references: target.columns.get('id')! },
  ];
  return relation(path, 'many-to-one', () => ends()[2], { references: () => references(ends()), ...more });
};

export function catalog(model: string, columns: CatalogColumn[], relations: CatalogRelation[] = []): Catalog {
  return {
    model,
    target: class {},
    columns: new Map(columns.map((item) => [item.path, item])),
    relations: new Map(relations.map((item) => [item.path, item])),
    primary: columns.filter(({ primary }) => primary),
    deleteDate: columns.find(({ source }) => source === 'deleteDate'),
    version: columns.find(({ source }) => source === 'version'),
  };
}

/** A class that records may be of, with its paths and embedded objects. */
export const recordClass = (target: unknown, paths: readonly string[] = [], embedded = {}): RecordClass => ({
  target,
  paths: new Set(paths),
  embedded: new Map(Object.entries(embedded)),
});

const range = [-2147483648n, 2147483647n] as const;
const nullable = true;
const hasDefault = true;
const primary = true;
const id = () => column('id', 'integer', { primary, autoIncrement: true, generated: true, hasDefault, range });
const name = column('name', 'text', { length: 100 });
const createdAt = column('createdAt', 'datetime', { source: 'createDate', hasDefault });
const cascading = { cascadeInsert: true, cascadeUpdate: true };
const toProfile = { kind: 'one-to-one', nullable, ...cascading, inverse: 'user' } as const;
export const companies: Catalog = catalog(
  'Company',
  [
    ...[id(), name, column('domain', 'text', { length: 100 }), column('description', 'text', { nullable }), createdAt],
    column('deletedAt', 'datetime', { source: 'deleteDate', nullable }),
  ],
  [
    relation('users', 'one-to-many', () => users, { inverse: 'company', ...cascading }),
    relation('projects', 'one-to-many', () => projects, { inverse: 'company' }),
  ],
);

export const users: Catalog = catalog(
  'User',
  [
    id(),
    column('email', 'text', { length: 255 }),
    column('name.first', 'text', { length: 8, nullable }),
    column('name.last', 'text', { length: 80, nullable }),
    column('password', 'text', { length: 100 }),
    column('secret', 'text', { nullable, selectable: false }),
    column('age', 'integer', { nullable, range }),
    column('balance', 'decimal', { nullable, precision: 12, scale: 2 }),
    column('score', 'float', { nullable }),
    column('isActive', 'boolean', { hasDefault }),
    column('role', 'enum', { hasDefault, members: ['admin', 'member', 'guest'] }),
    column('tags', 'array', { nullable, elementKind: 'text' }),
    ...[column('settings', 'json', { nullable }), column('birthDate', 'date', { nullable })],
    ...[column('wakesAt', 'time', { nullable }), column('seenAt', 'datetime', { nullable })],
    ...[column('points', 'bigint', { nullable }), column('token', 'uuid', { nullable })],
    column('avatar', 'binary', { nullable, form: 'bytes' }),
    column('version', 'integer', { source: 'version', hasDefault }),
    createdAt,
    ...[column('companyId', 'integer', { range }), column('profileId', 'integer', { nullable, range })],
  ],
  [
    owned('company', () => [users, 'companyId', companies], { inverse: 'users' }),
    owned('profile', () => [users, 'profileId', profiles], toProfile),
    relation('projects', 'many-to-many', () => projects, { inverse: 'users' }),
  ],
);

export const profiles: Catalog = catalog(
  'Profile',
  [id(), column('bio', 'text', { nullable }), column('city', 'text', { length: 5, nullable })],
  [relation('user', 'one-to-one-inverse', () => users, { inverse: 'profile' })],
);

export const projects: Catalog = catalog(
  'Project',
  [id(), name, column('isActive', 'boolean', { hasDefault }), column('companyId', 'integer')],
  [
    owned('company', () => [projects, 'companyId', companies], { inverse: 'projects' }),
    relation('users', 'many-to-many', () => users, { inverse: 'projects' }),
  ],
);

export const memberships: Catalog = catalog(
  'Membership',
  [
    column('companyId', 'integer', { primary, autoIncrement: true }),
    column('userId', 'integer', { primary }),
    column('role', 'text'),
  ],
  [owned('company', () => [memberships, 'companyId', companies])],
);

/** Refers to a membership by its composite key, through columns that have no property. */
export const badges: Catalog = catalog(
  'Badge',
  [column('code', 'text', { primary }), column('label', 'text', { nullable })],
  [relation('membership', 'many-to-one', () => memberships, { references: () => membershipKey })],
);

const membershipKey = memberships.primary.map((references) => ({
  column: column('membership', 'integer', { nullable }),
  references,
}));

export const categories: Catalog = catalog(
  'Category',
  [id(), column('name', 'text'), column('parentId', 'integer', { nullable })],
  [
    owned('parent', () => [categories, 'parentId', categories], { nullable, inverse: 'children' }),
    relation('children', 'one-to-many', () => categories, { inverse: 'parent' }),
  ],
);
