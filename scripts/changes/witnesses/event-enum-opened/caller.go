package caller

import "example.com/shop"

func Handle(event shop.Event) any {
	if paid, ok := event.(*shop.EventEnumOpenedPaidEvent); ok {
		var value bool = paid.Data.State == shop.EventEnumOpenedDataStateOpen
		return value
	}
	return nil
}
