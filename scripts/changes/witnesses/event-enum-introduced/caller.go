package caller

import "example.com/shop"

func Handle(event shop.Event) any {
	if paid, ok := event.(*shop.EventEnumIntroducedPaidEvent); ok {
		var value string = paid.Data.State
		return value
	}
	return nil
}
