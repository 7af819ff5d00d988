/**
 * Connections: restaurants whose orders, time entries, names and menus are read from their point of sale over its API,
 * and kept current. What is peculiar to a kind of point of sale is in `sources/`.
 */
