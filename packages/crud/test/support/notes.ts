/** Rows → a service of notes: records with a text that responses show and a secret that they hide. */
import { Exclude } from 'class-transformer';
import { catalog, column } from '../plan/catalogs.js';
import { MemoryService } from './memory.service.js';

export class Note {
  id!: number;
  text!: string;
  @Exclude()
  secret!: string;
}

const notes = catalog('Note', [
  column('id', 'integer', { primary: true }),
  column('text', 'text'),
  column('secret', 'text'),
]);
Object.assign(notes, { target: Note });

export class NoteService extends MemoryService<Note> {
  constructor(rows: Record<string, unknown>[] = []) {
    super(rows, notes, (row) => Object.assign(new Note(), row));
  }
}
