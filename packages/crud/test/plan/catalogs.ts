/** Catalogs as literals, for tests of planning: a small company with users, profiles, projects and devices. */
import {
  type Catalog,
  type CatalogColumn,
  type CatalogReference,
  type CatalogRelation,
  describeColumn as column,
} from '../../src/plan/catalog.js';

export { column };

export function relation(
  path: string,
  kind: CatalogRelation['kind'],
  target: () => Catalog,
  more: Partial<Omit<CatalogRelation, 'references'>> & { references?: () => CatalogReference[] } = {},
): CatalogRelation {
  const { references, ...rest } = more;

  return {
    path,
    kind,
    toMany: kind === 'one-to-many' || kind === 'many-to-many',
    get target() {
      return target();
    },
    get references() {
      return references?.() ?? [];
    },
    nullable: false,
    cascadeInsert: false,
    cascadeUpdate: false,
    ...rest,
  };
}

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

const range = [-2147483648n, 2147483647n] as const;
const id = () =>
  column('id', 'integer', { primary: true, autoIncrement: true, generated: true, hasDefault: true, range });
const refer = (owner: Catalog, path: string, target: Catalog): CatalogReference[] => [
  { column: owner.columns.get(path)!, references: target.columns.get('id')! },
];

export const companies: Catalog = catalog(
  'Company',
  [
    id(),
    column('name', 'text', { length: 100 }),
    column('domain', 'text', { length: 100 }),
    column('description', 'text', { nullable: true }),
    column('createdAt', 'datetime', { source: 'createDate', hasDefault: true }),
    column('deletedAt', 'datetime', { source: 'deleteDate', nullable: true }),
  ],
  [
    relation('users', 'one-to-many', () => users, { inverse: 'company', cascadeInsert: true, cascadeUpdate: true }),
    relation('projects', 'one-to-many', () => projects, { inverse: 'company' }),
  ],
);

export const users: Catalog = catalog(
  'User',
  [
    id(),
    column('email', 'text', { length: 255 }),
    column('name.first', 'text', { length: 8, nullable: true }),
    column('name.last', 'text', { length: 80, nullable: true }),
    column('password', 'text', { length: 100 }),
    column('secret', 'text', { nullable: true, selectable: false }),
    column('age', 'integer', { nullable: true, range }),
    column('balance', 'decimal', { nullable: true, precision: 12, scale: 2 }),
    column('score', 'float', { nullable: true }),
    column('isActive', 'boolean', { hasDefault: true }),
    column('role', 'enum', { hasDefault: true, members: ['admin', 'member', 'guest'] }),
    column('tags', 'array', { nullable: true, elementKind: 'text' }),
    column('settings', 'json', { nullable: true }),
    column('birthDate', 'date', { nullable: true }),
    column('wakesAt', 'time', { nullable: true }),
    column('seenAt', 'datetime', { nullable: true }),
    column('points', 'bigint', { nullable: true }),
    column('token', 'uuid', { nullable: true }),
    column('avatar', 'binary', { nullable: true, form: 'bytes' }),
    column('version', 'integer', { source: 'version', hasDefault: true }),
    column('createdAt', 'datetime', { source: 'createDate', hasDefault: true }),
    column('companyId', 'integer', { range }),
    column('profileId', 'integer', { nullable: true, range }),
  ],
  [
    relation('company', 'many-to-one', () => companies, {
      references: () => refer(users, 'companyId', companies),
      inverse: 'users',
    }),
    relation('profile', 'one-to-one', () => profiles, {
      references: () => refer(users, 'profileId', profiles),
      nullable: true,
      cascadeInsert: true,
      cascadeUpdate: true,
      inverse: 'user',
    }),
    relation('projects', 'many-to-many', () => projects, { inverse: 'users' }),
  ],
);

export const profiles: Catalog = catalog(
  'Profile',
  [id(), column('bio', 'text', { nullable: true }), column('city', 'text', { length: 5, nullable: true })],
  [relation('user', 'one-to-one-inverse', () => users, { inverse: 'profile' })],
);

export const projects: Catalog = catalog(
  'Project',
  [
    id(),
    column('name', 'text', { length: 100 }),
    column('isActive', 'boolean', { hasDefault: true }),
    column('companyId', 'integer'),
  ],
  [
    relation('company', 'many-to-one', () => companies, {
      references: () => refer(projects, 'companyId', companies),
      inverse: 'projects',
    }),
    relation('users', 'many-to-many', () => users, { inverse: 'projects' }),
  ],
);

export const memberships: Catalog = catalog(
  'Membership',
  [
    column('companyId', 'integer', { primary: true }),
    column('userId', 'integer', { primary: true }),
    column('role', 'text'),
  ],
  [
    relation('company', 'many-to-one', () => companies, {
      references: () => refer(memberships, 'companyId', companies),
    }),
  ],
);

const membershipCompany = column('membership', 'integer', { nullable: true });
const membershipUser = column('membership', 'integer', { nullable: true });

/** Refers to a membership by its composite key, through columns that have no property. */
export const badges: Catalog = catalog(
  'Badge',
  [column('code', 'text', { primary: true }), column('label', 'text', { nullable: true })],
  [
    relation('membership', 'many-to-one', () => memberships, {
      references: () => [
        { column: membershipCompany, references: memberships.columns.get('companyId')! },
        { column: membershipUser, references: memberships.columns.get('userId')! },
      ],
    }),
  ],
);

export const categories: Catalog = catalog(
  'Category',
  [id(), column('name', 'text'), column('parentId', 'integer', { nullable: true })],
  [
    relation('parent', 'many-to-one', () => categories, {
      references: () => refer(categories, 'parentId', categories),
      nullable: true,
      inverse: 'children',
    }),
    relation('children', 'one-to-many', () => categories, { inverse: 'parent' }),
  ],
);
