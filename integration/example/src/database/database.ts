/** The example's data source with fresh, seeded tables. */
import type { DataSource } from 'typeorm';
import { Category } from '../categories/category.entity.js';
import { Company } from '../companies/company.entity.js';
import { Device } from '../devices/device.entity.js';
import { Event } from '../events/event.entity.js';
import { Membership } from '../memberships/membership.entity.js';
import { Project } from '../projects/project.entity.js';
import { Profile } from '../users/profile.entity.js';
import { User } from '../users/user.entity.js';
import { openTables } from './open-tables.js';
import { RECORDS } from './seed-records.js';
import { type Records, seed } from './seed.js';

export const ENTITIES = [Company, User, Profile, Project, Device, Membership, Category, Event];

/** What may be said of the seed. */
export interface SeedOptions {
  /** Default: those of `seed-records.ts`, the same on every start and every database. */
  readonly records?: Records;
}

/** Opens the example's database; the tables are made anew each time. */
export const openDatabase = (url: string, { records = RECORDS }: SeedOptions = {}): Promise<DataSource> =>
  openTables(url, { entities: ENTITIES, seed: (dataSource) => seed(dataSource, records) });
