/** /devices: records whose key is a uuid, so that PUT may create them. */
import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Crud, type CrudController } from '@nestwright/crud';
import { Device } from './device.entity.js';
import { DevicesService } from './devices.service.js';

@Crud({
  model: { type: Device },
  params: { id: { field: 'id', type: 'uuid', primary: true } },
  routes: { createOneBase: { returnShallow: true } },
})
@ApiTags('devices')
@Controller('devices')
export class DevicesController implements CrudController<Device> {
  constructor(public service: DevicesService) {}
}
