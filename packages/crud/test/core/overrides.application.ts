/** Notes, whose controllers have methods in the place of generated routes. */
import { Injectable } from '@nestjs/common';
import { MemoryService } from '../support/memory.service.js';

export class Note {
  id!: number;
  text!: string;
}

@Injectable()
export class NotesService extends MemoryService<Note> {
  constructor() {
    super([
      { id: 1, text: 'one' },
      { id: 2, text: 'two' },
    ]);
  }
}
