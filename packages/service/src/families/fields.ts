/** Fields that records of several families share. */
import { Guid, Nullable, Text, Type } from '../contract/schemas.ts';
import type { FieldColumn } from './family.ts';

export const DecimalText = Type.String({ pattern: '^-?\\d+\\.\\d{2}$', examples: ['12.50'] });
export const DiningOption = Text('Dine In');
export const RevenueCenter = Text('Dining Room');
export const RestaurantName = Text('Corner Bistro', {
  description: 'Only with fetchRestaurantNames=true',
});
export const NAME_COLUMN: FieldColumn = { type: 'text', loaded: true, shownIn: ({ names }) => names };

/** A local date and time of the restaurant, without a zone. */
export const LocalTime = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$',
  description: 'Local date and time of the restaurant, without a time zone',
  examples: ['2026-03-10 12:31:05'],
});

/** The restaurant, with its names in every record regardless of `fetchRestaurantNames`. */
export const RESTAURANT = {
  restaurantGuid: Guid,
  restaurantName: Text('Corner Bistro'),
  restaurantLocationName: Nullable(Text('Main Street')),
  restaurantLocationCode: Text('', { description: 'Empty if the restaurant has none' }),
};
export const RESTAURANT_COLUMNS = {
  restaurantGuid: { type: 'guid' },
  restaurantName: { type: 'text', loaded: true },
  restaurantLocationName: { type: 'text', loaded: true },
  restaurantLocationCode: { type: 'text', loaded: true, default: '' },
} as const satisfies Record<keyof typeof RESTAURANT, FieldColumn>;
