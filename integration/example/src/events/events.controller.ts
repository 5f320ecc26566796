/** /events: written and read, never changed; reads are cached for two seconds. */
import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Crud, type CrudController } from '@nestwright/crud';
import { Event } from './event.entity.js';
import { EventsService } from './events.service.js';

@Crud({
  model: { type: Event },
  query: { cache: 2000 },
  routes: { only: ['getManyBase', 'getOneBase', 'createOneBase', 'createManyBase'] },
})
@ApiTags('events')
@Controller('events')
export class EventsController implements CrudController<Event> {
  constructor(public service: EventsService) {}
}
