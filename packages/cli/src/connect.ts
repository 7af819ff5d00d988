/** For commands of other programs that call a service as the commands for reports do. */
export { hasStated, readConnection } from './profiles.ts';
export { openSpinner } from './progress.ts';
export { findRestaurant, listRestaurants, needsNames } from './restaurants.ts';
export { openClient } from './session.ts';
