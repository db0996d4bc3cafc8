package caller

import "example.com/shop"

func Handle(event shop.Event) any {
	if paid, ok := event.(*shop.EventFieldBecameRequiredPaidEvent); ok {
		var value *string = paid.Data.Note
		return value
	}
	return nil
}
