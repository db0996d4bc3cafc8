package caller

import "example.com/shop"

func Handle(event shop.Event) any {
	if paid, ok := event.(*shop.EventEnumValueRemovedPaidEvent); ok {
		var value bool = paid.Data.State == shop.EventEnumValueRemovedDataStateLost
		return value
	}
	return nil
}
