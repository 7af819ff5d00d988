/** Reference data: the names that orders and time entries refer to by GUID. */

export interface NamedRef {
  guid: string;
  name: string;
}

export interface Reference {
  diningOptions: NamedRef[];
  revenueCenters: NamedRef[];
  employees: { guid: string; firstName: string; lastName: string; chosenName: string }[];
  jobs: { guid: string; title: string; code: string; wageFrequency: string | null; excludeFromReporting: boolean }[];
}
