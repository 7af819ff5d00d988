/** For other programs: calling a service like the commands for reports do, and printing tables. */

export { openClient } from './client.ts';
export { insist } from './point-access.ts';
export { hasStated, readConnection } from './profiles.ts';
export { openSpinner } from './progress.ts';
export { readPiped, readSecretVariable } from './prompt.ts';
export { namesOf, type Page, showNothing, showView, type TableView } from './report-table.ts';
export { findRestaurant, listRestaurants, needsNames } from './restaurants.ts';
