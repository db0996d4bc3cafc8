package caller

import "example.com/shop"

func Handle(event shop.Event) any {
	if paid, ok := event.(*shop.EventFieldConstraintChangedPaidEvent); ok {
		var value string = paid.Data.Note
		return value
	}
	return nil
}
