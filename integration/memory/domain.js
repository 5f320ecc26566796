/** Entities with all that a query can speak of, as schemas: users of companies, who work on projects. */
import { EntitySchema } from 'typeorm';

export class Company {}
export class User {}
export class Project {}

/** Columns that a query may pick, filter and sort by in ever new combinations. */
const WIDTH = 30;
export const texts = Array.from({ length: WIDTH }, (_, index) => `text${index}`);

const columns = {
  id: { type: Number, primary: true, generated: true },
  ...Object.fromEntries(texts.map((name) => [name, { type: 'varchar', length: 40, nullable: true }])),
};

/** @param json The database's type of documents. */
export const schemasFor = (json) => [
  new EntitySchema({
    name: 'Company',
    target: Company,
    tableName: 'shape_companies',
    columns: { ...columns, data: { type: json, nullable: true } },
    relations: {
      users: { type: 'one-to-many', target: 'User', inverseSide: 'company' },
      projects: { type: 'one-to-many', target: 'Project', inverseSide: 'company' },
    },
  }),
  new EntitySchema({
    name: 'User',
    target: User,
    tableName: 'shape_users',
    columns: { ...columns, data: { type: json, nullable: true }, age: { type: Number, nullable: true } },
    relations: {
      company: { type: 'many-to-one', target: 'Company', inverseSide: 'users', joinColumn: true },
      projects: { type: 'many-to-many', target: 'Project', inverseSide: 'users', joinTable: { name: 'shape_links' } },
    },
  }),
  new EntitySchema({
    name: 'Project',
    target: Project,
    tableName: 'shape_projects',
    columns,
    relations: {
      company: { type: 'many-to-one', target: 'Company', inverseSide: 'projects', joinColumn: true },
      users: { type: 'many-to-many', target: 'User', inverseSide: 'projects' },
    },
  }),
];

/** Relations of a user that queries may join. */
export const RELATIONS = [
  'company',
  'projects',
  'company.projects',
  'projects.company',
  'projects.users',
  'company.users',
];

/** Some records, so that the statements of relations are written, too. */
export async function seed(dataSource) {
  const companies = dataSource.getRepository(Company);
  const company = await companies.save({ text0: 'a', data: { a: 1 } });
  const projects = await dataSource.getRepository(Project).save([
    { text0: 'p', company },
    { text0: 'q', company },
  ]);
  await dataSource.getRepository(User).save([
    { text0: 'u', age: 3, company, projects },
    { text0: 'v', age: 4, company, projects },
  ]);
}
