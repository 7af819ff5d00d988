/** Fields that records of several families share. */
import Type from 'typebox';
import { Text } from '../contract/schemas.ts';

export const DecimalText = Type.String({ pattern: '^-?\\d+\\.\\d{2}$', examples: ['12.50'] });
export const DiningOption = Text('Dine In');
export const RevenueCenter = Text('Dining Room');
export const RestaurantName = Text('Corner Bistro', {
  description: 'Only with fetchRestaurantNames=true',
});
