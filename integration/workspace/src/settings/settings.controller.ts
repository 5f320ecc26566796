/** /settings/:key: the tenant is no part of the path, and yet of the key. */
import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Crud, type CrudController } from '@nestwright/crud';
import { TenantResource } from '../auth/tenant-resource.js';
import { Setting } from './setting.entity.js';
import { SettingsService } from './settings.service.js';

@Crud({
  model: { type: Setting },
  params: { key: { field: 'key', type: 'string', primary: true } },
  query: { etag: true },
  routes: { replaceManyBase: true },
})
@TenantResource()
@ApiTags('settings')
@Controller('settings')
export class SettingsController implements CrudController<Setting> {
  constructor(public service: SettingsService) {}
}
