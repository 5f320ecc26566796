/** An example of `docs/own-routes.md`: handlers of a controller's own beside the generated ones. */
import { Controller, Get, Post, UseInterceptors } from '@nestjs/common';
import {
  Crud,
  CrudAuth,
  type CrudController,
  type CrudRequest,
  CrudRequestInterceptor,
  CrudResponseInterceptor,
  Override,
  ParsedBody,
  ParsedRequest,
} from '@nestwright/crud';
import { MembersService } from './members.service.js';
import { User } from './user.entity.js';

@Crud({
  model: { type: User },
  params: {
    companyId: { field: 'companyId', type: 'number' },
    id: { field: 'id', type: 'number', primary: true },
  },
})
@CrudAuth({ filter: () => ({ email: { $ne: 'root@x' } }) })
@Controller('companies/:companyId/members')
export class MembersController implements CrudController<User> {
  constructor(public service: MembersService) {}

  get base(): CrudController<User> {
    return this;
  }

  // In the place of a generated handler, which it calls.
  @Override()
  createOne(@ParsedRequest() request: CrudRequest, @ParsedBody() user: User) {
    return this.base.createOneBase!(request, { ...user, note: 'invited' });
  }

  // How many members the same query lists.
  @Get('count')
  @UseInterceptors(CrudRequestInterceptor)
  async count(@ParsedRequest() request: CrudRequest) {
    return { count: await this.service.count(request) };
  }

  // A list of another shape, of the records that the request may see.
  @Get('emails')
  @UseInterceptors(CrudRequestInterceptor)
  async emails(@ParsedRequest() request: CrudRequest) {
    const page = await this.service.getMany(request);
    const users = Array.isArray(page) ? page : page.data;

    return users.map(({ email }) => email);
  }

  // Records are shaped by the response interceptor, as those of generated handlers are.
  @Post(':id/deactivate')
  @UseInterceptors(CrudRequestInterceptor, CrudResponseInterceptor)
  deactivate(@ParsedRequest() request: CrudRequest) {
    return this.service.deactivate(request);
  }
}
