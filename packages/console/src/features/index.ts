/**
 * What several screens do with data of the service: navigation and dates, sign-in, exports, cards of hours and
 * restaurants, editors.
 */
