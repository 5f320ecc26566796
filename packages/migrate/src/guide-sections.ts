/** Which sections of the guide concern a project. */
import type { ProjectFiles } from './project-files.js';

export interface GuideSection {
  readonly title: string;
  /** What the project has then, in the words of the guide. */
  readonly when: string;
  /** The same in its sources. */
  readonly pattern: RegExp;
  /** Whether only files with options of resources are searched, since the word means something else elsewhere. */
  readonly inOptions?: boolean;
}

const RESOURCE = /\bCrud\(|\bCrudRequestInterceptor\b|\bTypeOrmCrudService\b/;
const OPTIONS = /\bCrud\(|\bCrudConfigService\b|\bCrudModule\b/;

/** In the order of docs/migration.md, whose table has the same rows. */
export const GUIDE_SECTIONS: readonly GuideSection[] = [
  { title: 'TypeScript', when: 'TypeScript', pattern: /^/ },
  { title: 'At the start', when: 'a server', pattern: RESOURCE },
  { title: 'Overriding handlers', when: '`@Override()`', pattern: /@Override\(/ },
  { title: 'Services', when: 'services that extend `TypeOrmCrudService`', pattern: /\bTypeOrmCrudService\b/ },
  {
    title: 'Interceptors',
    when: 'classes that extend `CrudRequestInterceptor` or `CrudResponseInterceptor`',
    pattern: /\bCrud(Request|Response)Interceptor\b|PARSED_CRUD_REQUEST_KEY/,
  },
  {
    title: 'Query builder and parser',
    when: '`RequestQueryBuilder`, `RequestQueryParser` or files below `lib/`',
    pattern: /\bRequestQuery(Builder|Parser)\b|crud(-\w+)?\/lib\b/,
  },
  { title: 'OpenAPI', when: '@nestjs/swagger', pattern: /@nestjs\/swagger/ },
  { title: 'From @dataui/crud', when: '@dataui/crud', pattern: /@dataui\/crud/ },
  { title: 'Reads', when: 'a server', pattern: RESOURCE },
  { title: 'Joins', when: '`query.join` or `@RelationId()`', pattern: /\bjoin\s*:\s*\{|@RelationId\(/ },
  {
    title: 'Conditions of the application',
    when: '`@CrudAuth()`, `query.filter`, or conditions made in code',
    pattern: /\bCrudAuth\(|\bfilter\s*:|\bparsed\.(search|filter|or)\b|\bCondOperator\b/,
    inOptions: true,
  },
  {
    title: 'Hidden properties',
    when: '`@Exclude()`, `@Expose()`, `@Transform()`, `serialize`, `query.exclude` or `query.allow`',
    pattern: /@(Exclude|Expose|Transform)\(|\b(serialize|exclude|allow)\s*:/,
  },
  {
    title: 'JSON columns and embedded objects',
    when: 'columns of type `json`, `jsonb`, `simple-json`, `simple-array`, array columns, or embedded entities',
    pattern: /['"`](jsonb?|simple-json|simple-array)['"`]|\barray\s*:\s*true|@Column\(\s*(?:\(?\w+\)?|\(\))\s*=>/,
  },
  {
    title: 'Soft delete',
    when: '`@DeleteDateColumn()`',
    pattern: /\bDeleteDateColumn\b|\bsoftDelete\b|\binclude_?[dD]eleted\b/,
  },
  { title: 'Caching', when: '`query.cache`', pattern: /\bcache\s*:/, inOptions: true },
  { title: 'Writes', when: 'a server', pattern: RESOURCE },
  { title: 'PUT', when: 'a server', pattern: RESOURCE },
  { title: 'Bulk bodies', when: 'a server', pattern: RESOURCE },
  {
    title: 'Validation',
    when: 'class-validator, a `ValidationPipe`, or `dto`',
    pattern: /\bclass-validator\b|\bValidationPipe\b|\bdto\s*:/,
  },
  {
    title: 'Relations in bodies',
    when: 'relations of entities',
    pattern: /@(OneToOne|OneToMany|ManyToOne|ManyToMany)\(/,
  },
  {
    title: 'Listeners and subscribers',
    when: '`@BeforeUpdate()` and similar methods, or subscribers',
    pattern: /@(Before|After)(Insert|Update|Remove|SoftRemove|Recover|Load)\(|\bEventSubscriber\b/,
  },
];

/** Titles of the sections that concern a project, in the order of the guide. */
export function chooseSections({ sources }: ProjectFiles): string[] {
  const texts = [...sources.values()];
  const options = texts.filter((text) => OPTIONS.test(text));

  return GUIDE_SECTIONS.filter(({ pattern, inOptions }) =>
    (inOptions ? options : texts).some((text) => pattern.test(text)),
  ).map(({ title }) => title);
}
