package caller

import "example.com/shop"

func Handle(event shop.Event) any {
	if paid, ok := event.(*shop.EventEnumValueRenamedPaidEvent); ok {
		var value bool = paid.Data.State == shop.EventEnumValueRenamedDataStateOpen
		return value
	}
	return nil
}
