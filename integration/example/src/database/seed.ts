/** The same records on every start and every database. */
import type { DataSource } from 'typeorm';
import { Category } from '../categories/category.entity.js';
import { Company } from '../companies/company.entity.js';
import { Device } from '../devices/device.entity.js';
import { Event } from '../events/event.entity.js';
import { Membership } from '../memberships/membership.entity.js';
import { Project } from '../projects/project.entity.js';
import { Profile } from '../users/profile.entity.js';
import { User } from '../users/user.entity.js';
import { store } from './seeding.js';

/** What is stored, by table. Keys are left to the database. */
export interface Records {
  readonly companies: object[];
  readonly profiles: object[];
  readonly users: object[];
  readonly projects: object[];
  readonly userProjects: object[];
  readonly memberships: object[];
  readonly devices: object[];
  readonly categories: object[];
  readonly events: object[];
}

/** Fills the tables, parents first. Their counters begin at 1, so that the next insert finds them right. */
export const seed = (dataSource: DataSource, records: Records): Promise<void> =>
  store(dataSource, [
    [Company, records.companies],
    [Profile, records.profiles],
    [User, records.users],
    [Project, records.projects],
    ['user_projects', records.userProjects],
    [Membership, records.memberships],
    [Device, records.devices],
    [Category, records.categories],
    [Event, records.events],
  ]);
