/** /audit: read and never written by clients. */
import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Crud, type CrudController } from '@nestwright/crud';
import { TenantResource } from '../auth/tenant-resource.js';
import { Audit } from './audit.entity.js';
import { AuditService } from './audit.service.js';

@Crud({
  model: { type: Audit },
  query: {
    cursor: true,
    export: { formats: ['ndjson', 'csv'] },
    aggregate: { groupBy: ['entity', 'kind', 'at'], functions: { '*': ['count'] } },
  },
  routes: { only: ['getManyBase', 'getOneBase', 'countBase', 'aggregateBase'] },
})
@TenantResource()
@ApiTags('audit')
@Controller('audit')
export class AuditController implements CrudController<Audit> {
  constructor(public service: AuditService) {}
}
