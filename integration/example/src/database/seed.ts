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
import {
  categories,
  companies,
  devices,
  events,
  memberships,
  profiles,
  projects,
  userProjects,
  users,
} from './seed-records.js';
import { store, type Stored } from './seeding.js';

/** What is stored where, parents first. Keys are left to the database, whose counters begin at 1, so that the next insert finds them right. */
const TABLES: readonly Stored[] = [
  [Company, companies],
  [Profile, profiles],
  [User, users],
  [Project, projects],
  ['user_projects', userProjects],
  [Membership, memberships],
  [Device, devices],
  [Category, categories],
  [Event, events],
];

/** Fills the tables. */
export const seed = (dataSource: DataSource): Promise<void> => store(dataSource, TABLES);
