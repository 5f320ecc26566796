/** The names, members and hooks that applications of nestjsx/crud import, call and override, each used as they use it. Compiled by `npm run typecheck` and types.spec.ts, never run. */
import { type ExecutionContext, Injectable, type Type } from '@nestjs/common';
import {
  Action,
  type BaseRoute,
  type BaseRouteName,
  type CreateManyDto,
  Crud,
  CrudActions,
  CrudAuth,
  CrudConfigService,
  type CrudController,
  type CrudOptions,
  type CrudRequest,
  CrudRequestInterceptor,
  type CrudRequestOptions,
  CrudResponseInterceptor,
  CrudRoutesFactory,
  CrudService,
  CrudValidationGroups,
  Feature,
  getAction,
  getFeature,
  type GetManyDefaultResponse,
  Override,
  ParsedBody,
  ParsedRequest,
  type QueryOptions,
} from '@nestwright/crud';
import {
  CondOperator,
  type ParsedRequestParams,
  type QueryFilter,
  type QueryJoin,
  type QuerySort,
  RequestQueryBuilder,
  RequestQueryException,
  RequestQueryParser,
  type SCondition,
} from '@nestwright/crud-request';
import { User } from './entities.js';

CrudConfigService.load({
  auth: { property: 'user' },
  query: { limit: 25, cache: 2000 },
  routes: { deleteOneBase: { returnDeleted: true } },
  params: { id: { field: 'id', type: 'uuid', primary: true } },
  serialize: { getMany: false },
  queryParser: { delim: '__' },
});

/** The eight verbs, and what a service calls and overrides. */
@Injectable()
export class UsersService extends CrudService<User> {
  override getMany(req: CrudRequest): Promise<GetManyDefaultResponse<User> | User[]> {
    const { search, paramsFilter, authPersist, classTransformOptions, filter, or, join, sort } = req.parsed;
    const filters: QueryFilter[] = [...paramsFilter, ...filter, ...or];
    const conditions: (SCondition | undefined)[] = [search];
    const page = this.createPageInfo([], 0, 10, 0);

    return Promise.resolve({ ...page, data: [], filters, conditions, join, sort, authPersist, classTransformOptions });
  }
  override getOne(req: CrudRequest): Promise<User> {
    return Promise.reject(this.throwNotFoundException(String(req.options.params?.['id']?.field)));
  }
  override createOne(_req: CrudRequest, dto: User | Partial<User>): Promise<User> {
    return Promise.resolve(dto as User);
  }
  override createMany(_req: CrudRequest, dto: CreateManyDto): Promise<User[]> {
    return Promise.resolve(dto.bulk as User[]);
  }
  override updateOne(_req: CrudRequest, dto: User | Partial<User>): Promise<User> {
    return Promise.resolve(dto as User);
  }
  override replaceOne(_req: CrudRequest, dto: User | Partial<User>): Promise<User> {
    return Promise.resolve(dto as User);
  }
  override deleteOne(_req: CrudRequest): Promise<void | User> {
    return Promise.resolve();
  }
  override recoverOne(_req: CrudRequest): Promise<void | User> {
    return Promise.resolve();
  }
  override createPageInfo(data: User[], total: number, limit: number, offset: number): GetManyDefaultResponse<User> {
    return super.createPageInfo(data, total, limit, offset);
  }
  override decidePagination(parsed: ParsedRequestParams, options: CrudRequestOptions): boolean {
    return super.decidePagination(parsed, options);
  }
  override getTake(parsed: ParsedRequestParams, options: QueryOptions): number | null {
    return super.getTake(parsed, options);
  }
  override getSkip(parsed: ParsedRequestParams, take: number): number | null {
    return super.getSkip(parsed, take);
  }
  override getPrimaryParams(options: CrudRequestOptions): string[] {
    return super.getPrimaryParams(options);
  }
  override throwBadRequestException(message?: string) {
    return super.throwBadRequestException(message);
  }
  override throwNotFoundException(name: string) {
    return super.throwNotFoundException(name);
  }
}

/** The steps of a routes factory. */
export class Routes extends CrudRoutesFactory {
  protected override get modelName(): string {
    return super.modelName;
  }
  protected override get modelType(): Type<unknown> {
    return this.options.model.type;
  }
  protected override get actionsMap() {
    return { ...super.actionsMap, getManyBase: CrudActions.ReadAll };
  }
  protected override create(): void {
    super.create();
  }
  protected override getRoutesSchema(): BaseRoute[] {
    return super.getRoutesSchema().map((route) => ({ ...route, path: route.path, method: route.method }));
  }
  protected override canCreateRoute(name: BaseRouteName): boolean {
    return name !== 'deleteOneBase' && super.canCreateRoute(name);
  }
  protected override getPrimaryParams(): string[] {
    return super.getPrimaryParams();
  }
  protected override setBaseRouteMeta(name: BaseRouteName): void {
    super.setBaseRouteMeta(name);
  }
  protected override setDecorators(name: BaseRouteName): void {
    super.setDecorators(name);
  }
  protected override setInterceptors(name: BaseRouteName): void {
    super.setInterceptors(name);
  }
  protected override getManyBase(name: BaseRouteName): void {
    this.targetProto[name] = function getManyBase(this: CrudController<User>, req: CrudRequest) {
      return this.service.getMany(req);
    };
  }
  protected override getOneBase(name: BaseRouteName): void {
    super.getOneBase(name);
  }
  protected override createOneBase(name: BaseRouteName): void {
    super.createOneBase(name);
  }
  protected override createManyBase(name: BaseRouteName): void {
    super.createManyBase(name);
  }
  protected override updateOneBase(name: BaseRouteName): void {
    super.updateOneBase(name);
  }
  protected override replaceOneBase(name: BaseRouteName): void {
    super.replaceOneBase(name);
  }
  protected override deleteOneBase(name: BaseRouteName): void {
    super.deleteOneBase(name);
  }
  protected override recoverOneBase(name: BaseRouteName): void {
    super.recoverOneBase(name);
  }
}

const options: CrudOptions = {
  model: { type: User },
  routesFactory: Routes,
  validation: { groups: [CrudValidationGroups.CREATE, CrudValidationGroups.UPDATE] },
  routes: { only: ['getManyBase'], getManyBase: { interceptors: [CrudRequestInterceptor, CrudResponseInterceptor] } },
};

/** Overrides, and the generated handlers that they call. */
@Crud(options)
@CrudAuth({
  property: 'user',
  filter: (user: User) => ({ id: user.id }),
  or: (user: User) => ({ companyId: user.companyId }),
  persist: (user: User) => ({ companyId: user.companyId }),
})
@Feature('users')
export class UsersController implements CrudController<User> {
  constructor(public service: UsersService) {}

  get base(): CrudController<User> {
    return this;
  }
  @Override()
  getMany(@ParsedRequest() req: CrudRequest) {
    return this.base.getManyBase!(req);
  }
  @Override('getOneBase')
  byId(@ParsedRequest() req: CrudRequest) {
    return this.base.getOneBase!(req);
  }
  @Override()
  createOne(@ParsedRequest() req: CrudRequest, @ParsedBody() dto: User) {
    return this.base.createOneBase!(req, dto);
  }
  @Override()
  createMany(@ParsedRequest() req: CrudRequest, @ParsedBody() dto: CreateManyDto<User>) {
    return this.base.createManyBase!(req, dto);
  }
  @Override()
  updateOne(@ParsedRequest() req: CrudRequest, @ParsedBody() dto: User) {
    return this.base.updateOneBase!(req, dto);
  }
  @Override()
  replaceOne(@ParsedRequest() req: CrudRequest, @ParsedBody() dto: User) {
    return this.base.replaceOneBase!(req, dto);
  }
  @Override()
  deleteOne(@ParsedRequest() req: CrudRequest) {
    return this.base.deleteOneBase!(req);
  }
  @Override()
  @Action(CrudActions.UpdateOne)
  recoverOne(@ParsedRequest() req: CrudRequest) {
    return this.base.recoverOneBase!(req);
  }
}

export const named = (context: ExecutionContext): [string, CrudActions] => [
  getFeature(context.getClass()),
  getAction(context.getHandler()),
];

/** Requests that the application makes itself. */
export function own(parsed: ParsedRequestParams): CrudRequest {
  const join: QueryJoin = { field: 'company', select: ['name'] };
  const sort: QuerySort = { field: 'id', order: 'ASC' };
  const query = RequestQueryBuilder.create()
    .select(['id'])
    .setFilter({ field: 'id', operator: CondOperator.EQUALS, value: 1 })
    .setOr(['id', '$eq', 2])
    .search({ $and: [{ id: { $gt: 1 } }] })
    .setJoin(join)
    .sortBy(sort)
    .setLimit(1)
    .setOffset(2)
    .setPage(3)
    .resetCache()
    .setIncludeDeleted(1)
    .query();
  if (query === '') throw new RequestQueryException('Nothing is asked');
  const { search } = RequestQueryParser.create().parseQuery({ s: '{}' }).getParsed();

  return { parsed: { ...parsed, search }, options: { query: {}, routes: {}, params: {} } };
}
