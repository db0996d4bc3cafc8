package caller

import "example.com/shop"

func Handle(event shop.Event) any {
	if paid, ok := event.(*shop.EventEnumValueAddedPaidEvent); ok {
		var value bool = paid.Data.State == shop.EventEnumValueAddedDataStateOpen
		return value
	}
	return nil
}
